//! Files of a workspace for a program of another make, which names them by path.

use std::path::Path;

/// Reads and writes text beneath one workspace, and nothing else. Blocks.
pub trait WorkspaceFiles: Send + Sync {
    /// The text of a file.
    ///
    /// # Errors
    ///
    /// Why not, in a sentence: it is outside, too long, or no text.
    fn read(&self, path: &Path) -> Result<String, String>;

    /// Writes a whole file.
    ///
    /// # Errors
    ///
    /// Why not, in a sentence: it is outside, nobody writes there, or the workspace may not be written.
    fn write(&self, path: &Path, text: &str) -> Result<(), String>;
}
