//! Which files deny rules close to commands now. Rules are patterns, and a view covers files: so what is there is looked for before
//! each command, in the workspace and in every worktree, since commands see all of them.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::permission::{FileWall, FileWalls, Rule, WallStart};

use crate::DEPTH_MAX;

const GIT: &str = ".git";

/// How many files and directories are looked at before a command.
const ENTRIES_MAX: usize = 300_000;

/// How many are covered in a view, each by a mount.
const COVERED_MAX: usize = 4_096;

/// The deny rules of a team about files.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClosedFiles {
    walls: Arc<FileWalls>,
    workspace: PathBuf,
}

/// The files that are closed now.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Closed {
    /// The paths that commands do not see.
    pub(crate) hidden: Arc<[PathBuf]>,
    /// The paths that they do not change.
    pub(crate) fixed: Arc<[PathBuf]>,
}

impl ClosedFiles {
    pub(crate) fn of(deny: &[Rule], workspace: &Path) -> Self {
        Self {
            walls: Arc::new(FileWalls::of(deny)),
            workspace: workspace.to_owned(),
        }
    }

    /// The rules, in words; `None` if there are none.
    pub(crate) fn describe(&self) -> Option<String> {
        let rules: Vec<String> = self.walls.rules().map(Rule::describe).collect();
        (!rules.is_empty()).then(|| rules.join(", "))
    }

    /// The files that are closed now to commands that work in `dir`, where worktrees stand in `worktrees`. Directories of
    /// `teams` are not looked into.
    ///
    /// # Errors
    ///
    /// There is so much that not all of it can be found or covered: then no command may run.
    pub(crate) fn now(
        &self,
        dir: &Path,
        worktrees: &Path,
        teams: &[PathBuf],
    ) -> io::Result<Closed> {
        if self.walls.is_empty() {
            return Ok(Closed::default());
        }
        let mut roots = vec![self.workspace.clone(), dir.to_owned()];
        let others = fs::read_dir(worktrees).into_iter().flatten().flatten();
        roots.extend(others.map(|entry| entry.path()));
        roots.sort();
        roots.dedup();
        let mut look = ClosedLook {
            walls: &self.walls,
            teams,
            left: ENTRIES_MAX,
            found: [Vec::new(), Vec::new()],
        };
        for root in roots.iter().filter(|root| root.is_dir()) {
            for start in self.walls.starts(root) {
                look.below(&start, root)?;
            }
        }
        let [hidden, fixed] = look.found.map(|mut paths| {
            paths.sort();
            paths.dedup();
            paths.into()
        });
        Ok(Closed { hidden, fixed })
    }
}

/// One look at what is there.
struct ClosedLook<'a> {
    walls: &'a FileWalls,
    teams: &'a [PathBuf],
    left: usize,
    /// The hidden paths, and the fixed ones.
    found: [Vec<PathBuf>; 2],
}

impl ClosedLook<'_> {
    /// Looks at a place and at what is below it, for a command that runs in `root`.
    fn below(&mut self, start: &WallStart, root: &Path) -> io::Result<()> {
        let depth = start.depth.unwrap_or(DEPTH_MAX).min(DEPTH_MAX);
        let mut waiting = vec![(start.path.clone(), depth)];
        while let Some((path, depth)) = waiting.pop() {
            self.left = self
                .left
                .checked_sub(1)
                .ok_or_else(|| too_many("look at", ENTRIES_MAX))?;
            let within = path.strip_prefix(root).unwrap_or(&path);
            let wall = self.walls.at(&path, within);
            if let Some(wall) = wall {
                self.close(&path, wall, root)?;
            }
            // A link is followed where the rule names it, as a person would.
            let is_dir = match path == start.path {
                true => path.is_dir(),
                false => fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()),
            };
            let is_left_out = path != start.path
                && (path.file_name().is_some_and(|name| name == GIT) || self.teams.contains(&path));
            if !is_dir || is_left_out || depth == 0 || wall == Some(FileWall::Hidden) {
                continue;
            }
            // What we may not list, commands may not either: they are the same user.
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            waiting.extend(entries.map(|entry| (entry.path(), depth - 1)));
        }
        Ok(())
    }

    fn close(&mut self, path: &Path, wall: FileWall, root: &Path) -> io::Result<()> {
        let Ok(real) = path.canonicalize() else {
            return Ok(());
        };
        // A link to what the workspace stands in would close the workspace with it.
        if real != path && real.is_dir() && root.starts_with(&real) {
            return Ok(());
        }
        let [hidden, fixed] = &mut self.found;
        let found = match wall {
            FileWall::Hidden => hidden,
            FileWall::ReadOnly => fixed,
        };
        found.push(real);
        match found.len() > COVERED_MAX {
            true => Err(too_many("close", COVERED_MAX)),
            false => Ok(()),
        }
    }
}

fn too_many(what: &str, most: usize) -> io::Error {
    io::Error::other(format!(
        "the rules that deny files make it {what} more than {most} files, and what they close would be open; narrow their \
         patterns, as config/*.key or secrets/**"
    ))
}

#[cfg(test)]
mod tests {
    use teammate_core::permission::RuleOrigin;

    use super::*;

    /// A workspace with a worktree, and what the rules close in it, by paths from there.
    fn closed(rules: &[&str]) -> [Vec<String>; 2] {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let root = top.join("work");
        for file in [
            ".env",
            "a/b/key.pem",
            "a/key.pem",
            "a/deep/er/x.key",
            "secrets/one",
            "secrets/two",
            ".git/config.pem",
            ".team/outputs/o.pem",
            ".team/worktrees/alice/.env",
            ".team/worktrees/alice/a/key.pem",
        ] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        std::os::unix::fs::symlink("..", root.join("a/up.pem")).unwrap();
        std::os::unix::fs::symlink("../.env", root.join("a/link.pem")).unwrap();
        let rules: Vec<Rule> = rules
            .iter()
            .map(|text| Rule::parse(text, RuleOrigin::User).unwrap())
            .collect();
        let files = ClosedFiles::of(&rules, &root);
        let worktrees = root.join(".team/worktrees");
        let found = files.now(&worktrees.join("alice"), &worktrees, &[root.join(".team")]);
        let Closed { hidden, fixed } = found.unwrap();
        [hidden, fixed].map(|paths| {
            let shown = paths.iter().map(|path| path.strip_prefix(&root).unwrap());
            shown.map(|path| path.display().to_string()).collect()
        })
    }

    #[test]
    fn what_is_there_is_found_in_the_workspace_and_in_worktrees() {
        let [hidden, fixed] = closed(&["read_file(.env)", "edit(secrets/**)", "read(absent)"]);
        assert_eq!(hidden, [".env", ".team/worktrees/alice/.env"]);
        assert_eq!(fixed, ["secrets", "secrets/one", "secrets/two"]);
        let [hidden, fixed] = closed(&["read(**/*.pem)", "read(secrets/**)", "read(a/*/x.key)"]);
        let pem = ["a/b/key.pem", "a/key.pem"];
        let links = [".env", ".team/worktrees/alice/a/key.pem"];
        assert_eq!(hidden, [&links[..], &pem, &["secrets"]].concat());
        assert!(fixed.is_empty(), "{fixed:?}");
    }
}
