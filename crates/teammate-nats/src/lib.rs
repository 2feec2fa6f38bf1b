//! A team's journal, mail and transcripts on NATS JetStream, for teams that run on several machines.
//!
//! Every adapter here implements one of core's ports, as those in files do; lines look the same on
//! both. [`layout`] says which stream keeps what, [`conditions`] what a server must be before its
//! acknowledgements are worth something. What decides is appended by compare-and-append and read by
//! ordered consumers; nothing of a team is kept in a consumer. Nothing here decides anything about a
//! team.
//!
//! Its page is `docs/machines.md`. `layout` has streams and subjects, `append` is
//! compare-and-append with the server's error codes, `read` reads by consumers, `conditions` and
//! `doctor` say what a server has to prove. `keys` makes keys and permissions, and the seal that
//! tells who wrote a line; `fleet` and `governors` are what workers tell each other, of themselves
//! and of model servers; `presence` says who runs a team. `teammate::nats` makes stores of it that
//! a `TeamPlace` carries, so all verbs find such a team without knowing of servers.
//!
//! - **It knows no rule of a team** but whose word counts for whom (`keys/warrant.rs`), and nothing
//!   is read that decides but by an ordered consumer. What a line's seals prove is found out in
//!   `proven`.
//! - **Where workers write, no stream allows roll-ups, deletes or purges by them**: a roll-up
//!   empties the whole stream. What replaces something is an append.
//! - **A consumer is on some replica**, which may be seconds behind: a reader learns from the
//!   leader how far a subject goes, and tries another consumer.
//! - **Who follows a journal asks for nothing** (`journal/following`): it takes what its live
//!   consumer has delivered (`journal/live`, bounded). That never says where the journal ends and
//!   never stops a team: what does not fit is read as any other. What is in doubt is read, not
//!   followed.

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
