//! Why a file of the team cannot be read or written.

/// Why a file of the team cannot be read or written, as a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The disk is full, broken or read-only. What was written before is kept.
    #[error("{0}")]
    Disk(String),
    /// Anything else: what is in the file's place, its permissions, its lock.
    #[error("{0}")]
    Other(String),
}

impl FileError {
    /// Whether the disk is full, broken or read-only.
    pub fn is_of_disk(&self) -> bool {
        match self {
            Self::Disk(_) => true,
            Self::Other(_) => false,
        }
    }
}

impl From<String> for FileError {
    fn from(text: String) -> Self {
        Self::Other(text)
    }
}

impl From<&str> for FileError {
    fn from(text: &str) -> Self {
        Self::Other(text.to_owned())
    }
}
