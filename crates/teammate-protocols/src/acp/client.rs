//! What stands on our side of an agent: hears its updates, answers its questions, and has its files.

use teammate_core::port::BoxFuture;

use crate::acp::{
    question::{Question, QuestionAnswer},
    update::Update,
};

/// Our side. Everything may come at any time, also after the end of a turn, and of sessions that nobody opened.
pub trait Client: Send + Sync {
    /// Something happened in a session. Not to wait in.
    fn updated(&self, session: &str, update: Update);

    /// It asks whether a tool call may run. Given up when the agent ends.
    fn asked<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, QuestionAnswer>;

    /// It did what the protocol does not have, which was passed over or refused.
    fn noted(&self, oddity: &str);
}
