//! Agents of other makes, by the Agent Client Protocol: programs with a model and tools of their own.
//!
//! An agent is described by [`AgentSettings`] and started within the walls ([`AcpAgent`]). What it says is a stranger's text, bounded
//! and counted; what it asks is answered by a [`Client`]. Its own questions and modes are a courtesy: the walls hold it, not its
//! answers. [`measure()`] finds out what an agent can do, for nothing is believed that was not seen.
//!
//! It is not for deciding what an agent may do, nor where entries come from.

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
