//! What can happen to an agent.

use crate::{
    Message,
    model::{ModelFailure, Reply},
    tool::{CallId, Outcome},
};

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The loop starts: a new life, or an old one after a restart.
    Begin {
        /// What the member was spawned to do, and whether its memory starts anew. Heard once, however often it comes.
        assignment: Option<(Message, bool)>,
        /// What becomes of calls that have no outcome yet.
        unfinished: Unfinished,
    },
    /// There may be mail.
    Rang,
    /// The answer to [`Effect::Listen`](super::Effect::Listen): what was in the mailbox, possibly nothing.
    Heard(Vec<Message>),
    /// The answer to [`Effect::Seek`](super::Effect::Seek): something to do, possibly nothing.
    Found(Option<Message>),
    /// The model answered.
    Answered(Reply),
    /// The model failed for good; trying again was the driver's business.
    ModelFailed(ModelFailure),
    /// The answer to [`Effect::Summarize`](super::Effect::Summarize), and what the harness knows of the member at this
    /// moment. Calls in it are nobody's.
    Summarized(Reply, String),
    /// The model was not asked: a budget is spent. Says which and what it takes to go on.
    Limited(String),
    /// A tool call ended.
    ToolDone(CallId, Outcome),
    /// Somebody wants the conversation to be summed up as soon as there is a moment for it.
    Compact {
        /// What the summary shall look at most.
        focus: Option<String>,
    },
    /// A tool of this round ends the turn: the member waits for this, and its work goes on then.
    Pause(String),
    /// The person wants this turn to end.
    Interrupt,
    /// The person interrupted only to leave: a turn that the last interrupt ended is unfinished again, unless another began
    /// since. The loop ends before the model is asked.
    TakeBack,
    /// The loop shall end before the model is asked again: at once if the member is idle.
    Leave(Leave),
    /// The loop shall end now; the turn may go on another day.
    Stop,
}

/// Why a loop is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leave {
    /// The team pauses. The calls of this answer still run, and the turn goes on another day.
    Pause,
    /// The member has agreed to shut down. Calls of this answer that have not begun do not run.
    Shutdown,
}

/// What becomes of the calls that an earlier process left without an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfinished {
    /// Calls that can be repeated without harm run again, and so do these, of which nothing has happened yet.
    TakeUp {
        /// Calls that only waited for permission.
        untouched: Vec<CallId>,
    },
    /// None of them runs: the transcript cannot prove that they are still to be done.
    Lapse,
    /// None of them runs: the member has agreed to shut down.
    Decline,
}

impl Input {
    /// For notes.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Begin { .. } => "begin",
            Self::Rang => "doorbell",
            Self::Heard(_) => "mail",
            Self::Found(_) => "something to do",
            Self::Answered(_) => "an answer of the model",
            Self::ModelFailed(_) => "a failure of the model",
            Self::Summarized(..) => "a summary",
            Self::Compact { .. } => "a wish to compact",
            Self::Pause(_) => "a wish to wait",
            Self::Limited(_) => "a spent budget",
            Self::ToolDone(..) => "an outcome of a tool",
            Self::Interrupt => "interrupt",
            Self::TakeBack => "an interrupt that is taken back",
            Self::Leave(_) => "a wish to leave",
            Self::Stop => "stop",
        }
    }
}
