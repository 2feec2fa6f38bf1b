//! How much of a screen is shown at once. Whatever members write, a screen stays small, and says what it leaves out.

use crate::t;

/// The most entries of a list that are sent at once; the page asks for older ones.
pub const PAGE_MAX: usize = 200;

/// The most bytes of text in the entries of a list that are sent at once; there is always one.
const LIST_BYTES_MAX: usize = 256 << 10;

/// The most bytes of a line about something.
const LINE_BYTES_MAX: usize = 300;

/// The room that is left in a list.
#[derive(Debug)]
pub struct Room {
    entries: usize,
    bytes: usize,
}

/// The room of a list that nothing is in.
impl Default for Room {
    fn default() -> Self {
        Self {
            entries: 0,
            bytes: LIST_BYTES_MAX,
        }
    }
}

impl Room {
    /// Whether an entry with so many bytes of text has room, too; then it is in.
    pub fn takes(&mut self, bytes: usize) -> bool {
        if self.entries == PAGE_MAX || (self.entries > 0 && bytes > self.bytes) {
            return false;
        }
        self.entries += 1;
        self.bytes = self.bytes.saturating_sub(bytes);
        true
    }
}

/// The beginning of a text of any length, and where the rest is.
pub fn beginning(text: &str, bytes_max: usize, rest_is: &str) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let (kept, left) = text.split_at(text.floor_char_boundary(bytes_max));
    let left = left.len();
    t!(
        "{kept}\n\n… {left} bytes more: {rest_is}",
        kept,
        left,
        rest_is
    )
}

/// The end of a text of any length.
pub fn ending(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let (left, kept) = text.split_at(text.ceil_char_boundary(text.len() - bytes_max));
    let left = left.len();
    t!("… {left} bytes before\n\n{kept}", left, kept)
}

/// A text that stands in a line.
pub fn line(text: &str) -> String {
    match text.len() {
        0..=LINE_BYTES_MAX => text.to_owned(),
        _ => {
            let (kept, _) = text.split_at(text.floor_char_boundary(LINE_BYTES_MAX));
            format!("{kept}…")
        }
    }
}

/// Words one after the other; of many the first ones, and how many more there are.
pub fn joined(words: impl IntoIterator<Item = String>, max: usize) -> Vec<String> {
    let mut words = words.into_iter();
    let mut first: Vec<String> = words.by_ref().take(max).map(|word| line(&word)).collect();
    let more = words.count();
    if more > 0 {
        first.push(t!("and {more} more", more));
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_room_for_so_many_entries_and_bytes_and_always_for_one() {
        let mut room = Room::default();
        assert!(
            room.takes(10 << 20),
            "the first one is in, however long it is"
        );
        assert!(!room.takes(1));
        let mut room = Room::default();
        let taken = (0..1_000).filter(|_| room.takes(100)).count();
        assert_eq!(taken, PAGE_MAX);
    }

    #[test]
    fn a_text_is_cut_between_characters_and_says_how_much_is_left_out() {
        assert_eq!(beginning("short", 5, "there"), "short");
        assert_eq!(
            beginning("中中中", 4, "there"),
            "中\n\n… 6 bytes more: there"
        );
        assert_eq!(ending("中中中", 4), "… 6 bytes before\n\n中");
        assert_eq!(line(&"é".repeat(200)), format!("{}…", "é".repeat(150)));
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(joined(words, 2), ["a", "b", "and 1 more"]);
    }
}
