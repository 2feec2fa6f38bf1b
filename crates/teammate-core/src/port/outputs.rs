//! Where outputs are kept that are too long for a model.

use std::path::PathBuf;

use crate::port::{BoxFuture, ToolContext};

/// Files for long outputs.
pub trait OutputFiles: Send + Sync {
    /// Keeps the whole output of the caller's call; the path as the caller writes it.
    ///
    /// # Errors
    ///
    /// It could not be written, for this reason.
    fn file<'a>(
        &'a self,
        text: String,
        context: &'a ToolContext,
    ) -> BoxFuture<'a, Result<PathBuf, String>>;
}
