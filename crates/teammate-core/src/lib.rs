//! The words and the rules of an agent team.
//!
//! Everything here is pure: two state machines ([`team`] and [`agent`]) that never wait, read no clock and touch no
//! disk, the types they use (names, mail, transcripts, tools, models, permission), and the [`port`]s behind which
//! the world lives. Runtimes, stores, models, tools and screens are other crates; they all point here.
//!
//! The words (`name`, `mail`, `block`, `tool`, `model`, `permission`, `transcript`, `event`), the
//! arithmetic of spending (`price`, `budget`), the machines (`agent` and `team`, with `board` and
//! `request`), what hooks read and what their answers come to (`hook`), how the team and its
//! journal stay one (`fold`), and the traits (`port`).
//!
//! - **No tokio, no I/O, no clock, no randomness, no environment.** The dependency list in its
//!   `Cargo.toml` is guarded.
//! - **`Agent::step` and `TeamState::decide` are functions of their arguments.** Applying an event
//!   cannot fail.
//! - **A `MemberName` can only be made by parsing**, so one that exists is safe in a path. A
//!   `Reply` only exists if the answer's last event was seen.
//! - **Core knows no paths of `.team` and no file formats**, but for the types of the journal and
//!   the event stream.

pub mod agent;
pub mod audit;
pub mod board;
pub mod budget;
pub mod contained;
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

pub use teammate_words::{
    GroupName, GroupNameError, Incarnation, MemberName, Message, MessageId, MessageKind, NameError,
    Sender, Timestamp, attachment, block, breadth, cause, digest, estimate, event, fence, id, mail,
    message_cause, mode, model, name, price, status, task, tool, transcript, worker,
};
