//! What a service asks the user in the course of a call.

/// A question of a service. A yes can come with words, which are the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserQuestion {
    /// Who asks, as tools are called: `mcp__github`.
    pub by: String,
    /// All that is asked, as the user is shown it.
    pub text: String,
    /// The same in a line.
    pub summary: String,
}

/// How a question of a service ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserAnswer {
    /// Yes, with these words.
    Yes(String),
    /// No.
    No,
    /// Nobody could be asked, or answered in time, or the call ended.
    Unanswered,
}
