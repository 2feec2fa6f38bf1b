//! A program that drives ours.

use std::path::PathBuf;

/// What runs a client, with its first words, and where, if not in the workspace.
pub(crate) struct Client {
    pub(crate) words: Vec<PathBuf>,
    pub(crate) dir: Option<PathBuf>,
}
