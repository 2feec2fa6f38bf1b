//! Transcripts: a durable log for each member, with exactly one writer.

use crate::{MemberName, port::BoxFuture, transcript::Entry};

/// Where transcripts are kept.
pub trait TranscriptStore: Send + Sync {
    /// Opens a member's transcript and makes the caller its one owner until the value is dropped.
    ///
    /// Errors: [`TranscriptError::Owned`] if another process owns it.
    fn open<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>>;

    /// Reads a transcript without owning it.
    fn peek<'a>(
        &'a self,
        owner: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>>;
}

/// A transcript, opened.
pub struct OpenTranscript {
    /// To append to. Owns the member until dropped.
    pub log: Box<dyn Transcript>,
    /// What is in it.
    pub entries: Vec<Entry>,
    /// Lines that could not be read, and where they are kept, for a person.
    pub salvage: Vec<String>,
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
        /// Whose transcript.
        owner: MemberName,
        /// Who has it.
        by: String,
    },
    /// It cannot be written or read.
    #[error("{owner}'s transcript failed: {why}")]
    Broken {
        /// Whose transcript.
        owner: MemberName,
        /// What failed.
        why: String,
    },
}
