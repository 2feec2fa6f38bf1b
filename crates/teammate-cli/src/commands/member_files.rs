//! Files that members named in their calls, as the user finds them.

use std::path::{Path, PathBuf};

use teammate::{MemberName, TeamPlace};

/// Where a team of the workspace is kept.
pub(super) fn team_dir(workspace: &Path, place: &TeamPlace) -> PathBuf {
    match place.team_name() {
        "default" => workspace.join(".team"),
        name => workspace.join(".teams").join(name),
    }
}

/// The file, if it is there: in the member's worktree or in the workspace.
///
/// Errors: a sentence for the user.
pub(super) fn find(
    path: &str,
    worktree_of: Option<&MemberName>,
    workspace: &Path,
    team: &Path,
) -> Result<PathBuf, String> {
    let path = Path::new(path);
    // What members call `/tmp` is not the user's.
    if path.is_absolute() && !path.starts_with(workspace) {
        let path = path.display();
        return Err(format!(
            "{path} is outside of the workspace: only commands of members see it"
        ));
    }
    let worktree = worktree_of.map(|name| team.join("worktrees").join(name.as_str()));
    let places = worktree.into_iter().chain([workspace.to_owned()]);
    let mut paths = places.map(|place| place.join(path));
    paths
        .find(|path| path.is_file())
        .ok_or_else(|| format!("{} is no longer there", path.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_in_the_worktree_of_its_member_or_in_the_workspace() {
        let dir = tempfile::tempdir().unwrap();
        let (workspace, team) = (dir.path().join("work"), dir.path().join("work/.team"));
        fs::create_dir_all(team.join("worktrees/alice")).unwrap();
        for path in ["a", ".team/out", ".team/worktrees/alice/a"] {
            fs::write(workspace.join(path), "").unwrap();
        }
        let found = |path: &str, is_apart: bool| {
            let name = MemberName::parse("alice").unwrap();
            find(path, is_apart.then_some(&name), &workspace, &team)
        };
        assert_eq!(found("a", false), Ok(workspace.join("a")));
        assert_eq!(found("a", true), Ok(team.join("worktrees/alice/a")));
        assert_eq!(found(".team/out", true), Ok(team.join("out")));
        let absolute = team.join("out").display().to_string();
        assert_eq!(found(&absolute, true), Ok(team.join("out")));
        assert!(found("/etc/passwd", false).unwrap_err().contains("outside"));
        assert_eq!(found("b", true).unwrap_err(), "b is no longer there");
    }
}
