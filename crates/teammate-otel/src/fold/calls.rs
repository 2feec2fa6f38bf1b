//! A member's calls of its model: how long they took, and what they cost.

use teammate_core::{
    MemberName, Timestamp,
    event::{Event, EventKind, Paid},
    model::Usage,
};

use super::{
    FoldParts,
    member::{MemberTrace, OpenTurn},
    model_call::{OpenModelCall, TurnTokens},
    words::{finish_reason, output_messages, provider_and_model},
};
use crate::{
    metrics::{Instrument, Labels},
    names::{attribute, error, operation},
    span::{AttributeValue, SpanSide},
};

impl MemberTrace {
    /// It asks its model.
    pub(super) fn ask(&mut self, shared: &mut FoldParts, event: &Event) {
        let EventKind::ModelAsked { round, model, .. } = &event.what else {
            return;
        };
        self.model.clone_from(model);
        let turn = self.turn(shared, event);
        turn.ask(shared, &event.member, event.at, *round, model);
    }

    /// Its question is asked once more.
    pub(super) fn retry(&mut self) {
        let turn = self.turn.as_mut();
        if let Some(call) = turn.and_then(|turn| turn.call.as_mut()) {
            call.retries += 1;
        }
    }

    /// Tokens outside of its turn's own calls: of a summary, or of a subagent. Which model that asked is in no event.
    pub(super) fn spend(&self, shared: &mut FoldParts, usage: &Usage) {
        count_tokens(shared, &labels_of(&self.model), usage);
    }

    /// Its model answered.
    pub(super) fn answered(&mut self, shared: &mut FoldParts, event: &Event) {
        let EventKind::ModelAnswered {
            text,
            stop,
            usage,
            model,
            money,
            ..
        } = &event.what
        else {
            return;
        };
        let asked = self.model.clone();
        let turn = self.turn(shared, event);
        turn.spent.0 += *usage;
        let model = model.as_ref().unwrap_or(&asked);
        count_tokens(shared, &labels_of(model), usage);
        let cost = money.as_ref().and_then(cost);
        let is_estimated = money.as_ref().is_some_and(|paid| paid.estimated);
        if let Some((amount, currency)) = &cost {
            let mut labels = labels_of(model);
            labels.push((attribute::AGENT_NAME, event.member.to_string()));
            labels.push((attribute::CURRENCY, (*currency).to_owned()));
            labels.extend(estimated(is_estimated));
            shared.metrics.record(Instrument::Cost, labels, *amount);
        }
        let Some(mut call) = turn.call.take() else {
            return;
        };
        let open = &mut call.open;
        open.set(attribute::RESPONSE_MODEL, provider_and_model(model).1);
        let reasons = AttributeValue::Texts(vec![finish_reason(stop)]);
        open.set(attribute::FINISH_REASONS, reasons);
        TurnTokens(*usage).show(open);
        if let Some((amount, currency)) = cost {
            open.set(attribute::COST, AttributeValue::Real(amount));
            open.set(attribute::CURRENCY, currency);
            if is_estimated {
                open.set(attribute::ESTIMATED, "true");
            }
        }
        if let Some(text) = shared.said(|| output_messages(text, stop)) {
            open.set(attribute::OUTPUT_MESSAGES, text);
        }
        call.end(shared, event.at, None);
    }
}

impl OpenTurn {
    fn ask(
        &mut self,
        shared: &mut FoldParts,
        member: &MemberName,
        at: Timestamp,
        round: u32,
        model: &str,
    ) {
        if let Some(earlier) = self.call.take() {
            earlier.end(shared, at, Some(error::INTERRUPTED));
        }
        let (provider, name) = provider_and_model(model);
        let turn = self.open.id();
        let open = shared.begin(
            turn,
            format!("{} {name}", operation::CHAT),
            SpanSide::Client,
            at,
        );
        let open = shared
            .of_member(open, member, operation::CHAT)
            .with(attribute::PROVIDER, provider)
            .with(attribute::REQUEST_MODEL, name)
            .with(attribute::ROUND, u64::from(round));
        self.call = Some(OpenModelCall {
            open,
            retries: 0,
            labels: labels_of(model),
        });
    }
}

/// The labels of a model's series.
fn labels_of(model: &str) -> Labels {
    let (provider, name) = provider_and_model(model);
    vec![
        (attribute::OPERATION, operation::CHAT.to_owned()),
        (attribute::PROVIDER, provider.to_owned()),
        (attribute::REQUEST_MODEL, name.to_owned()),
    ]
}

fn count_tokens(shared: &mut FoldParts, labels: &Labels, usage: &Usage) {
    for (what, tokens) in [("input", usage.all_input()), ("output", usage.output)] {
        if tokens > 0 {
            let mut labels = labels.clone();
            labels.push((attribute::TOKEN_TYPE, what.to_owned()));
            labels.extend(estimated(usage.estimated > 0));
            shared
                .metrics
                .record(Instrument::TokenUsage, labels, tokens as f64);
        }
    }
}

/// The label of estimates, which are a series of their own.
fn estimated(is_estimated: bool) -> Option<(&'static str, String)> {
    is_estimated.then(|| (attribute::ESTIMATED, "true".to_owned()))
}

/// As a number. Its digits are exact in events; numbers of metrics are not.
fn cost(paid: &Paid) -> Option<(f64, &str)> {
    let amount = paid.amount.exact().parse().ok()?;
    Some((amount, &paid.currency))
}
