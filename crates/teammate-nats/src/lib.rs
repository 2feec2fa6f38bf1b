//! A team's journal, mail and transcripts on NATS JetStream, for teams that run on several machines.
//!
//! Every adapter here implements one of core's ports, as those in files do; lines look the same on
//! both. [`layout`] says which stream keeps what, [`conditions`] what a server must be before its
//! acknowledgements are worth something. What decides is appended by compare-and-append and read by
//! ordered consumers; nothing of a team is kept in a consumer. Nothing here decides anything about a
//! team.

mod append;
mod archive;
mod bell;
mod chain;
mod code;
pub mod conditions;
pub mod connect;
pub mod doctor;
mod doorbells;
mod engine;
mod events;
pub mod fleet;
mod governors;
mod journal;
pub mod keys;
pub mod layout;
mod life;
mod listen;
mod mail;
pub mod objects;
mod parts;
mod presence;
mod proven;
mod read;
mod store;
pub mod teams;
mod transcript;
mod wire;

pub use store::NatsStore;
