//! What a store of one's own implements, in place of the files of a team.
//!
//! A team keeps three logs and nothing else that it reads back: the [`Journal`] of the team, each member's
//! [`Mailbox`], and each member's transcript ([`TranscriptStore`]). Each trait says what must hold.
//! `examples/own_store.rs` has all of them in memory.

use std::sync::Arc;

pub use teammate_core::{
    MemberName, Message, Timestamp,
    mail::{CONTENT_BYTES_MAX, INBOX_BYTES_MAX},
    port::{
        Archive, Batch, BatchId, BoxFuture, Damage, DamagedLine, Durability, FileError, Journal,
        JournalError, JournalRead, MailError, Mailbox, OpenTranscript, Record, Tail, Transcript,
        TranscriptError, TranscriptStore, UnverifiedLine,
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
