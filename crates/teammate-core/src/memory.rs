//! Memory across teams: short notes under titles, kept as Markdown that a person reads and edits. Who wrote a note stands in
//! it. What a note says informs; it grants nothing.
//!
//! Where the notes are kept is the adapter's business ([`MemoryStore`](crate::port::MemoryStore)).

mod digest;
mod markdown;

use std::fmt;

use serde::Serialize;

use crate::{MemberName, fence::is_invisible};

/// The most notes of one kind.
const NOTES_MAX: usize = 100;
/// The most characters of a title.
const TITLE_CHARS_MAX: usize = 80;
/// The most bytes of a note's text.
const TEXT_BYTES_MAX: usize = 2_000;

/// The subject of notes: the user, or a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryScope {
    /// The project: the workspace in which the team works.
    Project,
    /// The user, in all projects.
    User,
}

/// The notes of one kind, in the order in which they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryNotes {
    /// The text in the file before the first note.
    head: String,
    notes: Vec<MemoryNote>,
}

/// One note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryNote {
    /// The subject, in a line. Notes are distinguished by it, whatever its letters' case.
    pub title: String,
    pub text: String,
    /// The author; `None` if the user wrote it.
    pub by: Option<NoteOrigin>,
}

/// Which member wrote a note, and on whose words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoteOrigin {
    pub member: MemberName,
    pub team: String,
    /// The day, as `2026-11-25`.
    pub day: String,
    /// Whose words stood behind it, in a line.
    pub from: String,
    /// Whether it counts only after the user's yes.
    #[serde(rename = "waits")]
    pub is_proposed: bool,
}

/// The author of a change of notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteAuthor {
    /// The user, who may change all of them.
    User,
    /// A member, which may change what members wrote.
    Member(NoteOrigin),
}

/// Why notes are not changed: a sentence without its full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MemoryRefusal {
    #[error("a title is one line of 1 to {TITLE_CHARS_MAX} characters")]
    Title,
    #[error(
        "a note has 1 to {TEXT_BYTES_MAX} bytes; keep what will matter later, in several notes if need be"
    )]
    Text,
    /// There are too many.
    #[error("there are {NOTES_MAX} notes already; remove or replace one")]
    Full,
    #[error("there is no note '{0}'")]
    Unknown(String),
    /// The user wrote it.
    #[error("the user wrote the note '{0}', so only the user changes it")]
    OfUser(String),
    #[error(
        "the note '{0}' counts already, and what waits for the user's yes cannot replace it; choose another title"
    )]
    Counts(String),
    /// It does not wait for an answer.
    #[error("the note '{0}' does not wait for your yes")]
    NotProposed(String),
}

impl MemoryNotes {
    /// Begins the file with this, if it begins with nothing.
    #[must_use]
    pub fn with_head(mut self, head: &str) -> Self {
        if self.head.trim().is_empty() {
            self.head = head.to_owned();
        }
        self
    }

    /// All notes, also those that wait for the user's yes.
    pub fn notes(&self) -> &[MemoryNote] {
        &self.notes
    }

    /// The note of that title.
    pub fn note(&self, title: &str) -> Option<&MemoryNote> {
        self.notes.iter().find(|note| note.has_title(title))
    }

    /// Writes a note, in place of one of the same title. True if there was one.
    ///
    /// # Errors
    ///
    /// Why it is not written.
    pub fn write(
        &mut self,
        title: &str,
        text: &str,
        author: NoteAuthor,
    ) -> Result<bool, MemoryRefusal> {
        let title = title.trim();
        let is_title = !title.is_empty()
            && title.chars().count() <= TITLE_CHARS_MAX
            && !title.contains(|c: char| is_invisible(c) || c == '\n' || c == '\t');
        let text = text.trim();
        if !is_title {
            return Err(MemoryRefusal::Title);
        }
        if text.is_empty() || text.len() > TEXT_BYTES_MAX {
            return Err(MemoryRefusal::Text);
        }
        let place = self.place_of(title, &author)?;
        if place.is_none() && self.notes.len() >= NOTES_MAX {
            return Err(MemoryRefusal::Full);
        }
        // What was written last stands last.
        place.map(|place| self.notes.remove(place));
        self.notes.push(MemoryNote {
            title: title.to_owned(),
            text: text.to_owned(),
            by: match author {
                NoteAuthor::User => None,
                NoteAuthor::Member(origin) => Some(origin),
            },
        });
        Ok(place.is_some())
    }

    /// Removes a note.
    ///
    /// # Errors
    ///
    /// Why it is not removed.
    pub fn remove(&mut self, title: &str, author: &NoteAuthor) -> Result<(), MemoryRefusal> {
        match self.place_of(title, author)? {
            Some(place) => {
                self.notes.remove(place);
                Ok(())
            }
            None => Err(MemoryRefusal::Unknown(title.to_owned())),
        }
    }

    /// The user says yes to a note that waits for it.
    ///
    /// # Errors
    ///
    /// There is none that does.
    pub fn accept(&mut self, title: &str) -> Result<(), MemoryRefusal> {
        let found = self.notes.iter_mut().find(|note| note.has_title(title));
        let note = found.ok_or_else(|| MemoryRefusal::Unknown(title.to_owned()))?;
        match &mut note.by {
            Some(origin) if origin.is_proposed => {
                origin.is_proposed = false;
                Ok(())
            }
            Some(_) | None => Err(MemoryRefusal::NotProposed(title.to_owned())),
        }
    }

    /// The notes that count and have all these words in them, whatever their case.
    pub fn search<'a>(&'a self, words: &'a str) -> impl Iterator<Item = &'a MemoryNote> {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let counting = self.notes.iter().filter(|note| !note.is_proposed());
        counting.filter(move |note| {
            let all = format!("{}\n{}", note.title, note.text).to_lowercase();
            words.iter().all(|word| all.contains(word))
        })
    }

    fn place_of(&self, title: &str, author: &NoteAuthor) -> Result<Option<usize>, MemoryRefusal> {
        let title = title.trim();
        let place = self.notes.iter().position(|note| note.has_title(title));
        let known = place.map(|place| &self.notes[place]);
        match (author, known) {
            (NoteAuthor::Member(_), Some(note)) if note.by.is_none() => {
                Err(MemoryRefusal::OfUser(title.to_owned()))
            }
            (NoteAuthor::Member(origin), Some(note))
                if origin.is_proposed && !note.is_proposed() =>
            {
                Err(MemoryRefusal::Counts(title.to_owned()))
            }
            (NoteAuthor::Member(_) | NoteAuthor::User, _) => Ok(place),
        }
    }
}

impl MemoryNote {
    /// Whether it counts only after the user's yes.
    pub fn is_proposed(&self) -> bool {
        self.by.as_ref().is_some_and(|origin| origin.is_proposed)
    }

    fn has_title(&self, title: &str) -> bool {
        self.title.to_lowercase() == title.trim().to_lowercase()
    }
}

impl fmt::Display for NoteOrigin {
    /// As it stands in the file, without its marks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            member,
            team,
            day,
            from,
            ..
        } = self;
        write!(f, "by {member} of team {team}, {day}, from: {from}")
    }
}

#[cfg(test)]
mod tests;
