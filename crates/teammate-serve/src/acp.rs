//! Editors drive a team, by the Agent Client Protocol: this is its agent.
//!
//! A session is a team of its own, which works in the directory that the editor names. What the user says to the lead comes by
//! `session/prompt`, what happens goes as `session/update`, and what members ask of the user as `session/request_permission`. A
//! prompt is answered when the whole team rests.
//!
//! This process runs the teams. When the editor goes, they are closed in order and can be continued. Settings, typed commands and the
//! terminal are the program's around it ([`EditorProgram`]).
//!
//! `serve` reads what an editor asks, `session` is one session with its team (`open_team`), `turn`
//! a prompt until the team rests, `asking` what members ask of the user, `crate::door` what other doors
//! have, too; `told` makes updates of
//! events, `params` reads what editors send (`docs/editors.md`).
//!
//! - **No request is left without an answer** (`Reply`), and nothing the editor names is started.
//! - **An answer is for once**, and bound to the digest of what was shown.

mod asking;
mod board;
mod mode;
mod open_team;
mod outbox;
mod params;
mod program;
mod refusal;
mod serve;
mod session;
mod session_id;
mod sessions;
mod shown;
mod turn;
mod typed;
mod update;

pub use program::{EditorCommand, EditorProgram};
pub use serve::serve;
