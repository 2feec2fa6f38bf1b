//! How the last turn in a transcript ended, if nothing has come after it: who goes on with a transcript tells what the writer before
//! may not have told. It only reads entries.

use teammate_core::{
    Incarnation, MemberName,
    model::StopReason,
    team::Command,
    transcript::{EndReason, Entry},
};

/// The end of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LastTurn {
    /// The number of the entry that ended it.
    pub(crate) turn: u64,
    pub(crate) why: EndReason,
    pub(crate) result: String,
}

impl LastTurn {
    /// The command that records this end, which counts once.
    pub(crate) fn to_record(&self, member: &MemberName, life: Incarnation) -> Command {
        Command::EndTurn {
            member: member.clone(),
            incarnation: life,
            why: self.why.clone(),
            turn: Some(self.turn),
            result: self.result.clone(),
        }
    }

    /// The turn whose end is the last thing that these entries say, which come with their numbers.
    pub(crate) fn of<'a>(entries: impl Iterator<Item = (u64, &'a Entry)>) -> Option<Self> {
        let said = entries.filter(|(_, entry)| !is_silent(entry));
        let (turn, entry) = said.last()?;
        let (why, result) = match entry {
            Entry::Answered(reply)
                if reply.calls().is_empty() && reply.stop != StopReason::ContextFull =>
            {
                (EndReason::Done, reply.text())
            }
            Entry::TurnEnded(why) => (why.clone(), String::new()),
            Entry::Answered(_)
            | Entry::MemoryReset
            | Entry::Conversation(_)
            | Entry::Heard(_)
            | Entry::ToolOutcomes(_)
            | Entry::Prompted(_)
            | Entry::HandedOver(_)
            | Entry::Taken { .. }
            | Entry::Shortened { .. }
            | Entry::Compacted(_)
            | Entry::SummaryFailed { .. } => return None,
        };
        Some(Self { turn, why, result })
    }
}

/// Whether an entry says nothing of a turn.
pub(crate) fn is_silent(entry: &Entry) -> bool {
    matches!(
        entry,
        Entry::Taken { .. }
            | Entry::Shortened { .. }
            | Entry::Compacted(_)
            | Entry::SummaryFailed { .. }
    )
}

/// The last life that has heard what it was spawned for.
pub(crate) fn last_life<'a>(entries: impl Iterator<Item = &'a Entry>) -> Option<Incarnation> {
    let mail = entries.filter_map(|entry| match entry {
        Entry::Heard(mail) => Some(mail),
        _ => None,
    });
    let lives = mail.flatten().filter_map(|mail| mail.to_incarnation);
    lives.last()
}
