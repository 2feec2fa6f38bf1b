//! A member's spending: taken up from its transcript, handed over to the ledger.

use teammate_core::{
    MemberName,
    event::{ContextUse, Paid},
    model::Usage,
    team::{ActiveTime, Command, Member, TranscriptPart, UsageReport, uncounted_answers},
    transcript::Entry,
};

use super::Driver;
use crate::{base::Base, spending::UsageMeter};

/// After so many answers within a turn they are handed over.
const PENDING_ANSWERS_MAX: usize = 10;

/// Takes up what the journal does not count yet: the host may have died before it was handed over.
pub(super) fn restore_pending<'a>(
    base: &Base,
    meter: &UsageMeter,
    member: &Member,
    entries: impl Iterator<Item = (u64, &'a Entry)>,
    length: u64,
) {
    let name: &MemberName = &member.name;
    let counted = base.ledger.team().spending().counted(name);
    meter.set_working(name, false);
    meter.restore_pending(name, uncounted_answers(entries, counted));
    if length < counted {
        // Lines were lost: what comes now is counted from where the transcript ends.
        base.ledger.submit(Command::RecordUsage(UsageReport {
            member: name.clone(),
            incarnation: member.incarnation,
            totals: Vec::new(),
            active_time: ActiveTime::default(),
            part: Some(TranscriptPart {
                from: counted,
                to: length,
            }),
        }));
    } else if let Some(tab) = meter.take_pending(name, member.incarnation) {
        base.ledger.submit(tab);
    }
}

impl Driver {
    /// The price of an answer, if its model has one.
    pub(super) fn paid(&self, model: &str, usage: &Usage) -> Option<Paid> {
        let prices = &self.base.setup.config.prices;
        let charge = prices.paid(model, usage)?;
        Some(Paid {
            amount: charge.money,
            currency: prices.currency.clone(),
            estimated: charge.is_estimated,
        })
    }

    /// How full the context is after an answer, if it was counted or estimated.
    pub(super) fn context_use(&self, model: &str, usage: &Usage) -> Option<ContextUse> {
        let used = usage.total();
        (used > 0).then(|| ContextUse {
            used,
            limit: self.chain.known_context(model),
            estimated: usage.estimated > 0,
        })
    }

    /// Counts the usage of a model's answer, which is in the transcript, in this entry.
    pub(super) async fn record_usage(&self, at: u64, model: &str, usage: Usage) {
        let who = (&self.name, self.incarnation);
        let meter = &self.parts.meter;
        meter.record(who, Some(at), model, usage);
        if meter.must_flush(&self.name) {
            meter.hand_over(&self.name, self.incarnation).await;
        } else if meter.pending_len(&self.name) >= PENDING_ANSWERS_MAX {
            self.flush_usage();
        }
    }

    /// Queues the pending usage for the ledger's next record. Does not wait; a crash loses nothing, since
    /// it is rebuilt from the transcript.
    pub(super) fn flush_usage(&self) {
        if let Some(tab) = self.parts.meter.take_pending(&self.name, self.incarnation) {
            self.base.ledger.submit(tab);
        }
    }

    /// Hands the usage over at the end of the loop, when nothing follows.
    pub(super) async fn flush_last_usage(&self) {
        let meter = &self.parts.meter;
        meter.set_working(&self.name, false);
        meter.hand_over(&self.name, self.incarnation).await;
    }
}
