//! The journal: the append-only log that the team is folded from.

use std::fmt;

use crate::{
    Timestamp,
    port::{BoxFuture, FileError},
    team::{Durability, Record, RecordWriter, TeamEvent},
};

/// The result of reading a journal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JournalRead {
    /// The records that count, in order.
    pub records: Vec<Record>,
    /// Damage of the rest, in the order of the file.
    pub damaged: Vec<Damage>,
}

impl JournalRead {
    /// Adds what was read after this.
    pub fn join(&mut self, mut next: Self) {
        self.records.append(&mut next.records);
        self.damaged.append(&mut next.damaged);
    }
}

/// One thing that is wrong with a journal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Damage {
    /// The number of the first record that is in doubt.
    pub from: u64,
    pub kind: DamageKind,
    /// A sentence for the user: which records, what is wrong, and where the lines are kept.
    pub text: String,
}

/// Kinds of damage to a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DamageKind {
    /// A line that is no record: torn, flipped bits, too long, or of a newer version. It does not count.
    Unreadable,
    /// A line that reads like a record, but nothing proves that this user's program wrote it. It does not count.
    Unsealed,
    /// A sealed record whose number is already used. It does not count.
    Repeated,
    /// A sealed record in which a worker spoke for somebody that did not ask it to. It does not count.
    Unasked,
    /// Sealed records that count, but others before them are missing or were changed.
    Gap,
    /// Records that were made durable once are missing at the end.
    MissingEnd,
}

impl DamageKind {
    /// Whether something may have happened that nobody can read any more: a permission may have been used up. A record that does
    /// not count was read by everybody, so nothing is missing for it.
    pub fn may_hide_records(self) -> bool {
        match self {
            Self::Unreadable | Self::Unsealed | Self::Repeated | Self::Gap | Self::MissingEnd => {
                true
            }
            Self::Unasked => false,
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// An append-only log with compare-and-swap on its length.
pub trait Journal: Send + Sync {
    /// Appends one record, whose number is how many there are.
    ///
    /// Errors: [`JournalError::Conflict`] if there are more by now: read them, decide again.
    fn append_record(
        &self,
        record: Record,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>>;

    /// Appends a record that lists no commands.
    fn append(
        &self,
        expected: u64,
        at: Timestamp,
        events: Vec<TeamEvent>,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        self.append_record(Record::of(expected, at, events), durability)
    }

    /// The records from number `from` on.
    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>>;

    /// The records from number `from` on as far as this process has heard of them, at least those before number `through`, if there
    /// are so many. Where records are delivered it asks for nothing, so it does not say where the journal ends: [`read`](Self::read)
    /// does.
    fn follow(&self, from: u64, through: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        let _ = through;
        self.read(from)
    }

    /// Hands over the records from number `from` on, in order, and returns what is wrong with the rest. A journal of any length
    /// can be read in this way: a store that can do so does not hold all of it. After an error, some were handed over.
    fn visit<'a>(
        &'a self,
        from: u64,
        each: &'a mut (dyn FnMut(Record) + Send),
    ) -> BoxFuture<'a, Result<Vec<Damage>, JournalError>> {
        Box::pin(async move {
            let read = self.read(from).await?;
            read.records.into_iter().for_each(each);
            Ok(read.damaged)
        })
    }

    /// As whom this process appends.
    fn writer(&self) -> RecordWriter {
        RecordWriter::User
    }

    /// Resolves when the journal may have grown by another process since this was last awaited. A hint.
    fn grew(&self) -> BoxFuture<'_, ()>;
}

/// Why an append or a read failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// Somebody appended in between.
    #[error("the journal has {length} records by now")]
    Conflict {
        /// How many there are.
        length: u64,
    },
    /// The log cannot be written or read.
    #[error("the team's journal failed: {0}")]
    Broken(FileError),
    /// The journal is not what was read or written before. Nothing is read or written behind it any more.
    #[error("the team's journal cannot be followed: {0}")]
    Unsound(String),
}
