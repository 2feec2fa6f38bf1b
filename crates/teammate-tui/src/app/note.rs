//! The one line below the prompt about what was done last. It is as old as what it says: whatever is newer takes its place.

use std::time::{Duration, Instant};

/// How long a note stays if nothing newer comes.
const STAYS: Duration = Duration::from_secs(6);

/// The last note.
#[derive(Debug, Default)]
pub(crate) struct ShownNote {
    said: Option<NoteText>,
    /// Counts what was said: two notes of the same words are two.
    number: u64,
}

#[derive(Debug)]
struct NoteText {
    text: String,
    since: Instant,
    /// It is about work that is under way, and stays until that is done.
    is_under_way: bool,
}

impl ShownNote {
    /// Says something that has happened.
    pub(crate) fn say(&mut self, text: String) {
        self.set(text, false);
    }

    /// Says what is under way. The code that ends it takes the note back or says what came of it.
    pub(crate) fn say_while(&mut self, text: String) {
        self.set(text, true);
    }

    fn set(&mut self, text: String, is_under_way: bool) {
        self.number += 1;
        self.said = Some(NoteText {
            text,
            since: Instant::now(),
            is_under_way,
        });
    }

    /// Its words, if there is one.
    pub(crate) fn text(&self) -> Option<&str> {
        self.said.as_ref().map(|said| said.text.as_str())
    }

    /// Tells it apart from every other one.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Something newer has its place.
    pub(crate) fn take_back(&mut self) {
        self.said = None;
    }

    /// Ends the note about work that was under way.
    pub(crate) fn end_work(&mut self) {
        if self.said.as_ref().is_some_and(|said| said.is_under_way) {
            self.said = None;
        }
    }

    /// Takes back what has stood long enough.
    pub(crate) fn grow_old(&mut self) {
        let is_old = |said: &NoteText| !said.is_under_way && said.since.elapsed() > STAYS;
        if self.said.as_ref().is_some_and(is_old) {
            self.said = None;
        }
    }
}
