//! The workspace's repository and its worktrees, as git knows them.

use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
};

use teammate_core::port::{WorktreeError, WorktreeName};

use super::WorkspaceRepo;

/// Before a branch's name, where a tag of the same name is not meant.
pub(super) const HEADS: &str = "refs/heads/";

/// The repository that the workspace is in.
pub(crate) struct Repository {
    /// The topmost directory of the working tree that the workspace is in.
    pub(crate) top: PathBuf,
    /// The directory that is this working tree's alone.
    pub(crate) git_dir: PathBuf,
    /// The directory that all its worktrees share.
    pub(crate) common_dir: PathBuf,
    /// The workspace within it; empty if it is the whole.
    pub(crate) prefix: PathBuf,
    /// The commit that the workspace is at.
    pub(crate) head: String,
}

/// A worktree as git has it registered.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct RegisteredWorktree {
    pub(super) path: PathBuf,
    /// Nothing, if it has no commit.
    pub(super) head: Option<String>,
    /// Nothing, if it is on none.
    pub(super) branch: Option<String>,
    /// Why it is locked, if it is.
    pub(super) lock: Option<String>,
}

impl RegisteredWorktree {
    /// Whether its directory is there and is what it was.
    pub(super) fn exists(&self) -> bool {
        self.path.join(".git").is_file()
    }

    /// Git marks what it has begun to check out; in one that is idle, that was cut off.
    pub(super) fn is_incomplete(&self) -> bool {
        self.lock.as_deref() == Some("initializing")
    }
}

impl WorkspaceRepo {
    pub(crate) async fn repository(&self) -> Result<Repository, WorktreeError> {
        let find = [
            "rev-parse",
            "--path-format=absolute",
            "--show-toplevel",
            "--absolute-git-dir",
            "--git-common-dir",
            "--show-prefix",
        ];
        let found = self.git.run(&self.root, &find).await?;
        if !found.is_ok {
            return Err(if found.err.contains("not a git repository") {
                WorktreeError::NoRepository(self.root.clone())
            } else {
                found.refused("read the repository")
            });
        }
        let [top, git_dir, common_dir, prefix] = found.out.lines().collect::<Vec<_>>()[..] else {
            return Err(found.refused("tell where the repository is"));
        };
        let ours = GitPlaces {
            top: top.into(),
            git_dir: git_dir.into(),
            common_dir: common_dir.into(),
        };
        self.belongs_here(&ours).await?;
        let head = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
        let head = self.git.query(&self.root, &head).await?;
        Ok(Repository {
            top: ours.top,
            git_dir: ours.git_dir,
            common_dir: ours.common_dir,
            prefix: prefix.into(),
            head: head.ok_or(WorktreeError::NoCommit)?,
        })
    }

    /// The addresses of the remotes of the repository.
    pub(super) async fn remotes(&self) -> Result<Vec<String>, WorktreeError> {
        self.repository().await?;
        let list = ["config", "--get-regexp", "^remote\\..*\\.url$"];
        // Where there are none, git says nothing and is not content.
        let said = self.git.run(&self.root, &list).await?;
        let addresses = said.out.lines().filter_map(|line| line.split_once(' '));
        Ok(addresses.map(|(_, address)| address.to_owned()).collect())
    }

    /// The tree of the commit that is checked out at a place; nothing where there is none.
    pub(super) async fn tree(&self, place: &Path) -> Option<String> {
        let tree = ["rev-parse", "--verify", "--quiet", "HEAD^{tree}"];
        self.git.query(place, &tree).await.ok().flatten()
    }

    /// A digest of the files at a place: the last commit, and of what differs from it the names, sizes and times.
    pub(super) async fn files(&self, place: &Path) -> Option<String> {
        let tree = self.tree(place).await?;
        let changed = [
            "ls-files",
            "-z",
            "--modified",
            "--others",
            "--exclude-standard",
        ];
        let changed = self.git.query(place, &changed).await.ok()??;
        let mut digest = DefaultHasher::new();
        for name in changed.split('\0') {
            name.hash(&mut digest);
            let found = fs::symlink_metadata(place.join(name)).ok();
            let state = found.map(|found| (found.len(), found.modified().ok()));
            state.hash(&mut digest);
        }
        Some(format!("{tree}-{:016x}", digest.finish()))
    }

    /// All worktrees of the repository, the team's and others.
    pub(super) async fn registered(&self) -> Result<Vec<RegisteredWorktree>, WorktreeError> {
        let list = ["worktree", "list", "--porcelain"];
        let text = self.git.run_ok("list worktrees", &self.root, &list).await?;
        Ok(entries(&text))
    }

    /// The registered worktree of that name.
    pub(super) async fn entry(
        &self,
        name: &WorktreeName,
    ) -> Result<RegisteredWorktree, WorktreeError> {
        let entries = self.registered().await?;
        let place = self.path(name);
        if let Some(entry) = entries.iter().find(|entry| entry.path == place) {
            return Ok(entry.clone());
        }
        let known: Vec<String> = entries.iter().filter_map(|e| self.name_of(e)).collect();
        let known = if known.is_empty() {
            "none".to_owned()
        } else {
            known.join(", ")
        };
        Err(WorktreeError::Unknown {
            name: name.clone(),
            known,
        })
    }

