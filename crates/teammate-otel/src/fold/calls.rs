//! A member's calls of its model: how long they took, and what they cost.

use teammate_core::{
    MemberName, Timestamp,
    event::{Event, EventKind, Paid},
    model::Usage,
};

use super::{
    Shared,
    member::{Member, Turn},
    words::{finish_reason, output_messages, provider_and_model},
};
use crate::{
    metrics::{Instrument, Labels},
    names::{attribute, error, operation},
    span::{Kind, Open, Value},
};

/// A model that has not answered.
#[derive(Debug)]
pub(super) struct ModelCall {
    open: Open,
    retries: u64,
    labels: Labels,
}

/// The tokens of a turn.
#[derive(Debug, Default)]
pub(super) struct Spent(Usage);

impl Member {
    /// It asks its model.
    pub(super) fn ask(&mut self, shared: &mut Shared, event: &Event) {
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
    pub(super) fn spend(&self, shared: &mut Shared, usage: &Usage) {
        count_tokens(shared, &labels_of(&self.model), usage);
    }

    /// Its model answered.
    pub(super) fn answered(&mut self, shared: &mut Shared, event: &Event) {
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
        if let Some((amount, currency)) = &cost {
            let mut labels = labels_of(model);
            labels.push((attribute::AGENT_NAME, event.member.to_string()));
            labels.push((attribute::CURRENCY, (*currency).to_owned()));
            shared.metrics.record(Instrument::Cost, labels, *amount);
        }
        let Some(mut call) = turn.call.take() else {
            return;
        };
        let open = &mut call.open;
        open.set(attribute::RESPONSE_MODEL, provider_and_model(model).1);
        let reasons = Value::Texts(vec![finish_reason(stop)]);
        open.set(attribute::FINISH_REASONS, reasons);
        Spent(*usage).show(open);
        if let Some((amount, currency)) = cost {
            open.set(attribute::COST, Value::Real(amount));
            open.set(attribute::CURRENCY, currency);
        }
        if let Some(text) = shared.said(|| output_messages(text, stop)) {
            open.set(attribute::OUTPUT_MESSAGES, text);
        }
        call.end(shared, event.at, None);
    }
}

impl Turn {
    fn ask(
        &mut self,
        shared: &mut Shared,
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
            Kind::Client,
            at,
        );
        let open = shared
            .of_member(open, member, operation::CHAT)
            .with(attribute::PROVIDER, provider)
            .with(attribute::REQUEST_MODEL, name)
            .with(attribute::ROUND, u64::from(round));
        self.call = Some(ModelCall {
            open,
            retries: 0,
            labels: labels_of(model),
        });
    }
}

impl ModelCall {
    /// The answer is there, or none comes.
    pub(super) fn end(mut self, shared: &mut Shared, at: Timestamp, error: Option<&'static str>) {
        if self.retries > 0 {
            self.open.set(attribute::RETRIES, self.retries);
        }
        let mut labels = self.labels;
        labels.extend(error.map(|error| (attribute::ERROR_TYPE, error.to_owned())));
        let took = self.open.seconds(at);
        shared
            .metrics
            .record(Instrument::CallDuration, labels, took);
        shared.end(self.open, at, error);
    }
}

impl Spent {
    /// As attributes. What came from a cache or went into one is input, too.
    pub(super) fn show(&self, open: &mut Open) {
        let usage = &self.0;
        open.set(attribute::INPUT_TOKENS, input_of(usage));
        open.set(attribute::OUTPUT_TOKENS, usage.output);
        for (name, tokens) in [
            (attribute::CACHE_READ_TOKENS, usage.cache_read),
            (attribute::CACHE_CREATION_TOKENS, usage.cache_write),
            (attribute::REASONING_TOKENS, usage.reasoning),
        ] {
            if tokens > 0 {
                open.set(name, tokens);
            }
        }
    }
}

fn input_of(usage: &Usage) -> u64 {
    usage
        .input
        .saturating_add(usage.cache_read)
        .saturating_add(usage.cache_write)
}

/// What a model's series are of.
fn labels_of(model: &str) -> Labels {
    let (provider, name) = provider_and_model(model);
    vec![
        (attribute::OPERATION, operation::CHAT.to_owned()),
        (attribute::PROVIDER, provider.to_owned()),
        (attribute::REQUEST_MODEL, name.to_owned()),
    ]
}

fn count_tokens(shared: &mut Shared, labels: &Labels, usage: &Usage) {
    for (what, tokens) in [("input", input_of(usage)), ("output", usage.output)] {
        if tokens > 0 {
            let mut labels = labels.clone();
            labels.push((attribute::TOKEN_TYPE, what.to_owned()));
            shared
                .metrics
                .record(Instrument::TokenUsage, labels, tokens as f64);
        }
    }
}

/// As a number. Its digits are exact in events; numbers of metrics are not.
fn cost(paid: &Paid) -> Option<(f64, &str)> {
    let amount = paid.amount.exact().parse().ok()?;
    Some((amount, &paid.currency))
}
