//! The part of a conversation that an external agent has, and the part that it gets.

use super::{Conversation, OpenHandover};
use crate::{
    block::{Block, BlockView},
    model::Role,
};

/// The words in the place of a picture or a document.
const NO_TEXT: &str = "[A picture or document, which agents of other makes are not sent.]";

impl Conversation {
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

    /// The text that the last handover holds.
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
    use crate::{
        model::{Reply, StopReason, Usage, Wire},
        transcript::{EndReason, Entry, Handover},
    };

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
        assert_eq!(it.past_as_text(5), "\ndone");
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
