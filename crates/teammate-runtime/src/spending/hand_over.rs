//! Tabs go to the journal: a member's answers that it does not count yet, and its time.

use teammate_core::{
    Incarnation, MemberName,
    lock::Hold,
    team::{ActiveTime, Command, TranscriptPart, UsageReport, by_model},
};

use super::UsageMeter;

impl UsageMeter {
    /// Hands over what a member has not handed over yet, and waits until it is noted. What was queued before may be counted just
    /// then: the rest is handed over after it.
    pub(crate) async fn hand_over(&self, name: &MemberName, incarnation: Incarnation) {
        for _ in 0..2 {
            if let Some(tab) = self.take_pending(name, incarnation)
                && self.base.ledger.decide(tab).await.is_err()
            {
                // If it cannot be noted now, the next opening does it.
                return;
            }
            if !self.has_uncounted(name) {
                return;
            }
        }
    }

    /// Takes the usage that a member has not handed over yet: its tab, and its time.
    pub(crate) fn take_pending(
        &self,
        name: &MemberName,
        incarnation: Incarnation,
    ) -> Option<Command> {
        let mut running = self.running.hold();
        let counted = self.base.ledger.team().spending().counted(name);
        let worked = running.take_time(name, self.flushes_time(name));
        let tab = running.tabs.entry(name.clone()).or_default();
        tab.retain(|item| item.at >= counted);
        let upto = tab.last().map(|last| last.at + 1);
        if upto.is_none() && worked == ActiveTime::default() {
            return None;
        }
        Some(Command::RecordUsage(UsageReport {
            member: name.clone(),
            incarnation,
            totals: by_model(tab.iter()),
            active_time: worked,
            part: upto.map(|to| TranscriptPart { from: counted, to }),
        }))
    }

    /// Whether the journal does not count some answer of a member's tab.
    fn has_uncounted(&self, name: &MemberName) -> bool {
        let counted = self.base.ledger.team().spending().counted(name);
        let running = self.running.hold();
        let mut tab = running.tabs.get(name).into_iter().flatten();
        tab.any(|item| item.at >= counted)
    }

    /// How many answers a member has not handed over yet.
    pub(crate) fn pending_len(&self, name: &MemberName) -> usize {
        self.running.hold().tabs.get(name).map_or(0, Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use teammate_core::model::Usage;

    use crate::{Host, TeamConfig, fixture};

    use super::*;

    #[tokio::test]
    async fn what_follows_a_tab_that_is_still_queued_is_handed_over_too() {
        let setup = fixture::setup(TeamConfig::new("no:model".parse().unwrap()));
        let host = Host::open(fixture::ports(), setup).await.unwrap();
        let alice = MemberName::teammate("alice").unwrap();
        let answers = |at| {
            let who = (&alice, Incarnation::FIRST);
            host.meter
                .record(who, Some(at), "no:model", Usage::default());
        };
        answers(2);
        let queued = host.meter.take_pending(&alice, Incarnation::FIRST);
        host.base.ledger.submit(queued.unwrap());
        answers(4);
        host.meter.hand_over(&alice, Incarnation::FIRST).await;
        let spent = host.team().spending().member(&alice);
        assert_eq!((spent.sum().requests, spent.counted), (2, 5));
    }
}
