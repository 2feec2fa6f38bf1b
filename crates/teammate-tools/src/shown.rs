//! How a path is shown to a model: relative to its workspace where it is below that.

use std::path::{Path, PathBuf};

use teammate_core::port::ToolContext;

/// The path as the caller writes it.
pub(crate) fn shown_path(path: &Path, context: &ToolContext) -> PathBuf {
    let within = path.strip_prefix(&context.workspace.root);
    within.unwrap_or(path).to_owned()
}
