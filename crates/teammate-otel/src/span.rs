//! A finished span, as data. No wire and no clock: when it began and ended, events say.

use teammate_core::{Timestamp, event::RunId};

use crate::names::attribute;

/// The trace of a run: the run's own id, in its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceId(pub [u8; 16]);

/// A span within its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpanId(pub [u8; 8]);

impl TraceId {
    /// The trace of this run.
    pub fn of(run: RunId) -> Self {
        let digits: String = run.to_string().replace('-', "");
        Self(
            u128::from_str_radix(&digits, 16)
                .unwrap_or(1)
                .max(1)
                .to_be_bytes(),
        )
    }
}

/// Gives ids to spans: the same in the same order, so that a fold is a function of its events.
#[derive(Debug)]
pub(crate) struct SpanIds {
    seed: u64,
    given: u64,
}

impl SpanIds {
    pub(crate) fn of(trace: TraceId) -> Self {
        let [.., a, b, c, d, e, f, g, h] = trace.0;
        let seed = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        Self { seed, given: 0 }
    }

    /// One that this trace does not have yet. Ids of other traces are others, too, as far as chance goes: some programs look at
    /// nothing else.
    pub(crate) fn next(&mut self) -> SpanId {
        self.given += 1;
        // Each step can be undone, so no two numbers come to the same.
        let mut mixed = self.seed ^ self.given.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        match mixed {
            // No span has this id.
            0 => self.next(),
            id => SpanId(id.to_be_bytes()),
        }
    }
}

/// On which side of what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanSide {
    /// Within the program.
    Internal,
    /// It asks another program.
    Client,
    /// Somebody hears it later.
    Producer,
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeValue {
    Text(String),
    /// A whole number.
    Number(u64),
    /// Any number.
    Real(f64),
    Texts(Vec<String>),
}

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for AttributeValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for AttributeValue {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

/// Names with what they hold.
pub type Attributes = Vec<(&'static str, AttributeValue)>;

/// Another span that this one goes back to: mail that was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The span of the mail, in the same trace.
    pub to: SpanId,
    pub mail: String,
}

/// A span that has come to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct TraceSpan {
    pub id: SpanId,
    /// The span that it is a part of. Only a run has none.
    pub parent: Option<SpanId>,
    pub name: String,
    pub kind: SpanSide,
    pub start: Timestamp,
    /// When it ended; never before it began.
    pub end: Timestamp,
    pub attributes: Attributes,
    /// The mail that it goes back to.
    pub links: Vec<Link>,
    /// How many links more there were.
    pub links_dropped: u32,
    /// The kind of error that it ended with.
    pub error: Option<&'static str>,
}

/// A span that has not ended.
#[derive(Debug)]
pub(crate) struct OpenSpan {
    id: SpanId,
    parent: Option<SpanId>,
    name: String,
    kind: SpanSide,
    pub(crate) start: Timestamp,
    attributes: Attributes,
}

impl OpenSpan {
    pub(crate) fn begin(
        id: SpanId,
        parent: Option<SpanId>,
        name: String,
        kind: SpanSide,
        start: Timestamp,
    ) -> Self {
        Self {
            id,
            parent,
            name,
            kind,
            start,
            attributes: Vec::new(),
        }
    }

    pub(crate) fn id(&self) -> SpanId {
        self.id
    }

    pub(crate) fn set(&mut self, name: &'static str, value: impl Into<AttributeValue>) {
        self.attributes.push((name, value.into()));
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<AttributeValue>) -> Self {
        self.set(name, value);
        self
    }

    /// How long it took until then.
    pub(crate) fn seconds(&self, at: Timestamp) -> f64 {
        at.0.saturating_sub(self.start.0) as f64 / 1000.0
    }

    pub(crate) fn end(mut self, at: Timestamp, error: Option<&'static str>) -> TraceSpan {
        if let Some(error) = error {
            self.set(attribute::ERROR_TYPE, error);
        }
        TraceSpan {
            id: self.id,
            parent: self.parent,
            name: self.name,
            kind: self.kind,
            start: self.start,
            // The clock may have gone back.
            end: at.max(self.start),
            attributes: self.attributes,
            links: Vec::new(),
            links_dropped: 0,
            error,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_spans_of_a_trace_have_the_same_id() {
        let mut ids = SpanIds::of(TraceId([7; 16]));
        let all: HashSet<SpanId> = (0..100_000).map(|_| ids.next()).collect();
        assert_eq!(all.len(), 100_000);
        assert!(!all.contains(&SpanId([0; 8])));
    }
}
