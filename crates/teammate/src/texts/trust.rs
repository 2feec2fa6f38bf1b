//! What the user has said yes to: for each workspace the hash of its agent definitions, permission rules and
//! the programs that its repository has git run. Another content
//! is not trusted.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{
    Project,
    kept::{Kept, KeptError},
};

/// The record of what is trusted.
#[derive(Debug, Clone)]
pub struct Trust {
    kept: Kept,
}

/// A workspace that is trusted as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// Which, as a path.
    pub workspace: String,
    /// The hash of what it gives rights by.
    pub agents: String,
}

impl Trust {
    /// The record in the user's state directory.
    pub fn at(state: Option<&Path>) -> Self {
        Self {
            kept: Kept::at(state, "trust"),
        }
    }

    /// Whether what was found in a workspace is trusted.
    pub fn has(&self, workspace: &Path, found: &Project) -> bool {
        let known = self.kept.read::<Trusted>(workspace);
        // Where nobody has said yes to anything, git is not started to look.
        matches!(known, Ok(Some(known)) if known.agents == found.hash())
    }

    /// Remembers that it is.
    pub fn give(&self, workspace: &Path, hash: &str) -> Result<(), KeptError> {
        let trusted = Trusted {
            workspace: workspace.to_string_lossy().into_owned(),
            agents: hash.to_owned(),
        };
        self.kept.write(workspace, &trusted)
    }

    /// Forgets it; false if it was not trusted.
    pub fn revoke(&self, workspace: &Path) -> Result<bool, KeptError> {
        self.kept.forget(workspace)
    }

    /// All that is trusted.
    pub fn list(&self) -> Vec<Trusted> {
        let mut all: Vec<Trusted> = self.kept.list();
        all.sort_by(|a, b| a.workspace.cmp(&b.workspace));
        all
    }
}
