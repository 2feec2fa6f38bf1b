//! The repositories below a workspace, found once. Commands do not change what git runs in them.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use ignore::WalkBuilder;

use crate::DEPTH_MAX;

const GIT: &str = ".git";

/// The longest ignore file that is read, in bytes.
const IGNORE_BYTES_MAX: u64 = 1 << 20;

/// How many files and directories are looked at. A larger workspace's other repositories are not found.
const ENTRIES_MAX: usize = 200_000;

/// The entries `.git` below one workspace, but for the workspace's own and for what git ignores: what a build makes is removed by
/// the next one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Repositories(Option<Arc<RepositorySearch>>);

#[derive(Debug)]
struct RepositorySearch {
    root: PathBuf,
    /// Directories that are left out.
    teams: Vec<PathBuf>,
    found: OnceLock<Arc<[PathBuf]>>,
}

impl Repositories {
    /// Begins to search, in a thread of its own: a large workspace does not keep the team from being opened.
    pub(crate) fn of(root: &Path, teams: Vec<PathBuf>) -> Self {
        let search = Arc::new(RepositorySearch {
            root: root.to_owned(),
            teams,
            found: OnceLock::new(),
        });
        let own = search.clone();
        // If there can be no thread, the first command does it.
        let _ = std::thread::Builder::new()
            .name("repositories".into())
            .spawn(move || drop(own.found()));
        Self(Some(search))
    }

    /// All of the workspace.
    pub(crate) fn all(&self) -> Arc<[PathBuf]> {
        let search = self.0.as_ref();
        search.map_or_else(Arc::default, |search| search.found())
    }

    /// Those below this directory, once they are found. None are known but for the workspace.
    pub(crate) fn below(&self, dir: &Path) -> Arc<[PathBuf]> {
        let search = self.0.as_ref().filter(|search| search.root == dir);
        search.map_or_else(Arc::default, |search| search.found())
    }
}

impl RepositorySearch {
    fn found(&self) -> Arc<[PathBuf]> {
        self.found.get_or_init(|| self.run()).clone()
    }

    fn run(&self) -> Arc<[PathBuf]> {
        let (root, teams) = (self.root.clone(), self.teams.clone());
        let is_sound = has_sound_ignore_files(&root);
        let walk = WalkBuilder::new(&root)
            .standard_filters(false)
            .git_ignore(is_sound)
            .require_git(false)
            .follow_links(false)
            .max_depth(Some(DEPTH_MAX))
            .filter_entry(move |entry| {
                let is_inside = entry.path().parent().is_some_and(|dir| dir.ends_with(GIT));
                let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
                !is_inside
                    && !teams.iter().any(|team| entry.path() == team)
                    && (!is_dir || has_sound_ignore_files(entry.path()))
            })
            .build();
        walk.take(ENTRIES_MAX)
            .filter_map(Result::ok)
            .map(ignore::DirEntry::into_path)
            .filter(|path| path.ends_with(GIT) && path.parent() != Some(root.as_path()))
            .collect()
    }
}

/// Whether what says what to ignore in a directory can be read to its end: a pipe or a device in the place of a file cannot.
pub fn has_sound_ignore_files(dir: &Path) -> bool {
    [".gitignore", ".ignore"].iter().all(|name| {
        // What is not there, or is a directory, is not read.
        fs::metadata(dir.join(name)).map_or(true, |data| {
            data.is_dir() || data.is_file() && data.len() <= IGNORE_BYTES_MAX
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_below_a_workspace_are_found_but_for_ignored_ones_and_teams() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for made in [
            ".git/objects/.git",
            "vendor/a/.git/hooks",
            "vendor/a/sub/.git",
            ".hidden/b/.git",
            "target/tmp/c/.git",
            ".team/worktrees/d/.git",
        ] {
            fs::create_dir_all(root.join(made)).unwrap();
        }
        fs::create_dir(root.join("module")).unwrap();
        fs::write(root.join("module/.git"), "gitdir: ../.git/modules/m\n").unwrap();
        fs::write(root.join(".gitignore"), "target\n").unwrap();

        let repositories = Repositories::of(&root, vec![root.join(".team")]);
        let found = repositories.below(&root);
        let mut found: Vec<_> = found
            .iter()
            .map(|path| path.strip_prefix(&root).unwrap())
            .collect();
        found.sort();
        let wanted = [
            ".hidden/b/.git",
            "module/.git",
            "vendor/a/.git",
            "vendor/a/sub/.git",
        ];
        assert_eq!(found, wanted.map(Path::new));
        assert!(repositories.below(&root.join("vendor")).is_empty());
    }
}
