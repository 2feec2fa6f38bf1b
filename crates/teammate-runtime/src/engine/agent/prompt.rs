//! The prompt of an agent: a line by which its own records show that it has the prompt, who it is if it does not know yet,
//! and what its member heard.

use teammate_core::{agent::HandingOver, port::AgentPast, transcript::Conversation};

/// How much of its conversation an agent gets again that has lost it, in bytes.
const PAST_BYTES_MAX: usize = 24_000;

const GO_ON: &str = "You were stopped in the middle of your turn, and whatever ran then has ended. Continue; first check what was done.";

/// The text before the mail that was heard.
pub(crate) enum Preface<'a> {
    /// Nothing: it knows.
    None,
    Identity(&'a str),
}

/// The part of the conversation that an agent which was just opened gets. `mark` is what the prompt of the last handover
/// began with.
pub(crate) fn handing_over(
    conversation: &Conversation,
    past: Option<&AgentPast>,
    mark: impl Fn(u64) -> String,
) -> HandingOver {
    let Some(open) = conversation.open_handover() else {
        return HandingOver::News;
    };
    match past {
        Some(AgentPast::Loaded(prompts)) if prompts.contains(&mark(open.at)) => {
            HandingOver::GoOn(GO_ON.to_owned())
        }
        Some(AgentPast::Loaded(_) | AgentPast::New(_)) => HandingOver::Again,
        // It ran all the time, so it has it.
        None => HandingOver::GoOn(GO_ON.to_owned()),
    }
}

impl Preface<'_> {
    /// The whole prompt; what was handed over is its end.
    pub(crate) fn prompt(&self, conversation: &Conversation, mark: &str) -> String {
        let mut parts = vec![mark.to_owned()];
        if let Preface::Identity(identity) = self {
            parts.push((*identity).to_owned());
            let past = conversation.past_as_text(PAST_BYTES_MAX);
            if !past.is_empty() {
                parts.push(format!(
                    "Your conversation until now could not be loaded. What the team has of it:\n\n{past}\n\nYou may have begun with what follows; check before you repeat it."
                ));
            }
        }
        parts.push(conversation.handed_over());
        parts.join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use teammate_core::transcript::{Entry, Handover};

    use super::*;

    fn conversation() -> Conversation {
        let mut it = Conversation::default();
        it.push(&Entry::Prompted("Work.".into()));
        it.push(&Entry::HandedOver(Handover {
            session: "s".into(),
            again: false,
        }));
        it
    }

    #[test]
    fn an_agents_own_records_show_whether_it_has_a_prompt() {
        let mark = |at: u64| format!("[bob/1/{at}]");
        let handed = |past: AgentPast| handing_over(&conversation(), Some(&past), mark);
        let loaded = |text: &str| AgentPast::Loaded(text.to_owned());
        assert_eq!(
            handed(loaded("[bob/1/1]\n\nWork.")),
            HandingOver::GoOn(GO_ON.to_owned())
        );
        assert_eq!(handed(loaded("[bob/1/0]\n\nOld.")), HandingOver::Again);
        assert_eq!(handed(AgentPast::New(None)), HandingOver::Again);
        assert_eq!(
            handing_over(&Conversation::default(), None, mark),
            HandingOver::News
        );
    }

    #[test]
    fn who_it_is_comes_first_and_once() {
        let it = conversation();
        assert_eq!(Preface::None.prompt(&it, "[m]"), "[m]\n\nWork.");
        let first = Preface::Identity("You are bob.").prompt(&it, "[m]");
        assert_eq!(first, "[m]\n\nYou are bob.\n\nWork.");
    }
}
