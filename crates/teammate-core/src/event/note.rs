//! Subjects of notes, for those who do not read prose.

use serde::{Deserialize, Serialize};

/// The subject of a note. Most are about nothing that a program could do something with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteAbout {
    /// Lines of the journal, of mail or of a transcript that could not be read, are missing, or do not count.
    Damage,
}
