//! The adapters on real servers. Where there is no server, each says that it is skipped.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod alone;
mod backup;
mod chain;
mod circle;
mod cluster;
mod codes;
mod conditions;
mod damage;
mod following;
mod forgery;
mod governors;
mod letters;
mod lost_ack;
mod objects;
mod power;
mod presence;
mod removal;
mod snapshot;
mod unasked;
mod versions;
mod walls;
mod wire;
mod world;
