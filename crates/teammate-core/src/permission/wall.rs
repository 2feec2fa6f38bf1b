//! The paths that a rule about files closes to commands, and whether such a wall can stand there.

use std::path::PathBuf;

/// The part of a place that a deny rule about files closes to commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileWall {
    /// Its content may not be read: it is hidden.
    Hidden,
    /// It may not be written: it is read-only.
    ReadOnly,
}

/// Where something that a rule closes can stand.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WallStart {
    /// The place itself, or a directory above it. Absolute.
    pub path: PathBuf,
    /// How many directories below; `None`: any number.
    pub depth: Option<usize>,
}
