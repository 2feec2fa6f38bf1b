//! The history of typed lines: up and down, and the search for a word.

/// The most entries that are kept.
pub const HISTORY_MAX: usize = 1_000;

/// The typed lines, oldest first, and the present place in them.
#[derive(Debug, Clone, Default)]
pub struct History {
    entries: Vec<String>,
    /// The entry that is shown; nothing while one types.
    at: Option<usize>,
    /// The text that was typed before one went up.
    draft: String,
}

impl History {
    /// Begins with these entries, oldest first.
    pub fn of(entries: impl IntoIterator<Item = String>) -> Self {
        let mut history = Self::default();
        entries.into_iter().for_each(|entry| history.add(&entry));
        history
    }

    /// Adds what was sent; the same text again moves to the end.
    pub fn add(&mut self, text: &str) {
        self.at = None;
        if text.trim().is_empty() {
            return;
        }
        self.entries.retain(|entry| entry != text);
        self.entries.push(text.to_owned());
        if self.entries.len() > HISTORY_MAX {
            self.entries.remove(0);
        }
    }

    /// The entry before the one that is shown; `typed` comes back on the way down.
    pub fn up(&mut self, typed: &str) -> Option<&str> {
        let at = match self.at {
            None => {
                typed.clone_into(&mut self.draft);
                self.entries.len()
            }
            Some(at) => at,
        };
        let at = at.checked_sub(1)?;
        self.at = Some(at);
        self.entries.get(at).map(String::as_str)
    }

    /// The entry after the one that is shown, or at last what was typed.
    pub fn down(&mut self) -> Option<&str> {
        let at = self.at? + 1;
        if at < self.entries.len() {
            self.at = Some(at);
            return self.entries.get(at).map(String::as_str);
        }
        self.at = None;
        Some(&self.draft)
    }

    /// The newest entry with this word that is older than `than`, and its number.
    pub fn find(&self, word: &str, than: Option<usize>) -> Option<(usize, &str)> {
        let older = &self.entries[..than.unwrap_or(self.entries.len())];
        let at = older.iter().rposition(|entry| entry.contains(word))?;
        Some((at, &older[at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> History {
        History::of(["one".into(), "two".into(), "one".into(), " ".into()])
    }

    #[test]
    fn up_and_down_pass_what_was_typed_and_come_back_to_it() {
        let mut history = history();
        assert_eq!(history.down(), None);
        assert_eq!(history.up("dra"), Some("one"));
        assert_eq!(history.up(""), Some("two"));
        assert_eq!(history.up(""), None, "the same text is there once");
        assert_eq!(history.down(), Some("one"));
        assert_eq!(history.down(), Some("dra"));
        assert_eq!(history.down(), None);
    }

    #[test]
    fn a_word_finds_the_newest_and_then_older_ones() {
        let history = History::of(["cargo test".into(), "ls".into(), "cargo run".into()]);
        assert_eq!(history.find("cargo", None), Some((2, "cargo run")));
        assert_eq!(history.find("cargo", Some(2)), Some((0, "cargo test")));
        assert_eq!(history.find("cargo", Some(0)), None);
    }
}
