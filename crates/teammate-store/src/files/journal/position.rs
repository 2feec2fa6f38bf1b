//! A position between two lines of a journal, and the step over the next line.

use std::path::Path;

use teammate_core::port::{Damage, DamageKind, Record};

use crate::{
    files::lines::{FileLine, LINE_READ_MAX},
    wire::{
        self,
        chain::{Head, LineDigest, Log},
        record,
    },
};

/// A position between two lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) offset: u64,
    /// The number of the next record, unless it says another: each invalid line counts as one.
    pub(super) next: u64,
    /// The last valid line.
    pub(super) last: Option<Head>,
}

/// The result of reading one line.
pub(super) struct ReadStep {
    pub(super) record: Option<Record>,
    pub(super) faults: Vec<LineFault>,
}

/// The fault of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineFault {
    Unreadable { number: u64, why: String },
    Unsealed { number: u64 },
    Repeated { number: u64 },
    Gap { after: Option<u64>, before: u64 },
}

impl Position {
    /// The start of a journal.
    pub(super) const START: Self = Self {
        offset: 0,
        next: 0,
        last: None,
    };

    /// The digest that the next line links to.
    pub(super) fn prev(&self) -> LineDigest {
        self.last.map_or(LineDigest::NONE, |head| head.digest)
    }

    /// The lowest number that the next record can have.
    pub(super) fn floor(&self) -> u64 {
        self.last.map_or(0, |head| head.number + 1)
    }

    /// Steps over one complete line. A sealed line is valid, also if lines before it are missing.
    pub(super) fn read_line(&mut self, line: &FileLine<'_>, log: &Log) -> ReadStep {
        self.offset = line.end;
        let number = self.next;
        self.next += 1;
        let unreadable = |why| ReadStep::no_record(LineFault::Unreadable { number, why });
        let Some(text) = line.text else {
            return unreadable(format!("it has more than {LINE_READ_MAX} bytes"));
        };
        let text = wire::without_leading_nuls(text);
        let read = record::read(text);
        let Some(linked) = log.opened(text) else {
            return match read {
                Ok(_) => ReadStep::no_record(LineFault::Unsealed { number }),
                Err(why) => unreadable(why),
            };
        };
        let own = match &read {
            Ok(record) => Some(record.number),
            // Also if this version does not know the events: later lines link to this one.
            Err(_) => record::number(text),
        };
        let Some(own) = own.filter(|own| *own < u64::MAX) else {
            return unreadable("it has no number that another could follow".to_owned());
        };
        if own < self.floor() {
            return ReadStep::no_record(LineFault::Repeated { number: own });
        }
        let mut faults = Vec::new();
        if linked.prev != self.prev() {
            faults.push(LineFault::Gap {
                after: self.last.map(|head| head.number),
                before: own,
            });
        }
        self.next = own + 1;
        self.last = Some(Head {
            number: own,
            digest: linked.digest,
        });
        match read {
            Ok(record) => ReadStep {
                record: Some(record),
                faults,
            },
            Err(why) => {
                faults.push(LineFault::Unreadable { number: own, why });
                ReadStep {
                    record: None,
                    faults,
                }
            }
        }
    }

    /// The position after a line that this process appended.
    pub(super) fn behind(&self, line: &str) -> Self {
        Self {
            offset: self.offset + line.len() as u64 + 1,
            next: self.next + 1,
            last: Some(Head {
                number: self.next,
                digest: LineDigest::of(line.as_bytes()),
            }),
        }
    }
}

impl ReadStep {
    /// A valid record.
    pub(super) fn of(record: Record) -> Self {
        Self {
            record: Some(record),
            faults: Vec::new(),
        }
    }

    /// A line that is no record.
    pub(super) fn no_record(fault: LineFault) -> Self {
        Self {
            record: None,
            faults: vec![fault],
        }
    }
}

impl LineFault {
    /// The damage of the journal in `path`, described for the user.
    pub(super) fn damage(self, path: &Path) -> Damage {
        let path = path.display();
        let (from, kind, text) = match self {
            Self::Unreadable { number, why } => (
                number,
                DamageKind::Unreadable,
                format!("record {number} of {path} cannot be read ({why}); its line is kept there"),
            ),
            Self::Unsealed { number } => (
                number,
                DamageKind::Unsealed,
                format!(
                    "record {number} of {path} has no seal of this user's; it does not count, its line is kept there"
                ),
            ),
            Self::Repeated { number } => (
                number,
                DamageKind::Repeated,
                format!("record {number} of {path} is there twice; the second one does not count"),
            ),
            Self::Gap { after, before } => (
                after.map_or(0, |after| after + 1),
                DamageKind::Gap,
                match after {
                    Some(after) => format!(
                        "records between {after} and {before} of {path} are missing or were changed"
                    ),
                    None => {
                        format!("records before {before} of {path} are missing or were changed")
                    }
                },
            ),
        };
        Damage { from, kind, text }
    }
}

/// The damage of a journal that ends at `end` without the remembered record `head`.
pub(super) fn without(head: Head, end: &Position, path: &Path) -> Damage {
    let (path, number) = (path.display(), head.number);
    let (from, kind, text) = match end.floor() {
        from if from < number => (
            from,
            DamageKind::MissingEnd,
            format!("records {from} to {number} of {path} are missing at the end"),
        ),
        from if from == number => (
            from,
            DamageKind::MissingEnd,
            format!("record {number} of {path} is missing at the end"),
        ),
        _ => (
            number,
            DamageKind::Gap,
            format!("record {number} of {path} is missing or was changed"),
        ),
    };
    Damage { from, kind, text }
}
