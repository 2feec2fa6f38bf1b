//! Words of commands, as far as they are known before they run, and patterns of them in rules.

/// A word of a command, as the program will get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// Exactly this.
    Known(String),
    /// Only the shell will know: a variable, a substitution, a glob, or quoting that is not followed here. As it is
    /// written.
    Unknown(String),
}

impl Word {
    /// The word, if it is known before the shell runs.
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Known(text) => Some(text),
            Self::Unknown(_) => None,
        }
    }

    /// Whether a redirection to it, or from it, touches no file.
    pub(super) fn is_dev_null(&self) -> bool {
        self.known() == Some("/dev/null")
    }
}

/// The words that a pattern begins with, and whether more may follow.
pub(super) fn words_of(pattern: &str) -> (Vec<&str>, bool) {
    let prefix = pattern
        .strip_suffix(":*")
        .or_else(|| pattern.strip_suffix(" *"))
        .or((pattern == "*").then_some(""));
    let words = prefix.unwrap_or(pattern).split_whitespace();
    (words.collect(), prefix.is_some())
}
