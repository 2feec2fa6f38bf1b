//! Agents of other makes: which the user has, and how one is tried. They are only ever from the user's configuration; a workspace
//! names none.

mod entries;
mod own_files;
mod trial;

pub use entries::{AgentEntries, AgentOrigin, KnownAgent};
pub use own_files::CopyError;
pub use teammate_acp::{
    Agent, AgentName, AgentSettings, AgentTable, Asked, Cancelled, Client, Closing, Cost, Ending,
    Failure, Finding, Gated, Hello, Loaded, Opening, Patience, Question, Row, Session,
    SettingsError, Steering, Stop, Turn, Update, Uses, Verdict,
};
pub use trial::{AgentTrial, TrialError};
