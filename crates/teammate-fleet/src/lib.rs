//! The rules of several machines that run one team, as pure state machines: what a worker does about what it hears,
//! how the steward moves members, how one takes a member over, and when all rest.
//!
//! Input goes in, effects come out. Nothing here waits, reads a clock or touches a network: time comes as seconds that have
//! passed, an append's end as an [`AppendOutcome`]. The runtime runs these machines, and the exhaustive check in `model`
//! runs the same.
//!
//! `worker` is what one does about what it hears and reads (`worker/wants` what it wants of the
//! journal, as the steward too), `tenure` holds one member under one term, `append` is an append
//! under compare, `pulse` counts silence, `rest` looks twice. `runtime/src/workers` runs it, and
//! its check, `model`.
//!
//! - **Pure, like core**: seconds that passed and outcomes of appends are inputs.
//! - **The check runs these very machines**, never a second copy of their rules.

mod append;
mod effect;
mod input;
#[cfg(test)]
mod model;
mod pulse;
mod rest;
mod rules;
mod tenure;
mod worker;

pub use append::{Append, AppendId, AppendOutcome, Appender};
pub use effect::WorkerEffect;
pub use input::{JournalLine, TranscriptLine, WorkerInput};
pub use pulse::{ALONE_AFTER, COMMANDS_END_AFTER, MISSED_MAX, PingAnswer};
pub use rest::{DoubleLook, Look, RestVerdict, Resting};
pub use teammate_core::team::Beat;
pub use tenure::{TenureLine, TenureState};
pub use worker::{Phase, Worker};
