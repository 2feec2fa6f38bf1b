//! Servers that misbehave, started for real: each costs its own calls only, and leaves nothing behind.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod address;
mod bench;
mod calls;
mod ends;
mod lists;
mod many;
mod no_team;
mod starts;
