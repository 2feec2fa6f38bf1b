//! A place between two lines of a journal: which lines before it count, and what follows from that for the next one.

use std::path::Path;

use teammate_core::port::{Damage, DamageKind, Record};

use crate::{
    files::lines::{LINE_READ_MAX, Line},
    wire::{
        self,
        chain::{Digest, Head, Log},
        record,
    },
};

/// A place between two lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offset: u64,
    /// The number the next record has if nothing says otherwise: lines that do not count have one each.
    pub(super) next: u64,
    /// The last line that counts.
    pub(super) last: Option<Head>,
}

/// What stepping over one line has found.
pub(super) struct Step {
    pub(super) record: Option<Record>,
    pub(super) faults: Vec<Fault>,
}

/// What is wrong at a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    Unreadable { number: u64, why: String },
    Unsealed { number: u64 },
    Repeated { number: u64 },
    Gap { after: Option<u64>, before: u64 },
}

impl Place {
    /// Where a journal begins.
    pub(super) const START: Self = Self {
        offset: 0,
        next: 0,
        last: None,
    };

    /// What the next line names as the one before it.
    pub(super) fn prev(&self) -> Digest {
        self.last.map_or(Digest::NONE, |head| head.digest)
    }

    /// The lowest number that the next record can have.
    pub(super) fn floor(&self) -> u64 {
        self.last.map_or(0, |head| head.number + 1)
    }

    /// Steps over one whole line. A sealed one counts, also where those before it are missing.
    pub(super) fn step(&mut self, line: &Line<'_>, log: &Log) -> Step {
        self.offset = line.end;
        let number = self.next;
        self.next += 1;
        let unreadable = |why| Step::no_record(Fault::Unreadable { number, why });
        let Some(text) = line.text else {
            return unreadable(format!("it has more than {LINE_READ_MAX} bytes"));
        };
        let text = wire::past_zeros(text);
        let read = record::read(text);
        let Some(linked) = log.opened(text) else {
            return match read {
                Ok(_) => Step::no_record(Fault::Unsealed { number }),
                Err(why) => unreadable(why),
            };
        };
        let own = match &read {
            Ok(record) => Some(record.number),
            // Also where this version does not know the events: what follows names this line.
            Err(_) => record::number(text),
        };
        let Some(own) = own.filter(|own| *own < u64::MAX) else {
            return unreadable("it has no number that another could follow".to_owned());
        };
        if own < self.floor() {
            return Step::no_record(Fault::Repeated { number: own });
        }
        let mut faults = Vec::new();
        if linked.prev != self.prev() {
            faults.push(Fault::Gap {
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
            Ok(record) => Step {
                record: Some(record),
                faults,
            },
            Err(why) => {
                faults.push(Fault::Unreadable { number: own, why });
                Step {
                    record: None,
                    faults,
                }
            }
        }
    }

    /// Behind a line that this process has appended.
    pub(super) fn behind(&self, line: &str) -> Self {
        Self {
            offset: self.offset + line.len() as u64 + 1,
            next: self.next + 1,
            last: Some(Head {
                number: self.next,
                digest: Digest::of(line.as_bytes()),
            }),
        }
    }
}

impl Step {
    /// A record, and nothing is wrong.
    pub(super) fn of(record: Record) -> Self {
        Self {
            record: Some(record),
            faults: Vec::new(),
        }
    }

    /// Nothing that counts.
    pub(super) fn no_record(fault: Fault) -> Self {
        Self {
            record: None,
            faults: vec![fault],
        }
    }
}

impl Fault {
    /// The same for a person, about the journal in `path`.
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

/// What is wrong with a journal in `path` whose end is `end`, if this remembered record is not in it.
pub(super) fn without(head: Head, end: &Place, path: &Path) -> Damage {
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
