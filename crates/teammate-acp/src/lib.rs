//! Agents of other makes, by the Agent Client Protocol: programs with a model and tools of their own.
//!
//! An agent is described by [`AgentSettings`] and started within the walls ([`Agent`]). What it says is a stranger's text, bounded
//! and counted; what it asks is answered by a [`Client`]. Its own questions and modes are a courtesy: the walls hold it, not its
//! answers. [`measure()`] finds out what an agent can do, for nothing is believed that was not seen.
//!
//! It is not for deciding what an agent may do, nor where entries come from.

mod agent;
mod client;
mod connection;
mod failure;
mod files;
mod hello;
mod measure;
mod message;
mod name;
mod pending;
mod question;
mod session;
mod settings;
mod timeouts;
mod told;
mod tool_server;
mod update;

pub use agent::{Agent, Opening, ToolServer};
pub use client::Client;
pub use failure::AgentFailure;
pub use hello::{AuthMethod, Hello};
pub use measure::{
    Asked, Cancelled, Cost, Ending, Finding, Gated, Loaded, Row, Start, Steering, Trial, Uses,
    measure,
};
pub use name::{AgentName, AgentNameError};
pub use question::{Question, Verdict};
pub use session::{Modes, Session, Stop, Turn};
pub use settings::{AgentSettings, AgentTable, Login, SettingsError};
pub use teammate_program::Closing;
pub use timeouts::AgentTimeouts;
pub use told::Told;
pub use tool_server::serve_tool;
pub use update::{ToolPart, Update};
