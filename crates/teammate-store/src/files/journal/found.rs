//! Tells which records a read of a journal is after, and collects the damage that it finds.

use std::path::Path;

use teammate_core::port::{Damage, DamageKind, Record};

use super::position::{LineFault, ReadStep};

/// The most invalid lines that are named one by one.
const NAMED_MAX: usize = 100;

/// Collects damage from one record on.
pub(super) struct FoundDamage<'a> {
    from: u64,
    path: &'a Path,
    damaged: Vec<Damage>,
    named: usize,
    /// The first invalid line that is not named, and their number.
    rest: Option<(Damage, u64)>,
}

impl<'a> FoundDamage<'a> {
    /// Collects from record `from` of the journal in `path`.
    pub(super) fn from(from: u64, path: &'a Path) -> Self {
        Self {
            from,
            path,
            damaged: Vec::new(),
            named: 0,
            rest: None,
        }
    }

    /// Adds the line that would be record `number`; returns its record, if it is wanted.
    pub(super) fn add(&mut self, number: u64, step: ReadStep) -> Option<Record> {
        if number >= self.from {
            for fault in step.faults {
                self.fault(fault);
            }
        }
        step.record.filter(|record| record.number >= self.from)
    }

    fn fault(&mut self, fault: LineFault) {
        let damage = fault.damage(self.path);
        match damage.kind {
            DamageKind::Gap | DamageKind::MissingEnd => self.damaged.push(damage),
            DamageKind::Unreadable
            | DamageKind::Unsealed
            | DamageKind::Repeated
            | DamageKind::Unasked => {
                if self.named < NAMED_MAX {
                    self.named += 1;
                    self.damaged.push(damage);
                } else {
                    self.rest.get_or_insert((damage, 0)).1 += 1;
                }
            }
        }
    }

    /// All damage, with that at the end.
    pub(super) fn damaged(mut self, lost: Option<&Damage>) -> Vec<Damage> {
        if let Some((first, count)) = self.rest {
            let text = format!(
                "{count} more lines of {} from record {} on do not count",
                self.path.display(),
                first.from
            );
            self.damaged.push(Damage { text, ..first });
        }
        self.damaged.extend(lost.cloned());
        self.damaged
    }
}
