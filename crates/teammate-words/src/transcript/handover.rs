//! How far an external agent was handed what its member heard: which part of what was heard it was, and whether it is certain
//! that the agent has it.

use super::{EndReason, Entry, Handover};

/// The text that was handed over, as blocks of what was heard since the last answer.
#[derive(Debug, Default)]
pub(super) struct HandoverState {
    pub(super) last: Option<OpenHandover>,
    /// Where what the last one held begins, and where it ends.
    pub(super) from: usize,
    pub(super) to: usize,
    /// Nothing shows that the agent has it.
    pub(super) is_open: bool,
}

/// A prompt that was handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenHandover {
    /// The agent's conversation.
    pub session: String,
    /// The entry that says so, which numbers it.
    pub at: u64,
}

impl HandoverState {
    /// Takes entry number `at`; `heard` is of how many blocks what was heard since the last answer is.
    pub(super) fn follow(&mut self, entry: &Entry, at: u64, heard: usize) {
        match entry {
            Entry::HandedOver(Handover { session, again }) => {
                if !again {
                    self.from = self.to;
                }
                self.to = heard;
                self.is_open = true;
                self.last = Some(OpenHandover {
                    session: session.clone(),
                    at,
                });
            }
            Entry::Answered(reply) => {
                self.is_open = false;
                if !reply.blocks.is_empty() {
                    (self.from, self.to) = (0, 0);
                }
            }
            // An agent that failed may not have had it.
            Entry::TurnEnded(EndReason::Failed { .. }) => {}
            Entry::TurnEnded(
                EndReason::Done
                | EndReason::Interrupted
                | EndReason::Limit { .. }
                | EndReason::Waiting { .. },
            ) => self.is_open = false,
            Entry::MemoryReset => *self = HandoverState::default(),
            Entry::Compacted(_) => (self.from, self.to) = (0, 0),
            Entry::Taken { .. }
            | Entry::Conversation(_)
            | Entry::Heard(_)
            | Entry::ToolOutcomes(_)
            | Entry::Prompted(_)
            | Entry::Shortened { .. }
            | Entry::SummaryFailed { .. } => {}
        }
    }
}
