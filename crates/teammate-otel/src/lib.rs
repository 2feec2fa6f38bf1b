//! Traces and metrics of a team, by OpenTelemetry's conventions for generative AI: its events in, spans and counts out, sent over
//! OTLP. It knows no runtime and no files, and decides nothing about a team.
//!
//! [`SpanFold`] is the pure part: what it makes follows from the events alone. [`Telemetry`] sends that, and a team never waits for
//! it.
//!
//! Its page is `docs/telemetry.md`. `fold` makes finished spans and counts of events, `wire` makes
//! messages of those, `export` sends them from a queue with a bound (`send` is one message and its
//! answer), `names` has every name with its source.
//!
//! - **No team waits for a collector**, and no collector is believed.
//! - **What was said is left out unless the user wants it**, here and nowhere else.

mod export;
mod fold;
mod messages;
mod metrics;
pub mod names;
mod send;
mod settings;
mod span;
mod wire;

pub use export::{FLUSH_MAX, Telemetry, Warn};
pub use fold::{About, Contents, SpanFold};
pub use metrics::{Instrument, Labels, Metrics, Series};
pub use settings::{
    DEFAULT_ENDPOINT, DEFAULT_SERVICE, HEADERS_VARIABLE, OtelSettingsError, Settings,
};
pub use span::{AttributeValue, Attributes, Link, SpanId, SpanSide, TraceId, TraceSpan};
