//! The adapters on real servers. Where there is no server, each says that it is skipped.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod alone;
mod chain;
mod cluster;
mod codes;
mod conditions;
mod letters;
mod lost_ack;
mod power;
mod wire;
mod world;
