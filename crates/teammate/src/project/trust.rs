//! The user's trust: for each workspace the hash of its agent definitions, permission rules, commands of the prompt and the
//! programs that its repository has git run. Another content is not trusted. Files that its hooks name have hashes of their
//! own: if one changes, only hooks that name it are not trusted.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{
    HookScripts, ProjectSettings,
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
    /// The files of the workspace that its hooks name.
    #[serde(default)]
    pub scripts: HookScripts,
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
        self.trusted(workspace, found).is_some()
    }

    /// The trusted content, if the user said yes to all that was found.
    pub fn trusted(&self, workspace: &Path, found: &ProjectSettings) -> Option<Trusted> {
        // If nothing is trusted, git is not started.
        let known = self.state.read::<Trusted>(workspace).ok()??;
        (known.agents == found.hash()).then_some(known)
    }

    /// Remembers that it is.
    pub fn grant(&self, workspace: &Path, found: &ProjectSettings) -> Result<(), UserStateError> {
        let trusted = Trusted {
            workspace: workspace.to_string_lossy().into_owned(),
            agents: found.hash(),
            scripts: found.hook_scripts(),
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
