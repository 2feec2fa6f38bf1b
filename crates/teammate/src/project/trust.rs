//! What the user trusts: for each workspace the hash of its agent definitions, permission rules, commands of the prompt and the
//! programs that its repository has git run. Another content is not trusted.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{
    ProjectSettings,
    user_state::{UserState, UserStateError},
};

/// The record of what is trusted.
#[derive(Debug, Clone)]
pub struct TrustStore {
    state: UserState,
}

/// A workspace that is trusted as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// Which, as a path.
    pub workspace: String,
    /// The hash of what it gives rights by.
    pub agents: String,
}

impl TrustStore {
    /// The record in the user's state directory.
    pub fn at(state: Option<&Path>) -> Self {
        Self {
            state: UserState::at(state, "trust"),
        }
    }

    /// Whether what was found in a workspace is trusted.
    pub fn is_trusted(&self, workspace: &Path, found: &ProjectSettings) -> bool {
        let known = self.state.read::<Trusted>(workspace);
        // If nothing is trusted, git is not started.
        matches!(known, Ok(Some(known)) if known.agents == found.hash())
    }

    /// Remembers that it is.
    pub fn grant(&self, workspace: &Path, hash: &str) -> Result<(), UserStateError> {
        let trusted = Trusted {
            workspace: workspace.to_string_lossy().into_owned(),
            agents: hash.to_owned(),
        };
        self.state.write(workspace, &trusted)
    }

    /// Forgets it; false if it was not trusted.
    pub fn revoke(&self, workspace: &Path) -> Result<bool, UserStateError> {
        self.state.forget(workspace)
    }

    /// All that is trusted.
    pub fn list(&self) -> Vec<Trusted> {
        let mut all: Vec<Trusted> = self.state.list();
        all.sort_by(|a, b| a.workspace.cmp(&b.workspace));
        all
    }
}
