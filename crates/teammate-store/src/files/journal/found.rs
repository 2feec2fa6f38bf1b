//! Collects the records and the damage that a read of a journal finds.

use std::path::Path;

use teammate_core::port::{Damage, DamageKind, JournalRead, Record};

use super::position::{LineFault, ReadStep};

/// The most invalid lines that are named one by one.
const NAMED_MAX: usize = 100;

/// Collects records and damage from one record on.
pub(super) struct Found<'a> {
    from: u64,
    path: &'a Path,
    read: JournalRead,
    named: usize,
    /// The first invalid line that is not named, and their number.
    rest: Option<(Damage, u64)>,
}

impl<'a> Found<'a> {
    /// Collects from record `from` of the journal in `path`.
    pub(super) fn from(from: u64, path: &'a Path) -> Self {
        Self {
            from,
            path,
            read: JournalRead::default(),
            named: 0,
            rest: None,
        }
    }

    /// Adds the line that would be record `number`.
    pub(super) fn add(&mut self, number: u64, step: ReadStep) {
        if number >= self.from {
            for fault in step.faults {
                self.fault(fault);
            }
        }
        self.record(step.record);
    }

    fn record(&mut self, record: Option<Record>) {
        let record = record.filter(|record| record.number >= self.from);
        self.read.records.extend(record);
    }

    fn fault(&mut self, fault: LineFault) {
        let damage = fault.damage(self.path);
        match damage.kind {
            DamageKind::Gap | DamageKind::MissingEnd => self.read.damaged.push(damage),
            DamageKind::Unreadable | DamageKind::Unsealed | DamageKind::Repeated => {
                if self.named < NAMED_MAX {
                    self.named += 1;
                    self.read.damaged.push(damage);
                } else {
                    self.rest.get_or_insert((damage, 0)).1 += 1;
                }
            }
        }
    }

    /// The result, with the damage at the end.
    pub(super) fn read(mut self, lost: Option<&Damage>) -> JournalRead {
        if let Some((first, count)) = self.rest {
            let text = format!(
                "{count} more lines of {} from record {} on do not count",
                self.path.display(),
                first.from
            );
            self.read.damaged.push(Damage { text, ..first });
        }
        self.read.damaged.extend(lost.cloned());
        self.read
    }
}
