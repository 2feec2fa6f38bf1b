//! The machines and the rules of an agent team.
//!
//! Everything here is pure: two state machines ([`team`] and [`agent`]) that never wait, read no clock and touch no
//! disk, and the [`port`]s behind which the world lives. What they are about (names, mail, transcripts, tools, models, events) is
//! in `teammate-words`, whose modules stand here, too. Runtimes, stores, models, tools and screens are other crates; they all
//! point here.
//!
//! A room knows those that stand before it: `permission`; the team's parts as data (`request`, `member`, `board`, `spending`,
//! `budget`); `team`, which folds them and decides; `hook` and `audit`, which say what hooks and administrators read; the traits
//! (`port`); `fold`, which keeps a team and its journal one. `agent` knows the words only.
//!
//! - **No tokio, no I/O, no clock, no randomness, no environment.** The dependency list in its
//!   `Cargo.toml` is guarded.
//! - **`Agent::step` and `TeamState::decide` are functions of their arguments.** Applying an event
//!   cannot fail.
//! - **Core knows no paths of `.team` and no file formats**, but for the types of the journal.
//! - **No two files import each other, directly or through others**, but for a name and the error that quotes it.

pub mod agent;
pub mod audit;
pub mod board;
pub mod budget;
pub mod contained;
pub mod fit;
pub mod fold;
pub mod hook;
pub mod known_keys;
pub mod lock;
pub mod loops;
pub mod member;
pub mod memory;
pub mod next_step;
pub mod permission;
pub mod port;
pub mod request;
pub mod secrets;
pub mod spending;
pub mod team;
pub mod variables;
pub mod written_call;

pub use teammate_words::{
    GroupName, GroupNameError, Incarnation, MemberName, Message, MessageId, MessageKind, NameError,
    Sender, Timestamp, attachment, block, breadth, cause, digest, estimate, event, fence, id, mail,
    message_cause, mode, model, name, price, status, task, tool, transcript, worker,
};
