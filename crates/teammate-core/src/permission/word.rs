//! A word of a command, as far as it is known before it runs.

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