    fn name_of(&self, entry: &RegisteredWorktree) -> Option<String> {
        let name = entry.path.strip_prefix(self.dir()).ok()?;
        Some(name.to_str()?.to_owned())
    }

    /// The team's own among them, by name.
    pub(super) async fn team_entries(
        &self,
    ) -> Result<Vec<(WorktreeName, RegisteredWorktree)>, WorktreeError> {
        let mut own: Vec<(WorktreeName, RegisteredWorktree)> = self
            .registered()
            .await?
            .into_iter()
            .filter_map(|entry| Some((WorktreeName::parse(&self.name_of(&entry)?).ok()?, entry)))
            .collect();
        own.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(own)
    }

    /// The commit that the worktree's branch is at, if there is such a branch.
    pub(super) async fn tip(&self, name: &WorktreeName) -> Result<Option<String>, WorktreeError> {
        let reference = format!("{HEADS}{}", self.branch(name));
        let tip = ["rev-parse", "--verify", "--quiet", &reference];
        self.git.query(&self.root, &tip).await
    }
}

/// Where git finds things; absolute paths.
///
/// A `.git` may be a file or a link that leads anywhere, and a directory of that name may share what is elsewhere: then
/// files of somebody else's repository would come into the workspace, and branches into that repository. It is ours if it is
/// in the directory itself, or if it names the directory in turn.
struct GitPlaces {
    top: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
}

impl WorkspaceRepo {
    async fn belongs_here(&self, found: &GitPlaces) -> Result<(), WorktreeError> {
        // A directory that merely looks like a repository, or the workspace is within one.
        if self.root.starts_with(&found.git_dir) {
            return Err(WorktreeError::NoRepository(self.root.clone()));
        }
        let dot = found.top.join(".git");
        let is_around = self.root.starts_with(resolved(&found.top));
        let is_plain = fs::symlink_metadata(&dot).is_ok_and(|found| found.is_dir());
        let is_ours = is_around
            && if is_plain {
                resolved(&dot) == resolved(&found.common_dir)
            } else {
                found.knows_as_worktree(&dot) || self.is_its_worktree(found).await?
            };
        if is_ours {
            return Ok(());
        }
        let git_dir = found.common_dir.clone();
        Err(WorktreeError::LeadsAway { dot, git_dir })
    }

    /// As in a submodule.
    async fn is_its_worktree(&self, found: &GitPlaces) -> Result<bool, WorktreeError> {
        let named = ["config", "--local", "--get", "core.worktree"];
        let named = self.git.query(&self.root, &named).await?;
        Ok(named.is_some_and(|named| resolved(&found.git_dir.join(named)) == resolved(&found.top)))
    }
}

impl GitPlaces {
    /// A linked worktree: what is known of it lies below what is shared, and names its `.git`.
    fn knows_as_worktree(&self, dot: &Path) -> bool {
        let shared = self.git_dir.parent().and_then(Path::parent);
        let named = fs::read_to_string(self.git_dir.join("gitdir")).unwrap_or_default();
        let named = self.git_dir.join(named.trim_end_matches('\n'));
        shared.is_some_and(|shared| resolved(shared) == resolved(&self.common_dir))
            && resolved(&named) == resolved(dot)
    }
}

fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn entries(text: &str) -> Vec<RegisteredWorktree> {
    let mut entries: Vec<RegisteredWorktree> = Vec::new();
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "worktree" {
            entries.push(RegisteredWorktree {
                path: rest.into(),
                ..RegisteredWorktree::default()
            });
            continue;
        }
        let Some(entry) = entries.last_mut() else {
            continue;
        };
        match word {
            "HEAD" => entry.head = Some(rest.to_owned()).filter(|head| has_commit(head)),
            "branch" => entry.branch = rest.strip_prefix(HEADS).map(str::to_owned),
            "locked" => entry.lock = Some(rest.to_owned()),
            _ => {}
        }
    }
    entries
}

/// A branch without a commit is at zero.
fn has_commit(head: &str) -> bool {
    head.bytes().any(|digit| digit != b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_s_list_is_read() {
        let text = "worktree /w\nHEAD 12ab\nbranch refs/heads/main\n\n\
            worktree /w/.team/worktrees/a b\nHEAD 0000\nbranch refs/heads/teammate/a\nlocked initializing\n\n\
            worktree /x\nHEAD 34cd\ndetached\nlocked\nprunable gitdir file points to non-existent location\n";
        let list = entries(text);
        assert_eq!(list.len(), 3);
        assert_eq!(
            (list[0].head.as_deref(), list[0].branch.as_deref()),
            (Some("12ab"), Some("main"))
        );
        assert_eq!(list[1].path, std::path::Path::new("/w/.team/worktrees/a b"));
        assert!(list[1].head.is_none() && list[1].is_incomplete());
        assert_eq!(list[2].lock.as_deref(), Some(""));
        assert!(list[2].branch.is_none() && !list[2].is_incomplete());
    }
}
