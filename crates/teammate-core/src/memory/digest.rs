//! Notes as the members' preamble tells them, within a budget of bytes.

use super::{MemoryNote, MemoryNotes};

/// The part of the budget that titles may take of notes that are not told whole, in percent.
const TITLES_PERCENT: usize = 25;

impl MemoryNotes {
    /// The notes that count as the members' preamble tells them: whole from the newest on while they have room in so many bytes,
    /// of others the titles. `None` if there is nothing to tell.
    pub fn digest(&self, bytes_max: usize) -> Option<String> {
        let counting: Vec<&MemoryNote> = self
            .notes()
            .iter()
            .filter(|note| !note.is_proposed())
            .collect();
        if counting.is_empty() {
            return None;
        }
        let whole = |note: &MemoryNote| format!("{}: {}\n", note.title, note.text);
        let all: usize = counting.iter().map(|note| whole(note).len()).sum();
        if all <= bytes_max {
            return Some(counting.iter().map(|note| whole(note)).collect());
        }
        let titles_max = bytes_max * TITLES_PERCENT / 100;
        let mut room = bytes_max - titles_max;
        let mut first_whole = counting.len();
        for (at, note) in counting.iter().enumerate().rev() {
            let Some(left) = room.checked_sub(whole(note).len()) else {
                break;
            };
            (room, first_whole) = (left, at);
        }
        let (older, newer) = counting.split_at(first_whole);
        Some(titles(older, titles_max) + &newer.iter().map(|note| whole(note)).collect::<String>())
    }
}

/// The titles of older notes, the newest first.
fn titles(older: &[&MemoryNote], bytes_max: usize) -> String {
    let mut line = String::new();
    let mut named = 0;
    for note in older.iter().rev() {
        if line.len() + note.title.len() + 2 > bytes_max {
            break;
        }
        let gap = if line.is_empty() { "" } else { "; " };
        line.push_str(&format!("{gap}{}", note.title));
        named += 1;
    }
    let more = match older.len() - named {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("Older notes, by their titles: {line}{more}\n")
}
