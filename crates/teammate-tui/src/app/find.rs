//! Looking for text in what is shown.

/// The search.
#[derive(Debug, Default)]
pub(crate) struct Find {
    /// The word that was looked for last; empty if there is none.
    pub(crate) word: String,
    /// The word that is being typed, until Enter takes it.
    pub(crate) typed: Option<String>,
}

/// A place where something was found: the row of a list, or a row of an entry of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) entry: u64,
    pub(crate) row: usize,
}

impl Find {
    pub(crate) fn marked(&self) -> Option<&str> {
        let word = self.typed.as_deref().unwrap_or(&self.word);
        (!word.is_empty()).then_some(word)
    }
}

/// Whether a text has the word in it, letter case aside.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    text.to_lowercase().contains(&word.to_lowercase())
}
