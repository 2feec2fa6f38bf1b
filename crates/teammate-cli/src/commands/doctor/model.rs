//! Checks the model in use: what is known of it, and what is asked of it.

use teammate::{
    Catalogue, ModelRef, ModelSettings, Providers,
    model::{Effort, Wire},
};
use teammate_view::t;

use super::{CliContext, Finding};
use crate::commands::models;

/// The model, what the catalogue says of it, and what of the settings it is not sent.
pub(super) fn findings(place: &CliContext) -> Vec<Finding> {
    let model = match place.options.model() {
        Ok(model) => model,
        Err(error) => {
            return vec![Finding::Bad {
                what: t("no model can be used").to_owned(),
                hint: format!("{error:#}"),
            }];
        }
    };
    let mut found = vec![Finding::Good(t!("model: {model}", model))];
    let Ok(providers) = place.options.providers() else {
        return found;
    };
    // Plays and code are no models of a server.
    let Some(wire) = providers.wire_of(&model) else {
        return found;
    };
    let settings = providers.settings(&model);
    found.push(Finding::Note(known(
        &model,
        &settings,
        wire,
        place.options.effort(),
    )));
    found.extend(learnt(&providers, &model, wire));
    found.extend(retiring(&model));
    found.extend(left_out(&settings, wire).map(Finding::Note));
    found
}

fn known(model: &ModelRef, settings: &ModelSettings, wire: Wire, asked: Option<Effort>) -> String {
    let over = match wire {
        Wire::Anthropic => "Anthropic's Messages",
        Wire::OpenAi => "chat completions",
        Wire::Responses => "the Responses API",
        Wire::Plain => "a play",
    };
    let as_of = &Catalogue::built_in().as_of;
    let context = match (settings.facts.context_tokens, settings.is_context_set) {
        (Some(tokens), true) => format!("a context of {tokens} tokens, as configured"),
        (Some(tokens), false) => format!("a context of {tokens} tokens"),
        (None, _) => {
            "a context of 200000 tokens unless its server says another or you set one".to_owned()
        }
    };
    let Some(family) = &settings.family else {
        return format!(
            "{model}: the catalogue (as of {as_of}) does not know it, so nothing is asked about thinking unless you configure it; \
             {over}, {context}"
        );
    };
    let profile = settings.profile(wire);
    let effort = match (profile.effort(asked), &profile.thinking) {
        (_, None) => "it is not asked to think".to_owned(),
        (Effort::Off, Some(_)) => "thinking is off".to_owned(),
        (effort, Some(_)) => format!("it thinks at effort {effort}, which counts as output"),
    };
    format!("{model}: {family} in the catalogue (as of {as_of}), {over}, {context}; {effort}")
}

/// Options that the server was found to refuse.
fn learnt(providers: &Providers, model: &ModelRef, wire: Wire) -> Option<Finding> {
    let kept = providers.lessons(&model.provider).into_iter();
    let kept = kept.filter(|kept| kept.model == model.name && kept.wire == wire);
    let said = kept.map(|kept| models::learnt::said(&kept)).next()?;
    Some(Finding::Note(format!(
        "{model}: its server {said} (`teammate models --forget` forgets it)"
    )))
}

/// A model that its vendor ends, or has ended.
fn retiring(model: &ModelRef) -> Option<Finding> {
    let day = Catalogue::built_in()
        .family(&model.name)?
        .retires
        .as_ref()?;
    let ends = match *day < Catalogue::built_in().as_of {
        true => "ended",
        false => "ends",
    };
    Some(Finding::Note(format!(
        "{model}: its vendor {ends} it on {day}; `teammate models` lists others"
    )))
}

/// Settings that this model is not sent.
fn left_out(settings: &ModelSettings, wire: Wire) -> impl Iterator<Item = String> {
    let wanted = &settings.request;
    let samples = wanted.temperature.is_some() || wanted.top_p.is_some();
    let no_sampling = samples && settings.facts.sampling == Some(false);
    let no_stop = !wanted.stop.is_empty() && wire == Wire::Responses;
    let no_beta = !wanted.beta.is_empty() && wire != Wire::Anthropic;
    [
        (
            no_sampling,
            "temperature and top_p are not sent: this family refuses them",
        ),
        (
            no_stop,
            "stop is not sent: the Responses API has no such field",
        ),
        (
            no_beta,
            "beta is not sent: only Anthropic's API has such features",
        ),
    ]
    .into_iter()
    .filter(|(is_so, _)| *is_so)
    .map(|(_, what)| what.to_owned())
}
