//! Several processes run one team on one store: members are where the journal places them, and go on elsewhere when their worker is
//! lost, paused or drained. Time is paused, so nothing is waited for.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::panic, reason = "a test that cannot go on fails")]

mod alone;
mod budgets;
mod clocks;
mod decides;
mod desk;
mod last_turns;
mod left_open;
mod losses;
mod orders;
mod placing;
mod rates;
mod reach;
mod rules;
mod script;
mod spread;
mod stalls;
mod stops;
mod yard;
