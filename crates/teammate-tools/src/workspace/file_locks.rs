//! Order among changes of a file: one lock for each, shared by the tools of all members in this process, and word to the guard of
//! commands that this content may stand there.
//!
//! Other processes know nothing of these locks; against them an edit compares before it
//! replaces.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Weak},
};

use teammate_core::{lock::Hold, port::Workspace};
use teammate_process::TeamSandbox;
use teammate_sandbox::Content;
use tokio::sync::OwnedMutexGuard;

/// How many locks there may be before unused ones are looked for.
const UNUSED_MAX: usize = 64;

/// Locks by resolved path. Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub(super) struct FileLocks(Arc<Mutex<HashMap<PathBuf, Weak<tokio::sync::Mutex<()>>>>>);

impl FileLocks {
    /// Waits until no other call changes the file.
    pub(super) async fn lock(&self, path: &Path) -> OwnedMutexGuard<()> {
        self.of(path).lock_owned().await
    }

    fn of(&self, path: &Path) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.hold();
        if let Some(lock) = locks.get(path).and_then(Weak::upgrade) {
            return lock;
        }
        if locks.len() >= UNUSED_MAX {
            locks.retain(|_, lock| lock.strong_count() > 0);
        }
        let lock = Arc::default();
        locks.insert(path.to_owned(), Arc::downgrade(&lock));
        lock
    }
}

/// The guard of one caller's files. A call of a file tool runs because the user, or what they set, allowed its content, so it may
/// stand there, also while commands run.
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
