//! How far an agent of another make was handed what its member heard: which part of the conversation it was, and whether it is
//! certain that the agent has it.

use super::{Conversation, EndReason, Entry, Handover};
use crate::{
    block::{Block, BlockView},
    model::Role,
};

/// What is said in the place of a picture or a document.
const NO_TEXT: &str = "[A picture or document, which agents of other makes are not sent.]";

/// What was handed over, as blocks of what was heard since the last answer.
#[derive(Debug, Default)]
pub(super) struct HandoverState {
    last: Option<OpenHandover>,
    /// Where what the last one held begins, and where it ends.
    from: usize,
    to: usize,
    /// Nothing shows that the agent has it.
    is_open: bool,
}

/// A prompt that was handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenHandover {
    /// The agent's conversation.
    pub session: String,
    /// The entry that says so, which numbers it.
    pub at: u64,
}

impl Conversation {
    /// Takes the next entry, before the rest of the conversation does.
    pub(super) fn follow_handover(&mut self, entry: &Entry) {
        let (length, heard) = (self.length(), self.heard_blocks().len());
        let state = &mut self.handover;
        match entry {
            Entry::HandedOver(Handover { session, again }) => {
                if !again {
                    state.from = state.to;
                }
                state.to = heard;
                state.is_open = true;
                state.last = Some(OpenHandover {
                    session: session.clone(),
                    at: length,
                });
            }
            Entry::Answered(reply) => {
                state.is_open = false;
                if !reply.blocks.is_empty() {
                    (state.from, state.to) = (0, 0);
                }
            }
            // An agent that failed may not have had it.
            Entry::TurnEnded(EndReason::Failed { .. }) => {}
            Entry::TurnEnded(
                EndReason::Done
                | EndReason::Interrupted
                | EndReason::Limit { .. }
                | EndReason::Waiting { .. },
            ) => state.is_open = false,
            Entry::MemoryReset => *state = HandoverState::default(),
            Entry::Compacted(_) => (state.from, state.to) = (0, 0),
            Entry::Conversation(_)
            | Entry::Heard(_)
            | Entry::ToolOutcomes(_)
            | Entry::Prompted(_)
            | Entry::Shortened { .. }
            | Entry::SummaryFailed { .. } => {}
        }
    }

    /// The agent's conversation of the last handover.
    pub fn agent_session(&self) -> Option<&str> {
        self.handover.last.as_ref().map(|last| &*last.session)
    }

    /// The last handover, if nothing shows that the agent has it.
    pub fn open_handover(&self) -> Option<&OpenHandover> {
        self.handover
            .last
            .as_ref()
            .filter(|_| self.handover.is_open)
    }

    /// What the last handover holds.
    pub fn handed_over(&self) -> String {
        let blocks = self.heard_blocks();
        let (from, to) = (self.handover.from, self.handover.to);
        text_of(blocks.get(from..to).unwrap_or_default())
    }

    /// Whether something was heard that was not handed over.
    pub fn has_more_to_hand_over(&self) -> bool {
        self.heard_blocks().len() > self.handover.to
    }

    /// The conversation before what was heard last, as text: its end, if it is longer than so many bytes.
    pub fn past_as_text(&self, bytes_max: usize) -> String {
        let mut parts = Vec::new();
        let mut left = bytes_max;
        let past = self.messages().iter().rev();
        for message in past.skip_while(|message| message.role == Role::User) {
            let who = match message.role {
                Role::User => "You heard",
                Role::Assistant => "You answered",
            };
            let text = format!("{who}:\n{}", text_of(&message.blocks));
            let from = text.ceil_char_boundary(text.len().saturating_sub(left));
            left = left.saturating_sub(text.len());
            parts.push(text[from..].to_owned());
            if left == 0 {
                break;
            }
        }
        parts.reverse();
        parts.join("\n\n")
    }

    /// What was heard since the last answer.
    fn heard_blocks(&self) -> &[Block] {
        match self.messages().last() {
            Some(last) if last.role == Role::User => &last.blocks,
            Some(_) | None => &[],
        }
    }
}

fn text_of(blocks: &[Block]) -> String {
    let texts = blocks.iter().map(|block| match block.view() {
        BlockView::Text(text) => text,
        BlockView::ToolUse(_) | BlockView::Thinking(_) | BlockView::Other => NO_TEXT.to_owned(),
    });
    texts.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Reply, StopReason, Usage, Wire};

    fn prompted(text: &str) -> Entry {
        Entry::Prompted(text.into())
    }

    fn handed(again: bool) -> Entry {
        let session = "s1".to_owned();
        Entry::HandedOver(Handover { session, again })
    }

    fn answered(text: &str) -> Entry {
        Entry::Answered(Reply {
            blocks: vec![Block::text(text)],
            stop: StopReason::EndTurn,
            usage: Usage::default(),
            model: "agent:test".into(),
            wire: Wire::Plain,
        })
    }

    fn failed() -> Entry {
        Entry::TurnEnded(EndReason::Failed {
            what: "gone".into(),
        })
    }

    #[test]
    fn each_handover_holds_what_was_heard_since_the_one_before() {
        let mut it = Conversation::default();
        it.push(&prompted("one"));
        assert!(it.has_more_to_hand_over() && it.open_handover().is_none());
        it.push(&handed(false));
        assert_eq!(
            (it.handed_over().as_str(), it.agent_session()),
            ("one", Some("s1"))
        );
        assert_eq!(it.open_handover().map(|open| open.at), Some(1));
        assert!(!it.has_more_to_hand_over());
        // The agent was lost, and has it not: the same again, with what came meanwhile.
        it.push(&prompted("two"));
        it.push(&handed(true));
        assert_eq!(it.handed_over(), "one\n\ntwo");
        // It was lost once more, and has it: only what is new.
        it.push(&prompted("go on"));
        it.push(&handed(false));
        assert_eq!(it.handed_over(), "go on");
        it.push(&answered("done"));
        assert!(it.open_handover().is_none() && !it.has_more_to_hand_over());
        it.push(&prompted("three"));
        it.push(&handed(false));
        assert_eq!(it.handed_over(), "three");
        let past = "You heard:\none\n\ntwo\n\ngo on\n\nYou answered:\ndone";
        assert_eq!(it.past_as_text(100), past);
        assert_eq!(
            it.past_as_text(6),
            "\ndone".split_at(0).1.to_owned().as_str()
        );
    }

    #[test]
    fn a_turn_that_failed_leaves_open_whether_the_agent_has_it() {
        let mut it = Conversation::default();
        for entry in [prompted("one"), handed(false), failed()] {
            it.push(&entry);
        }
        assert!(it.open_handover().is_some());
        it.push(&Entry::TurnEnded(EndReason::Interrupted));
        assert!(it.open_handover().is_none());
        it.push(&Entry::MemoryReset);
        assert_eq!(it.agent_session(), None);
    }
}
