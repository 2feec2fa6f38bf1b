//! Several processes run one team on one store: members are where the journal places them, and go on elsewhere when their worker is
//! lost, paused or drained. Time is paused, so nothing is waited for.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::panic, reason = "a test that cannot go on fails")]

mod alone;
mod clocks;
mod losses;
mod reach;
mod script;
mod spread;
mod stalls;
mod stops;
mod yard;
