//! Agents started for real: one that conforms, and the ways in which others misbehave. Each costs its own member only, and leaves
//! nothing behind.

#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod bench;
mod measured;
mod members;
mod starts;
mod turns;
