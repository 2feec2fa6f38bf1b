//! The words of an agent team: what it is made of, as data that journals, transcripts, events and models' wires have in common.
//!
//! Names and ids (`name`, `id`, `cause`, `digest`), what is said (`mail`, `block`, `attachment`, `transcript`), tools and models
//! as they are described and answer (`tool`, `model`), what an answer costs (`price`), how something is in one word (`status`,
//! `mode`, `breadth`), what happens to a task (`task`), and the event stream (`event`).
//!
//! Nothing here knows a team, decides or waits: who may do what is in `teammate-core`, which exports all of this under the same
//! names.
//!
//! - **No tokio, no I/O, no clock, no randomness, no environment.** The dependency list in its `Cargo.toml` is guarded.
//! - **A `MemberName` can only be made by parsing**, so one that exists is safe in a path. A `Reply` only exists if the answer's
//!   last event was seen.
//! - **What is written down is read for years**: fields are added, never renamed or removed.

pub mod attachment;
pub mod block;
pub mod breadth;
pub mod cause;
pub mod digest;
pub mod estimate;
pub mod event;
pub mod fence;
pub mod id;
pub mod mail;
pub mod message_cause;
pub mod mode;
pub mod model;
pub mod name;
mod parsed_text;
pub mod price;
pub mod status;
pub mod task;
mod time;
pub mod tool;
pub mod transcript;
pub mod worker;

pub use mail::{Message, MessageId, MessageKind, Sender};
pub use name::{GroupName, GroupNameError, Incarnation, MemberName, NameError};
pub use time::Timestamp;
