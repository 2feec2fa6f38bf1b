//! What leaves a team as spans and counts, and what collectors can do to it.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test may")]

mod collectors;
mod counts;
mod ends;
mod spans;
mod told;
