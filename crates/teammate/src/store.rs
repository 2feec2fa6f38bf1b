//! The traits that a store of one's own implements, in place of the files of a team.
//!
//! A team keeps three logs and nothing else that it reads back: the [`Journal`] of the team, each member's
//! [`Mailbox`], and each member's transcript ([`TranscriptStore`]). Each trait says what must hold.
//! `examples/own_store.rs` has all of them in memory. A [`TeamStore`] has what several processes need besides, so that a
//! [`TeamClient`](crate::TeamClient) can use the team, too.

use std::{fmt, sync::Arc};

pub use teammate_core::{
    MemberName, Message, Timestamp,
    mail::{CONTENT_BYTES_MAX, INBOX_BYTES_MAX},
    port::{
        Archive, Batch, BatchId, BoxFuture, Damage, DamagedLine, Doorbells, Durability,
        EventReader, EventStore, FileError, HostError, Journal, JournalError, JournalRead,
        Listening, LockHolder, MailError, Mailbox, OpenTranscript, Presence, Record, RecordWriter,
        SeenPresence, Tail, TeamClaim, Transcript, TranscriptError, TranscriptStore,
        UnverifiedLine,
    },
    team::TeamEvent,
    transcript::{Entry, Gap},
};

/// Where a team keeps what it knows. Only one process may run a team on it at a time.
#[derive(Clone)]
pub struct Store {
    /// The team's journal.
    pub journal: Arc<dyn Journal>,
    /// Everybody's mailbox.
    pub mailbox: Arc<dyn Mailbox>,
    /// Everybody's transcript.
    pub transcripts: Arc<dyn TranscriptStore>,
    /// Where what ended groups leave behind is put.
    pub archive: Arc<dyn Archive>,
}

/// A store that several processes use at once: one runs the team, the others look at it and act as the user. Files are one. Each
/// user of the store has a value of its own, whose doorbells nobody else waits for.
#[derive(Clone)]
pub struct TeamStore {
    /// Where the team keeps what it knows.
    pub store: Store,
    /// Where its events are kept.
    pub events: Arc<dyn EventStore>,
    /// Which process runs it.
    pub presence: Arc<dyn Presence>,
    /// How this process hears of the others.
    pub doorbells: Arc<dyn Doorbells>,
}

/// Gives one more user of a store, in this process or in another, a value of its own. Two are equal if one is a clone of the other.
#[derive(Clone)]
pub struct SharedStore {
    open: Arc<dyn Fn() -> TeamStore + Send + Sync>,
    name: Option<Arc<str>>,
}

impl SharedStore {
    /// `open` is called for each user of the store.
    pub fn new(open: impl Fn() -> TeamStore + Send + Sync + 'static) -> Self {
        Self {
            open: Arc::new(open),
            name: None,
        }
    }

    /// Gives the team a name that it has wherever it is opened: its records on one machine are in one place, whatever the
    /// workspace.
    #[must_use]
    pub fn known_as(self, name: &str) -> Self {
        Self {
            name: Some(name.into()),
            ..self
        }
    }

    /// The team's name, if it has one that is the same everywhere.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The store for one more user of it.
    pub fn open(&self) -> TeamStore {
        (self.open)()
    }
}

impl PartialEq for SharedStore {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.open, &other.open)
    }
}

impl Eq for SharedStore {}

impl fmt::Debug for SharedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedStore").finish_non_exhaustive()
    }
}

/// Where a team that is opened keeps what it knows.
#[derive(Clone)]
pub(crate) enum KeptIn {
    /// In its directory.
    Files,
    /// In a store of the program's own, which no other process can use.
    Own(Store),
    /// In a store that others use, too: this gives one more of them its way to it.
    Shared(SharedStore),
}

/// The doorbells of a store that no other process uses.
pub(crate) struct NoDoorbells;

impl Doorbells for NoDoorbells {}
