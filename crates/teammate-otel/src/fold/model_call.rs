//! A call of a model that is not over, and tokens, as a span shows them.

use teammate_core::{Timestamp, model::Usage};

use super::FoldParts;
use crate::{
    metrics::{Instrument, Labels},
    names::attribute,
    span::OpenSpan,
};

/// A model that has not answered.
#[derive(Debug)]
pub(super) struct OpenModelCall {
    pub(super) open: OpenSpan,
    pub(super) retries: u64,
    pub(super) labels: Labels,
}

/// The tokens of a turn.
#[derive(Debug, Default)]
pub(super) struct TurnTokens(pub(super) Usage);

impl OpenModelCall {
    /// The answer is there, or none comes.
    pub(super) fn end(
        mut self,
        shared: &mut FoldParts,
        at: Timestamp,
        error: Option<&'static str>,
    ) {
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

impl TurnTokens {
    /// As attributes. What came from a cache or went into one is input, too.
    pub(super) fn show(&self, open: &mut OpenSpan) {
        let usage = &self.0;
        // Nobody counted or estimated them: unknown is not zero.
        if usage.total() == 0 {
            return;
        }
        open.set(attribute::INPUT_TOKENS, usage.all_input());
        open.set(attribute::OUTPUT_TOKENS, usage.output);
        for (name, tokens) in [
            (attribute::CACHE_READ_TOKENS, usage.cache_read),
            (attribute::CACHE_CREATION_TOKENS, usage.cache_write),
            (attribute::REASONING_TOKENS, usage.reasoning),
            (attribute::ESTIMATED_TOKENS, usage.estimated),
        ] {
            if tokens > 0 {
                open.set(name, tokens);
            }
        }
    }
}
