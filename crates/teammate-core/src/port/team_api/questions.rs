//! Questions of a service to the user in the course of a call, or beside the calls that follow.

use std::{fmt, path::PathBuf};

use super::Caller;
use crate::port::BoxFuture;

/// A question of a service. A yes can come with words, which are the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserQuestion {
    /// The asker, as tools are called: `mcp__github`.
    pub by: String,
    /// All that is asked, as the user is shown it.
    pub text: String,
    /// The question in a line.
    pub summary: String,
}

/// How a question of a service ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserAnswer {
    /// Yes, with these words.
    Yes(String),
    /// No, with the reason if one was given.
    No(String),
    /// Nobody could be asked, or answered in time, or the call ended.
    Unanswered,
}

/// A question that no call waits for. It stays open when the program ends, and is asked again at the next opening.
pub struct LaterQuestion {
    pub ask: UserQuestion,
    /// Does what follows from the answer. What it returns, the caller reads as mail.
    pub settle: SettleAnswer,
}

/// Does what follows from the answer to a question; returns what is said about it to the member for whom it was asked.
pub type SettleAnswer =
    Box<dyn FnOnce(UserAnswer) -> BoxFuture<'static, Option<String>> + Send + 'static>;

impl fmt::Debug for LaterQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LaterQuestion").field(&self.ask).finish()
    }
}

/// A question that was open when an earlier program ended.
#[derive(Debug)]
pub struct OpenQuestion {
    /// For whom it is asked, and by which call: the same as then.
    pub caller: Caller,
    /// Where that call worked.
    pub place: PathBuf,
    /// The question. The same call asks the same once, so an answer that came meanwhile counts.
    pub question: LaterQuestion,
}

/// A port that keeps questions across openings of the team.
pub trait OpenQuestions: Send + Sync {
    /// Those that earlier programs have asked, or would have, and nobody has answered.
    fn left_open(&self) -> BoxFuture<'_, Vec<OpenQuestion>>;
}
