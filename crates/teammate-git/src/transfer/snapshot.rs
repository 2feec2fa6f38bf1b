//! Snapshots: the content of a place as a tree of its repository, made through an index of its own; all that git does not ignore,
//! up to limits of size.

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use teammate_core::{
    port::{LeftOut, LeftOutWhy, WorktreeError},
    team::CommitId,
};
use uuid::Uuid;

use super::{
    GitWorkTransfer,
    place::{RunIn, WorkPlace, id_of},
};

/// The most bytes of a file that is saved.
const FILE_BYTES_MAX: u64 = 16 << 20;
/// The most bytes of all files that are saved at once.
const ALL_BYTES_MAX: u64 = 48 << 20;
/// The most files that are saved at once.
const FILES_MAX: usize = 50_000;

/// The name of a throw-away index, before a number.
const INDEX: &str = "teammate-save-";

/// After what time nobody uses such an index any more.
const LEFT_AFTER: Duration = Duration::from_secs(3600);

/// The content of a place at a moment.
pub(super) struct Snapshot {
    /// The last commit.
    pub(super) head: CommitId,
    /// All files, committed or not, as a tree.
    pub(super) tree: CommitId,
    pub(super) left_out: Vec<LeftOut>,
}

impl GitWorkTransfer {
    /// All that is in a place, as a tree of the repository. Index, files and branch stay as they are.
    pub(super) async fn snapshot(&self, place: &WorkPlace) -> Result<Snapshot, WorktreeError> {
        let head = self.commit_of(place, "HEAD").await?;
        let status = [
            "status",
            "--porcelain",
            "-z",
            "--no-renames",
            "--untracked-files=all",
            "--ignore-submodules=dirty",
        ];
        let what = "look for changes";
        let status = self.git_with(place, &status, RunIn::default()).await?;
        let chosen = ChangedPaths::of(&status.bytes(what)?, &place.top);
        let tree = if chosen.is_empty() {
            self.tree_of_commit(place, &head).await?
        } else {
            let index = ThrowAway::new(&place.git_dir);
            self.tree_of(place, &chosen, &index.0).await?
        };
        Ok(Snapshot {
            head,
            tree,
            left_out: chosen.left_out,
        })
    }

    /// The last commit's tree with the chosen changes.
    async fn tree_of(
        &self,
        place: &WorkPlace,
        chosen: &ChangedPaths,
        index: &Path,
    ) -> Result<CommitId, WorktreeError> {
        let what = "save what is not committed";
        let run = |args: &'static [&'static str], input| async move {
            let index = Some(index);
            let said = self.git_with(place, args, RunIn { index, input }).await?;
            said.text(what)
        };
        run(&["read-tree", "HEAD"], Vec::new()).await?;
        if !chosen.gone.is_empty() {
            let remove = &["update-index", "-z", "--force-remove", "--stdin"];
            run(remove, chosen.gone.clone()).await?;
        }
        if !chosen.there.is_empty() {
            let add = &[
                "update-index",
                "-z",
                "--add",
                "--replace",
                "--remove",
                "--stdin",
            ];
            run(add, chosen.there.clone()).await?;
        }
        id_of(what, &run(&["write-tree"], Vec::new()).await?)
    }
}

/// Which files of a tree differ from its last commit, as lists for git with a zero behind each path.
#[derive(Debug, Default, PartialEq, Eq)]
struct ChangedPaths {
    /// Files and links to take as they are.
    there: Vec<u8>,
    /// Paths of deleted files, each ended by a NUL byte.
    gone: Vec<u8>,
    left_out: Vec<LeftOut>,
    bytes: u64,
    files: usize,
}

impl ChangedPaths {
    /// Reads `git status --porcelain -z --no-renames`.
    fn of(status: &[u8], top: &Path) -> Self {
        let mut chosen = Self::default();
        for entry in status.split(|byte| *byte == 0) {
            let (Some(state), Some(path)) = (entry.get(..2), entry.get(3..)) else {
                continue;
            };
            // In a conflict, what is there counts.
            let is_gone = state.contains(&b'D') && !state.contains(&b'U') && state != b"DD";
            if is_gone {
                chosen.remove(path);
            } else {
                chosen.take(path, top);
            }
        }
        chosen
    }

    fn is_empty(&self) -> bool {
        self.there.is_empty() && self.gone.is_empty()
    }

    fn remove(&mut self, path: &[u8]) {
        self.gone.extend_from_slice(path);
        self.gone.push(0);
    }

    fn take(&mut self, path: &[u8], top: &Path) {
        let Ok(found) = fs::symlink_metadata(top.join(OsStr::from_bytes(path))) else {
            return self.remove(path);
        };
        let bytes = found.len();
        let why = if !found.is_file() && !found.is_symlink() {
            Some(LeftOutWhy::NotAFile)
        } else if bytes > FILE_BYTES_MAX {
            Some(LeftOutWhy::TooLarge(bytes))
        } else if self.bytes + bytes > ALL_BYTES_MAX || self.files >= FILES_MAX {
            Some(LeftOutWhy::NoRoom)
        } else {
            None
        };
        if let Some(why) = why {
            let path = String::from_utf8_lossy(path).into_owned();
            self.left_out.push(LeftOut { path, why });
            return;
        }
        self.bytes += bytes;
        self.files += 1;
        self.there.extend_from_slice(path);
        self.there.push(0);
    }
}

/// An index that is removed again. One that a killed program left is never read.
struct ThrowAway(PathBuf);

impl ThrowAway {
    fn new(git_dir: &Path) -> Self {
        // What an earlier save left that was killed; another process may be at one of its own.
        let is_old = |entry: &fs::DirEntry| {
            let modified = entry.metadata().and_then(|found| found.modified());
            modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > LEFT_AFTER))
        };
        let found = fs::read_dir(git_dir).into_iter().flatten().flatten();
        for entry in found {
            if entry.file_name().to_string_lossy().starts_with(INDEX) && is_old(&entry) {
                let _ = fs::remove_file(entry.path());
            }
        }
        Self(git_dir.join(format!("{INDEX}{}", Uuid::now_v7().simple())))
    }
}

impl Drop for ThrowAway {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_taken_and_what_is_too_large_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        fs::write(path("new"), "new").unwrap();
        fs::create_dir(path("inner")).unwrap();
        fs::File::create(path("big"))
            .unwrap()
            .set_len(FILE_BYTES_MAX + 1)
            .unwrap();
        let status = b"?? new\0 D old\0D  both\0?? both\0UD mine\0?? big\0?? inner/\0";
        let chosen = ChangedPaths::of(status, dir.path());
        assert_eq!(chosen.there, b"new\0");
        assert_eq!(chosen.gone, b"old\0both\0both\0mine\0");
        let left: Vec<_> = chosen.left_out.iter().map(|left| &*left.path).collect();
        assert_eq!(left, ["big", "inner/"]);
    }
}
