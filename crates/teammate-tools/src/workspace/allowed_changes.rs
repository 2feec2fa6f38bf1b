//! Changes by file tools where commands are guarded: such a call runs because the user, or what they set, allowed its content, so
//! it may stand there, also while commands run.

use std::{path::Path, sync::Arc};

use teammate_core::port::Workspace;
use teammate_process::TeamSandbox;
use teammate_sandbox::Content;

/// The guard of one caller's files.
#[derive(Debug, Clone)]
pub(crate) struct AllowedChanges {
    sandbox: TeamSandbox,
    workspace: Arc<Workspace>,
}

impl AllowedChanges {
    pub(super) fn of(sandbox: &TeamSandbox, workspace: &Arc<Workspace>) -> Self {
        Self {
            sandbox: sandbox.clone(),
            workspace: workspace.clone(),
        }
    }

    /// Before it is there: this content is about to come to this place. Blocks where that is a guarded one.
    pub(super) fn allow(&self, place: &Path, bytes: &[u8], is_executable: bool) {
        let Workspace { root, team_dir, .. } = &*self.workspace;
        if let Some(name) = place.strip_prefix(root).ok().and_then(Path::to_str) {
            let content = Content::File {
                bytes,
                is_executable,
            };
            self.sandbox
                .accept_if_guarded((root, team_dir), name, &content);
        }
    }
}
