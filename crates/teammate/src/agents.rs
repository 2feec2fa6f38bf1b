//! Agents of other makes: which the user has, and how one is tried. They are only ever from the user's configuration; a workspace
//! names none.

mod entries;
mod own_files;
mod scratch;
mod trial;
mod trial_error;

pub use entries::{AgentEntries, AgentOrigin, KnownAgent};
pub use own_files::CopyError;
pub use teammate_acp::{
    AcpAgent, AgentFailure, AgentName, AgentSettings, AgentSettingsError, AgentTable,
    AgentTimeouts, AgentTurn, Asked, Cancelled, Client, CostReport, Ending, Finding, Gated, Hello,
    Loaded, Opening, ProgramClose, Question, QuestionAnswer, Row, Session, Steering, Stop, Update,
    Uses, serve_tool,
};
pub use trial::AgentTrial;
pub use trial_error::TrialError;
