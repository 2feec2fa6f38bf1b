//! A team for one job, in a private directory outside of its workspace; it leaves nothing behind but work that is
//! not merged.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io,
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _},
    path::{Path, PathBuf},
};

use teammate_core::{
    GroupName,
    port::{Ids as _, RemovalReason, Worktrees},
};
use teammate_process::Leftovers;
use teammate_sandbox::SandboxRules;
use teammate_store::{
    clock::UuidV7Ids,
    disk::{open_regular, read_regular},
};

use crate::{
    TeamError,
    git_worktrees::{git_worktrees, trusted_programs},
    place::TeamPlace,
    project::UserDirs,
};

/// The beginning of the names of such directories.
const PREFIX: &str = "teammate-run-";

/// Locked by the process that uses the directory.
const LOCK: &str = "lock";

/// Says which workspace it is for, and the team's name.
const ABOUT: &str = "about.json";

/// A private directory with a team in it. End it with [`Ephemeral::end`]; what a killed process leaves, the next one ends.
pub struct Ephemeral {
    dir: PathBuf,
    workspace: PathBuf,
    team: GroupName,
    _lock: File,
}

impl Ephemeral {
    /// Makes the directory in the system's temporary directory, which must not lie in the workspace.
    pub fn begin(workspace: &Path) -> Result<Self, TeamError> {
        let unusable = |path: &Path| {
            let path = path.to_owned();
            move |why| TeamError::Directory { path, why }
        };
        let workspace = (workspace.canonicalize()).map_err(|why| TeamError::Workspace {
            path: workspace.to_owned(),
            why,
        })?;
        let temp = std::env::temp_dir();
        let temp = temp.canonicalize().map_err(unusable(&temp))?;
        if temp.starts_with(&workspace) {
            let why = "it is inside the workspace, where the team's commands could write to it; set TMPDIR";
            return Err(unusable(&temp)(io::Error::other(why)));
        }
        let id = UuidV7Ids.new_id().simple().to_string();
        // The end of it is random.
        let name = format!("run-{}", &id[id.len() - 12..]);
        let dir = temp.join(format!("teammate-{name}"));
        let team = GroupName::parse(&name).map_err(|why| unusable(&dir)(io::Error::other(why)))?;
        let lock = made(&dir, &workspace, &team).map_err(unusable(&dir))?;
        Ok(Self {
            dir,
            workspace,
            team,
            _lock: lock,
        })
    }

    /// The team in it.
    pub fn place(&self) -> TeamPlace {
        place(&self.dir, &self.workspace, &self.team)
    }

    /// Removes the directory with all that is in it, but for worktrees with work that is not merged, which are named. The team
    /// must be closed.
    pub async fn end(self, user: &UserDirs) -> Vec<String> {
        cleared(&self.dir, &self.place(), user).await
    }

    /// Ends what killed processes of this user have left, and names what stays of it: worktrees of other workspaces, and
    /// those with work that is not merged.
    pub async fn end_abandoned(workspace: &Path, user: &UserDirs) -> Vec<String> {
        let (Ok(temp), Ok(workspace)) = (
            std::env::temp_dir().canonicalize(),
            workspace.canonicalize(),
        ) else {
            return Vec::new();
        };
        let mut said = Vec::new();
        for dir in abandoned(&temp) {
            let Some((_lock, (of, team))) = taken(&dir) else {
                continue;
            };
            let has_worktrees = fs::read_dir(dir.join("team/worktrees"))
                .is_ok_and(|mut worktrees| worktrees.next().is_some());
            if of == workspace || !has_worktrees {
                Leftovers::end_strays(&dir.join("team"));
                said.extend(cleared(&dir, &place(&dir, &of, &team), user).await);
            }
        }
        said
    }
}

fn place(dir: &Path, workspace: &Path, team: &GroupName) -> TeamPlace {
    TeamPlace::away(workspace.to_owned(), team.clone(), dir.join("team"))
}

