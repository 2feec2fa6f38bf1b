//! Effects: what an agent wants done. The driver does it in order; an effect is over before the next begins, except for the
//! model and the tools, which come back as inputs.

use crate::{
    tool::ToolCall,
    transcript::{EndReason, Entry},
};

/// Something to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Append to the transcript, durably. Nothing that follows may happen if this fails.
    Record(Entry),
    /// Claim the mail and feed it back.
    TakeMail,
    /// Nothing is left to do: look for something and feed it back.
    FindTask,
    /// Forget the claimed mail: it is in the transcript.
    AckMail,
    /// Ask the model with the conversation as it is.
    CallModel {
        /// The number of this call in its turn, from 1.
        round: u32,
    },
    /// Ask the model to sum the conversation up; comes back as [`Input::Summarized`](super::Input::Summarized) or as a
    /// failure of the model.
    Summarize {
        focus: Option<String>,
        /// The most bytes of the conversation that are sent; otherwise all of it, as it is.
        bytes_max: Option<usize>,
        /// Whether the turn continues after it.
        in_turn: bool,
        /// Whether it is made for want of room; else somebody wants it.
        is_needed: bool,
    },
    /// Drop the request.
    CancelModel,
    /// Run these side by side.
    RunTools(Vec<ToolCall>),
    /// Stop the running tools.
    CancelTools,
    /// Find out whether the turn may end with this answer; comes back as [`Input::MayEnd`](super::Input::MayEnd).
    AskToEnd {
        /// The answer's text.
        result: String,
        /// How often the turn was held back before.
        held_back: u32,
    },
    /// Forget that question.
    CancelAskToEnd,
    /// The turn has ended: record it.
    EndTurn(TurnEnd),
    /// Worth a line in the log.
    Note(String),
    /// The loop is over.
    Exit,
}

/// How a turn ended. `turn` numbers it for ever: the transcript entry that ended it.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnEnd {
    /// The model answered without a tool call.
    Done {
        turn: u64,
        /// The answer's text.
        result: String,
    },
    /// By something else.
    Ended { turn: u64, why: EndReason },
    /// By a budget. The turn is unfinished: nothing is recorded, so it continues when the member gets mail, or when
    /// the team is opened again, if there is more to spend then.
    OutOfBudget {
        turn: u64,
        /// Which budget, and how to continue.
        what: String,
    },
}
