//! Where notes are kept that outlive a team.

use crate::memory::{MemoryNotes, MemoryRefusal, MemoryScope};

/// Keeps notes. Its methods block for moments.
pub trait MemoryStore: Send + Sync {
    /// The notes of one kind; none where none were written.
    fn read(&self, scope: MemoryScope) -> Result<MemoryNotes, MemoryError>;

    /// Changes them; durable when it returns, wholly or not at all. Changes of several processes follow each other.
    fn change(
        &self,
        scope: MemoryScope,
        change: &mut dyn FnMut(&mut MemoryNotes) -> Result<(), MemoryRefusal>,
    ) -> Result<(), MemoryError>;

    /// Today, as `2026-11-25`.
    fn today(&self) -> String;

    /// The team whose members these are.
    fn team(&self) -> &str;
}

/// Why notes are not read or changed; a sentence without its full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// They may not be changed in this way.
    #[error(transparent)]
    Refused(#[from] MemoryRefusal),
    /// The file cannot be used.
    #[error("{0}")]
    Files(String),
}