/// Makes the directory and locks it before it has the name by which it is found.
fn made(dir: &Path, workspace: &Path, team: &GroupName) -> io::Result<File> {
    let new = dir.with_extension("new");
    DirBuilder::new().mode(0o700).create(&new)?;
    let lock = File::create_new(new.join(LOCK))?;
    lock.try_lock()?;
    let about = serde_json::to_vec(&(workspace, team))?;
    fs::write(new.join(ABOUT), about)?;
    fs::rename(&new, dir)?;
    Ok(lock)
}

/// Directories of this user that may have been left.
fn abandoned(temp: &Path) -> Vec<PathBuf> {
    let me = rustix::process::geteuid().as_raw();
    let is_mine = |path: &PathBuf| {
        fs::symlink_metadata(path).is_ok_and(|data| data.is_dir() && data.uid() == me)
    };
    let entries = fs::read_dir(temp).into_iter().flatten().flatten();
    let is_one = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        name.starts_with(PREFIX) && !name.contains('.')
    };
    entries
        .filter(is_one)
        .map(|entry| entry.path())
        .filter(is_mine)
        .collect()
}

/// Takes a directory that no process uses. What it says of itself is checked.
fn taken(dir: &Path) -> Option<(File, (PathBuf, GroupName))> {
    let lock = open_regular(OpenOptions::new().read(true), &dir.join(LOCK)).ok()?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return None,
    }
    let about = read_regular(&dir.join(ABOUT)).ok()?;
    Some((lock, serde_json::from_slice(&about).ok()?))
}

/// Removes worktrees in which nothing would be lost, and then everything else. Names what stays.
async fn cleared(dir: &Path, place: &TeamPlace, user: &UserDirs) -> Vec<String> {
    let stay = match worktrees(place, user) {
        Some(worktrees) => remaining(&*worktrees).await,
        None => Vec::new(),
    };
    if stay.is_empty() {
        let removed = fs::remove_dir_all(dir);
        let failed = removed
            .err()
            .filter(|error| error.kind() != io::ErrorKind::NotFound);
        let said = failed.map(|error| format!("{} could not be removed: {error}", dir.display()));
        return said.into_iter().collect();
    }
    // The lock and what the directory is about stay with them, so that a later run finds it again.
    let team = dir.join("team");
    for entry in fs::read_dir(&team).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name() != "worktrees" {
            // A leftover does no harm.
            let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
        }
    }
    stay
}

fn worktrees(place: &TeamPlace, user: &UserDirs) -> Option<std::sync::Arc<dyn Worktrees>> {
    let site = place.site().ok()?;
    if !site.dir.join("worktrees").exists() {
        return None;
    }
    let workspace = &site.workspace;
    let sandbox = crate::sandbox::team_sandbox(user, SandboxRules::default(), workspace);
    Some(git_worktrees(
        &site,
        sandbox,
        trusted_programs(workspace, user),
    ))
}

/// The worktrees that are left after removing all that can be removed.
async fn remaining(worktrees: &dyn Worktrees) -> Vec<String> {
    let list = match worktrees.list().await {
        Ok(list) => list,
        Err(error) => return vec![format!("the worktrees of this run were kept: {error}")],
    };
    let mut stay = Vec::new();
    for status in list {
        let removed = worktrees
            .remove(&status.worktree.name, RemovalReason::CleaningUp)
            .await;
        if removed.is_err() {
            let path = status.worktree.path.display();
            stay.push(format!("its worktree is kept in {path}: {status}"));
        }
    }
    stay
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_directory_in_use_is_not_taken_and_a_left_one_is_removed() {
        let work = tempfile::tempdir().unwrap();
        let user = UserDirs::default();
        let run = Ephemeral::begin(work.path()).unwrap();
        let dir = run.dir.clone();
        assert!(taken(&dir).is_none(), "it is in use");
        assert_eq!(fs::metadata(&dir).unwrap().mode() & 0o777, 0o700);
        fs::create_dir_all(dir.join("team/agents")).unwrap();
        // As a kill leaves it.
        drop(run);
        Ephemeral::end_abandoned(work.path(), &user).await;
        assert!(!dir.exists());
        let run = Ephemeral::begin(work.path()).unwrap();
        let dir = run.dir.clone();
        assert_eq!(run.end(&user).await, [] as [String; 0]);
        assert!(!dir.exists());
    }
}
