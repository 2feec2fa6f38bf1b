//! What a workspace is before a team has worked there.

use std::path::Path;

use teammate_view::screens::welcome::WorkspaceKind;

/// Directories that say nothing about what somebody wants to do here.
const NO_WORK: [&str; 4] = [".git", ".team", ".teams", ".teammate"];

/// What a directory holds.
pub(super) fn beginning(workspace: &Path) -> WorkspaceKind {
    let is_work = |name: &std::ffi::OsStr| NO_WORK.iter().all(|known| name != *known);
    let entries = std::fs::read_dir(workspace).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    if !names.any(|name| is_work(&name)) {
        return WorkspaceKind::Empty;
    }
    let mut above = workspace.ancestors();
    match above.any(|dir| dir.join(".git").exists()) {
        true => WorkspaceKind::Repository,
        false => WorkspaceKind::Files,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_teams_own_directories_are_nothing_yet() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("new");
        fs::create_dir_all(dir.join(".team")).unwrap();
        assert_eq!(beginning(&dir), WorkspaceKind::Empty);
        fs::create_dir_all(dir.join(".git")).unwrap();
        assert_eq!(beginning(&dir), WorkspaceKind::Empty);
        fs::create_dir_all(dir.join("src")).unwrap();
        assert_eq!(beginning(&dir), WorkspaceKind::Repository);
        // A directory of a repository is one, too.
        fs::write(dir.join("src/a.rs"), "").unwrap();
        assert_eq!(beginning(&dir.join("src")), WorkspaceKind::Repository);
    }
}
