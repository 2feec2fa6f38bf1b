//! A member's spending: taken up from its transcript, handed over to the ledger.

use teammate_core::{
    MemberName,
    model::Usage,
    team::{Command, Member, Spend, Worked, answers},
    transcript::Entry,
};

use super::Driver;
use crate::{base::Base, spending::Meter};

/// After so many answers within a turn they are handed over.
const TAB_MAX: usize = 10;

/// Takes up what the journal does not count yet: the host may have died before it was handed over.
pub(super) fn take_up(
    base: &Base,
    meter: &Meter,
    member: &Member,
    entries: &[(u64, Entry)],
    length: u64,
) {
    let name: &MemberName = &member.name;
    let counted = base.ledger.team().spending().counted(name);
    meter.works(name, false);
    let numbered = entries.iter().map(|(at, entry)| (*at, entry));
    meter.open_tab(name, answers(numbered, counted));
    if length < counted {
        // Lines were lost: what comes now is counted from where the transcript ends.
        base.ledger.note(Command::Spend(Spend {
            member: name.clone(),
            incarnation: member.incarnation,
            sums: Vec::new(),
            worked: Worked::default(),
            part: Some((counted, length)),
        }));
    } else if let Some(tab) = meter.tab(name, member.incarnation) {
        base.ledger.note(tab);
    }
}

impl Driver {
    /// What a model answered is in the transcript, in this entry.
    pub(super) fn spends(&self, at: u64, model: &str, usage: Usage) {
        let who = (&self.name, self.incarnation);
        self.parts.meter.spent(who, Some(at), model, usage);
        if self.parts.meter.tab_length(&self.name) >= TAB_MAX {
            self.hand_over();
        }
    }

    /// Hands over what was spent, without waiting: with whatever the ledger is told next, at no cost of its own.
    pub(super) fn hand_over(&self) {
        if let Some(tab) = self.parts.meter.tab(&self.name, self.incarnation) {
            self.base.ledger.note(tab);
        }
    }

    /// The same at the end of the loop, when nothing follows: waits until it is noted.
    pub(super) async fn settle_up(&self) {
        self.parts.meter.works(&self.name, false);
        if let Some(tab) = self.parts.meter.tab(&self.name, self.incarnation) {
            // If it cannot be noted now, the next opening does it.
            let _ = self.base.ledger.decide(tab).await;
        }
    }
}
