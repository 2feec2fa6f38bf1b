//! Programs that were written for `claude -p` or for its agent SDKs have a team work instead: this reads what they write to that
//! program, and writes what they read from it.
//!
//! Lines of JSON in both directions. What the caller (the program that started this) says is a `user` message or a `control_request`;
//! what it reads are `system`, `assistant`, `user`, `stream_event` and `result` messages, and questions as `control_request`. Whose
//! flags mean what is the program's around this ([`ClaudeProgram`]), which makes a [`ClaudeOpening`] of them.
//!
//! `serve` reads what a caller writes (`line`), `outbox` is the way to it; `session` is one session
//! with its team (`running`), opened by what its caller wants of it (`wishes`);
//! `messages` makes messages of a transcript and of events, `result` of a job's end; `asking` is what
//! members ask of the user, `caller_tools`, `caller_hooks` and `caller_agents` what the caller brings itself
//! (`docs/as-claude.md`).
//!
//! - **Its words come from its documented types**, and pass through the same team as everywhere: nothing here decides.
//! - **What a caller changes in a call is never passed over**: such a call does not run.
//! - **No request is left without an answer**, and one that is not known is refused in words.

mod asking;
mod caller_agents;
mod caller_hooks;
mod caller_tools;
mod line;
mod messages;
mod opening;
mod outbox;
mod program;
mod result;
mod running;
mod serve;
mod session;
mod session_id;
mod wishes;

pub use opening::{ClaudeAnswers, ClaudeInput, ClaudeOpening, ClaudeOutput};
pub use program::ClaudeProgram;
pub use result::refused_opening;
pub use serve::serve_claude;
pub use session_id::ClaudeSession;
