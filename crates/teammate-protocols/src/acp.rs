//! External agents, by the Agent Client Protocol: programs with a model and tools of their own.
//!
//! An agent is described by [`AgentSettings`] and started within the walls ([`AcpAgent`]). What it says is a stranger's text, bounded
//! and counted; what it asks is answered by a [`Client`]. Its own questions and modes are a courtesy: the walls hold it, not its
//! answers. [`measure()`] finds out what an agent can do, for nothing is believed that was not seen.
//!
//! It is not for deciding what an agent may do, nor where entries come from.
//!
//! `settings` is an entry, `agent` one that runs, `connection` what is asked of it within a
//! deadline and what it asks of us, `session` a conversation; `update` and `question` are what it
//! tells and asks. `member` has one answer a member, with the team's tools on a socket; `measure`
//! finds out what one can do, a file for each finding; `play_agent` is one without a model, for
//! tests and demonstrations (`docs/agents.md`).
//!
//! - **It starts nothing itself, and opens no file**: both are ports (`ProgramStarter`,
//!   `WorkspaceFiles`).
//! - **"Always" is never chosen**, and no answer of an agent holds it: the walls do.

mod agent;
mod connection;
mod failure;
mod files;
mod hello;
mod measure;
mod member;
pub mod play_agent;
mod question;
mod session;
mod settings;
mod timeouts;
mod tool_server;
mod trial_client;
mod update;

pub use crate::program::ProgramClose;
pub use agent::{AcpAgent, Opening, SessionServer};
pub use connection::Client;
pub use failure::AgentFailure;
pub use hello::{AuthMethod, Hello};
pub use measure::{
    Asked, Cancelled, CostReport, Ending, Finding, Gated, Loaded, Row, Start, Steering, Trial,
    Uses, measure,
};
pub use member::{MemberOpening, NativeTools, bridge, open_for_member};
pub use question::{Question, QuestionAnswer};
pub use session::{AgentTurn, Session, SessionModes, Stop};
pub use settings::{AgentSettings, AgentSettingsError, AgentTable, Login};
pub use timeouts::AgentTimeouts;
pub use tool_server::serve_tool;
pub use trial_client::TrialClient;
pub use update::{ToolPart, Update};
