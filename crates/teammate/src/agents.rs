//! Agents of other makes: which the user has, and how one is tried. They are only ever from the user's configuration; a workspace
//! names none.

mod entries;
mod own_files;
mod trial;

pub use entries::{AgentEntries, AgentOrigin, KnownAgent};
pub use own_files::CopyError;
pub use teammate_acp::{
    Agent, AgentFailure, AgentName, AgentSettings, AgentTable, AgentTimeouts, Asked, Cancelled,
    Client, Closing, Cost, Ending, Finding, Gated, Hello, Loaded, Opening, Question, Row, Session,
    SettingsError, Steering, Stop, Turn, Update, Uses, Verdict, serve_tool,
};
pub use trial::{AgentTrial, TrialError};
