//! Why a trial cannot begin.

use std::{io, path::PathBuf};

use super::own_files::CopyError;
use crate::TeamError;

/// Why a trial cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// There is no room for its workspace.
    #[error("{} cannot be made: {error}", path.display())]
    Place {
        /// Where.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file of its login.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// The machine's policy or the sandbox refuses it.
    #[error(transparent)]
    Team(#[from] TeamError),
}
