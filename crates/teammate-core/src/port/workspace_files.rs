//! Files of a workspace for a program of another make, which names them by path.

use std::path::Path;

/// Reads and writes text beneath one workspace, and nothing else. Blocks.
pub trait WorkspaceFiles: Send + Sync {
    /// Lines of a file.
    ///
    /// # Errors
    ///
    /// Why not, in a sentence: it is outside, closed by a rule, too long, or no text.
    fn read(&self, path: &Path, lines: LineRange) -> Result<String, String>;

    /// Writes a whole file.
    ///
    /// # Errors
    ///
    /// Why not, in a sentence: it is outside, a rule or the program keeps it from being written, the workspace may not be written,
    /// or it holds what the writer has not read.
    fn write(&self, path: &Path, text: &str) -> Result<(), String>;
}

/// Which lines of a file are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineRange {
    /// The first, from 1.
    pub first: usize,
    /// At most so many.
    pub count: usize,
}

impl LineRange {
    /// All of them.
    pub const ALL: Self = Self {
        first: 1,
        count: usize::MAX,
    };
}
