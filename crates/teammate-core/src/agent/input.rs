//! Inputs: what can happen to an agent.

use crate::{
    Message,
    model::{ModelFailure, Reply},
    tool::{CallId, Outcome},
};

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// The loop starts: a new incarnation, or an old one after a restart.
    Begin {
        /// The work that the member was spawned for. Heard once, however often it comes.
        assignment: Option<SpawnPrompt>,
        /// The fate of calls that have no outcome yet.
        unfinished: Unfinished,
    },
    /// There may be mail.
    Rang,
    /// The answer to [`Effect::TakeMail`](super::Effect::TakeMail): what was in the mailbox, possibly nothing.
    Heard(Vec<Message>),
    /// The answer to [`Effect::FindTask`](super::Effect::FindTask): something to do, possibly nothing.
    TaskFound(Option<Message>),
    Answered(Reply),
    /// The model failed for good; trying again was the driver's business.
    ModelFailed(ModelFailure),
    /// The answer to [`Effect::Summarize`](super::Effect::Summarize), and what the harness knows of the member at this
    /// moment. Tool calls in it are ignored.
    Summarized(Reply, String),
    /// The model was not called, because a budget is spent: which one, and how to continue.
    OutOfBudget(String),
    ToolDone(CallId, Outcome),
    /// The answer to [`Effect::AskToEnd`](super::Effect::AskToEnd): nothing if the turn may end, else why it goes on, for the
    /// model.
    MayEnd(Option<String>),
    /// Somebody wants the conversation to be summarized as soon as there is a moment for it.
    Compact {
        focus: Option<String>,
    },
    /// A tool of this round ends the turn: the member waits for this and continues then.
    Pause(String),
    /// The user wants this turn to end.
    Interrupt,
    /// The user interrupted only to leave: a turn that the last interrupt ended is unfinished again, unless another began
    /// since. The loop ends before the model call.
    TakeBack,
    /// End the loop before the next model call: at once if the member is idle.
    Leave(Leave),
    /// End the loop now; the turn may continue later.
    Stop,
}

/// The work that a member was spawned for.
#[derive(Debug, Clone, PartialEq)]
pub struct SpawnPrompt {
    /// The prompt, as mail.
    pub message: Message,
    /// The member's memory of the time before.
    pub memory: Memory,
}

/// The memory of a member that is spawned again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// Its conversation goes on.
    Kept,
    /// Its conversation starts anew with the prompt.
    Reset,
}

/// Why a loop is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leave {
    /// The team pauses. The calls of this answer still run; the turn continues after `resume`.
    Pause,
    /// The member has agreed to shut down. Calls of this answer that have not begun do not run.
    Shutdown,
}

/// The fate of the calls that an earlier process left without an outcome.
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
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Begin { .. } => "begin",
            Self::Rang => "doorbell",
            Self::Heard(_) => "mail",
            Self::TaskFound(_) => "something to do",
            Self::Answered(_) => "an answer of the model",
            Self::ModelFailed(_) => "a failure of the model",
            Self::Summarized(..) => "a summary",
            Self::MayEnd(_) => "word about the end of a turn",
            Self::Compact { .. } => "a wish to compact",
            Self::Pause(_) => "a wish to wait",
            Self::OutOfBudget(_) => "a spent budget",
            Self::ToolDone(..) => "an outcome of a tool",
            Self::Interrupt => "interrupt",
            Self::TakeBack => "an interrupt that is taken back",
            Self::Leave(_) => "a wish to leave",
            Self::Stop => "stop",
        }
    }
}
