//! External agents: which the user has, and how one is tried. They are only ever from the user's configuration; a workspace
//! names none.

mod entries;
mod for_members;
mod own_files;
mod scratch;
mod trial;
mod trial_error;

pub use entries::{AgentEntries, AgentOrigin, KnownAgent};
pub use for_members::MemberAgents;
pub(crate) use for_members::{TeamAgents, remove_homes};
pub use own_files::CopyError;
pub use teammate_core::name::AgentName;
pub use teammate_protocols::acp::{
    AcpAgent, AgentFailure, AgentSettings, AgentSettingsError, AgentTable, AgentTimeouts,
    AgentTurn, Asked, Cancelled, Client, CostReport, Ending, Finding, Gated, Hello, Loaded,
    Opening, ProgramClose, Question, QuestionAnswer, Row, Session, Steering, Stop, Update, Uses,
    bridge, play_agent, serve_tool,
};
pub use trial::AgentTrial;
pub use trial_error::TrialError;
