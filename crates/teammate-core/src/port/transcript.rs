//! Transcripts: a durable log for each member, with exactly one writer.

use crate::{
    MemberName,
    port::{BoxFuture, FileError},
    transcript::{Entry, Gap},
};

/// Where transcripts are kept.
pub trait TranscriptStore: Send + Sync {
    /// Opens a member's transcript and makes the caller its one owner until the value is dropped.
    ///
    /// Errors: [`TranscriptError::Owned`] if another process owns it.
    fn open<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>>;

    /// Reads a transcript without owning it. Only entries that are proven to be the program's own are among them.
    fn peek<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>>;

    /// Reads as [`peek`](Self::peek) does, but only what is behind `mark`, and says how far it has read with that. What it costs is
    /// what is new, in a store that can go on from a mark; this default reads all again.
    fn peek_from<'a>(
        &'a self,
        owner: &'a MemberName,
        mark: ReadMark,
    ) -> BoxFuture<'a, Result<(Vec<Entry>, ReadMark), TranscriptError>> {
        Box::pin(async move {
            let entries = self.peek(owner).await?;
            Ok(mark.behind(entries, None))
        })
    }
}

/// How far a transcript was read. The default is its beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadMark {
    /// How many entries that is.
    pub entries: u64,
    /// Where the store goes on, in terms of its own: behind which place, and which line is the last before it. Without it, it reads
    /// all again.
    pub place: Option<(u64, String)>,
}

impl ReadMark {
    /// Of all entries those behind this mark, and the mark behind them, which is at this place.
    #[must_use]
    pub fn behind(
        &self,
        mut entries: Vec<Entry>,
        place: Option<(u64, String)>,
    ) -> (Vec<Entry>, Self) {
        let known = usize::try_from(self.entries).unwrap_or(usize::MAX);
        let all = entries.len() as u64;
        let new = entries.split_off(known.min(entries.len()));
        // Of one that has become shorter nothing is given out twice.
        let entries = all.max(self.entries);
        (new, Self { entries, place })
    }

    /// The mark so many entries on, at this place.
    #[must_use]
    pub fn read_on(&self, entries: usize, place: (u64, String)) -> Self {
        Self {
            entries: self.entries + entries as u64,
            place: Some(place),
        }
    }
}

/// A transcript, opened.
pub struct OpenTranscript {
    /// To append to. Owns the member until dropped.
    pub log: Box<dyn Transcript>,
    /// The entries that count: those that are proven to be the program's own.
    pub entries: Vec<Entry>,
    /// Where lines are missing among them or do not count, as far as that is known. They keep their numbers.
    pub gaps: Vec<Gap>,
    /// Damage of the rest and where it is kept, in sentences for the user.
    pub repairs: Vec<String>,
    /// Whether the end of the conversation is what the program wrote last.
    pub tail: Tail,
}

/// How far the end of a transcript is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// From the last answer of the model on, nothing is known to be missing, added or changed.
    Proven,
    /// Something at or after the last answer of the model is missing, changed or unproven. Tool calls that have no outcome here
    /// may have had one, or may never have been asked for.
    InDoubt,
}

/// An owned transcript.
pub trait Transcript: Send + Sync {
    /// Appends an entry. When this returns `Ok` it survives a power cut.
    fn append<'a>(&'a mut self, entry: &'a Entry) -> BoxFuture<'a, Result<(), TranscriptError>>;
}

/// Why a transcript cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// Another process owns it.
    #[error("{owner} is already running ({by})")]
    Owned {
        owner: MemberName,
        /// The process that has it.
        by: String,
    },
    /// It cannot be written or read.
    #[error("{owner}'s transcript failed: {why}")]
    Broken { owner: MemberName, why: FileError },
}
