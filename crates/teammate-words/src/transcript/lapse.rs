//! Ends an abandoned conversation: answers its open calls and ends its turn.

use std::collections::BTreeSet;

use super::{Conversation, EndReason, Entry, ResumePoint, last_conversation};
use crate::{
    id::ConversationId,
    tool::{CallId, Outcome, ToolCall},
};

/// The outcome, for a model, of a call that records do not prove.
const LAPSED: &str = "Not run again: records of this conversation are missing or were changed, so nothing shows whether this call was done. Check before you repeat it.";

impl Conversation {
    /// The entries that end a conversation so that nothing continues automatically: outcomes for calls that have none, and
    /// the end of the turn. Empty if the conversation is at an end already.
    pub fn lapse(&self) -> Vec<Entry> {
        self.closing(LAPSED)
    }

    /// The entries that end a conversation for another reason: `why` is what the model reads as the outcome of each call that
    /// has none.
    pub fn closing(&self, why: &str) -> Vec<Entry> {
        let end = Entry::TurnEnded(EndReason::Interrupted);
        match self.resume_point() {
            ResumePoint::Idle => Vec::new(),
            ResumePoint::Finished { .. } | ResumePoint::CallModel => vec![end],
            ResumePoint::OpenCalls(calls) => vec![Entry::ToolOutcomes(not_run(calls, why)), end],
        }
    }
}

/// The entries that end all conversations of a transcript, so that none continues automatically. It ends in the one in which
/// it ended before.
pub fn lapse_all(entries: &[Entry]) -> Vec<Entry> {
    let last = last_conversation(entries);
    let marks = entries.iter().filter_map(Entry::conversation);
    let others: BTreeSet<_> = marks.chain([ConversationId::FIRST]).collect();
    let mut end = Vec::new();
    for id in others.into_iter().filter(|id| *id != last) {
        let mark = Entry::Conversation(id);
        let conversation = Conversation::of(entries.iter().chain([&mark]).cloned());
        let lapse = conversation.lapse();
        if !lapse.is_empty() {
            end.push(mark);
            end.extend(lapse);
        }
    }
    if !end.is_empty() {
        end.push(Entry::Conversation(last));
    }
    end.extend(Conversation::of(entries.iter().cloned()).lapse());
    end
}

/// An outcome for each of these calls, none of which runs.
pub fn lapsed(calls: Vec<ToolCall>) -> Vec<(CallId, Outcome)> {
    not_run(calls, LAPSED)
}

fn not_run(calls: Vec<ToolCall>, why: &str) -> Vec<(CallId, Outcome)> {
    let calls = calls.into_iter();
    calls.map(|call| (call.id, Outcome::error(why))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{block::Block, model::StopReason, tool::ToolInput, transcript::tests::said};

    #[test]
    fn after_a_lapse_of_all_no_conversation_has_anything_left_to_do() {
        let two = Entry::Conversation(ConversationId::FIRST.next());
        let one = Entry::Conversation(ConversationId::FIRST);
        let prompted = || Entry::Prompted("go on".into());
        let mut entries = vec![prompted(), two.clone(), prompted()];
        entries.extend(lapse_all(&entries));
        for mark in [two, one] {
            let conversation = Conversation::of(entries.iter().cloned().chain([mark]));
            assert_eq!(conversation.resume_point(), ResumePoint::Idle);
        }
        assert_eq!(lapse_all(&entries), []);
    }

    #[test]
    fn after_a_lapse_nothing_is_left_to_do() {
        let call = ToolCall {
            id: CallId::new("c1".into()),
            name: "bash".into(),
            input: ToolInput::from_json("{}".into()),
        };
        for (name, entries, added) in [
            ("empty", vec![], 0),
            (
                "an open call",
                vec![said(vec![Block::tool_use(&call)], StopReason::ToolUse)],
                2,
            ),
            (
                "a last word",
                vec![said(vec![Block::text("done")], StopReason::EndTurn)],
                1,
            ),
        ] {
            let mut conversation = Conversation::of(entries);
            let end = conversation.lapse();
            assert_eq!(end.len(), added, "{name}");
            for entry in &end {
                conversation.push(entry);
            }
            assert_eq!(conversation.resume_point(), ResumePoint::Idle, "{name}");
            assert_eq!(conversation.lapse(), [], "{name}");
        }
    }
}
