//! The rules of several machines that run one team, as pure state machines: what a worker does about what it hears,
//! how the steward moves members, how one takes a member over, and when all rest.
//!
//! Input goes in, effects come out. Nothing here waits, reads a clock or touches a network: time comes as seconds that have
//! passed, an append's end as an [`Outcome`]. The runtime runs these machines, and the exhaustive check in `model`
//! runs the very same.

mod append;
mod effect;
mod input;
#[cfg(test)]
mod model;
mod pulse;
mod rest;
mod rules;
mod seat;
mod worker;

pub use append::{Append, AppendId, Appender, Outcome};
pub use effect::{Effect, Stop};
pub use input::{Input, JournalLine, TranscriptLine};
pub use pulse::{ALONE_AFTER, Beat, COMMANDS_END_AFTER, MISSED_MAX};
pub use rest::{DoubleLook, Look, Resting, Verdict};
pub use seat::{Line, SeatState};
pub use worker::{Phase, Worker};
