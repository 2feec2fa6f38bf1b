//! What a caller wants of a session, once its flags are read.

use teammate::{ResultSchema, TeamPlace, UserMessage};

use crate::claude::session_id::ClaudeSession;

/// A session to be served.
#[derive(Debug)]
pub struct ClaudeOpening {
    /// Its id.
    pub session: ClaudeSession,
    /// Where its team is kept.
    pub place: TeamPlace,
    /// What the caller says.
    pub input: ClaudeInput,
    /// What the caller reads.
    pub output: ClaudeOutput,
    /// Who answers what members ask of the user.
    pub answers: ClaudeAnswers,
    /// What members read first, besides what this program says.
    pub instructions: Vec<String>,
    /// The form of results, if they have one.
    pub schema: Option<ResultSchema>,
    /// Names of servers of tools that the caller serves itself.
    pub caller_servers: Vec<String>,
    /// Names of the other servers of tools that the caller named.
    pub servers: Vec<String>,
    /// Whether the caller knows when the session waits for it, so that it need not guess.
    pub tells_state: bool,
}

/// What a caller says.
#[derive(Debug)]
pub enum ClaudeInput {
    /// One job, and nothing more.
    Job(UserMessage),
    /// Lines of JSON, until it ends them.
    Lines,
}

/// What a caller reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaudeOutput {
    /// The text of the result.
    Text,
    /// The last message, as JSON.
    Json,
    /// Every message, as JSON in a line.
    StreamJson {
        /// With the lead's words as they come.
        with_pieces: bool,
    },
}

/// Who answers what members ask of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaudeAnswers {
    /// Nobody: it is refused.
    Nobody,
    /// The caller, by its callback.
    Caller,
    /// Nobody, because members are to make a plan.
    Plan,
}
