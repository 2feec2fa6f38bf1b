//! A directory with all that is in it, for a yes to exactly that: whatever changes below it changes its hash. What could be
//! something else tomorrow without a change here (a link) is refused.

use std::{
    fs::{self, OpenOptions},
    io::{self, Read as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use ring::digest::{Context, SHA256};
use teammate_store::disk::open_regular;

use super::{parts::feed, user_state::hex};

const FILES_MAX: usize = 2_000;
const BYTES_MAX: u64 = 32 * 1024 * 1024;
const DEPTH_MAX: usize = 16;

/// The directory that a clone of a repository keeps for itself.
const GIT: &str = ".git";

/// A directory, whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    /// In order of their names.
    files: Vec<TreeFile>,
}

/// A file in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeFile {
    /// Its path below the directory, with `/`.
    pub(crate) name: String,
    is_executable: bool,
    pub(crate) bytes: Vec<u8>,
}

/// Why a directory cannot be taken as a whole.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// It holds something that leads elsewhere or is no file.
    #[error("{0} is neither a file nor a directory")]
    NoFile(PathBuf),
    /// A name is not readable text.
    #[error("a name in {0} is not readable text")]
    Name(PathBuf),
    /// It has too much in it.
    #[error("{path} has more than {FILES_MAX} files, {} MB or {DEPTH_MAX} levels", BYTES_MAX >> 20)]
    TooMuch {
        /// Which directory.
        path: PathBuf,
    },
    /// Something in it cannot be read.
    #[error("{path} cannot be read: {error}")]
    Files {
        /// What.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl Tree {
    /// Reads all of a directory, but for what git keeps for itself at its top. Without a directory it is empty.
    pub(crate) fn read(dir: &Path) -> Result<Self, TreeError> {
        let mut reading = Reading {
            top: dir,
            files: Vec::new(),
            bytes: 0,
        };
        match fs::symlink_metadata(dir) {
            Ok(found) if found.is_dir() => reading.walk(dir, "", DEPTH_MAX)?,
            Ok(_) => return Err(TreeError::NoFile(dir.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(dir, error)),
        }
        let mut files = reading.files;
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { files })
    }

    /// All files.
    pub(crate) fn files(&self) -> &[TreeFile] {
        &self.files
    }

    /// The file of this name.
    pub(crate) fn file(&self, name: &str) -> Option<&[u8]> {
        let found = self.files.iter().find(|file| file.name == name);
        found.map(|file| &*file.bytes)
    }

    /// Gives all of it to a hash: names, bytes, and what may be run.
    pub(crate) fn feed(&self, context: &mut Context) {
        for file in &self.files {
            context.update(&[u8::from(file.is_executable)]);
            feed(context, [file.name.as_bytes(), &file.bytes]);
        }
    }

    /// Writes all of it into a directory that is not there yet.
    pub(crate) fn write(&self, dir: &Path) -> io::Result<()> {
        fs::create_dir(dir)?;
        for file in &self.files {
            let path = dir.join(&file.name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&path, &file.bytes)?;
            if file.is_executable {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            }
        }
        Ok(())
    }

    /// Its hash.
    pub(crate) fn hash(&self) -> String {
        let mut context = Context::new(&SHA256);
        self.feed(&mut context);
        hex(context.finish().as_ref())
    }
}

struct Reading<'a> {
    top: &'a Path,
    files: Vec<TreeFile>,
    bytes: u64,
}

impl Reading<'_> {
    fn walk(&mut self, dir: &Path, shown: &str, deep: usize) -> Result<(), TreeError> {
        let too_much = || TreeError::TooMuch {
            path: self.top.to_owned(),
        };
        if deep == 0 {
            return Err(too_much());
        }
        let entries = fs::read_dir(dir).map_err(|error| failed(dir, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| failed(dir, error))?;
            let path = entry.path();
            let Ok(name) = entry.file_name().into_string() else {
                return Err(TreeError::Name(dir.to_owned()));
            };
            if name.contains(char::is_control) {
                return Err(TreeError::Name(dir.to_owned()));
            }
            if shown.is_empty() && name == GIT {
                continue;
            }
            let found = fs::symlink_metadata(&path).map_err(|error| failed(&path, error))?;
            let name = format!("{shown}{name}");
            if found.is_dir() {
                self.walk(&path, &format!("{name}/"), deep - 1)?;
            } else if found.is_file() {
                self.take(&path, name, found.permissions().mode() & 0o111 != 0)?;
            } else {
                return Err(TreeError::NoFile(path));
            }
        }
        Ok(())
    }

    fn take(&mut self, path: &Path, name: String, is_executable: bool) -> Result<(), TreeError> {
        let mut bytes = Vec::new();
        let room = BYTES_MAX - self.bytes;
        let opened = open_regular(OpenOptions::new().read(true), path);
        let read = opened.and_then(|file| file.take(room + 1).read_to_end(&mut bytes));
        read.map_err(|error| failed(path, error))?;
        self.bytes += bytes.len() as u64;
        if self.bytes > BYTES_MAX || self.files.len() >= FILES_MAX {
            return Err(TreeError::TooMuch {
                path: self.top.to_owned(),
            });
        }
        self.files.push(TreeFile {
            name,
            is_executable,
            bytes,
        });
        Ok(())
    }
}

fn failed(path: &Path, error: io::Error) -> TreeError {
    TreeError::Files {
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use std::{fs::Permissions, os::unix::fs::symlink};

    use super::*;

    fn tree() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().join("top");
        fs::create_dir_all(top.join("a/.b")).unwrap();
        fs::create_dir_all(top.join(".git")).unwrap();
        fs::write(top.join("a/.b/run.sh"), "echo hi").unwrap();
        fs::write(top.join(".hidden"), "x").unwrap();
        fs::write(top.join(".git/config"), "of git").unwrap();
        (dir, top)
    }

    fn hash(top: &Path) -> String {
        Tree::read(top).unwrap().hash()
    }

    #[test]
    fn whatever_changes_changes_the_hash() {
        let (_dir, top) = tree();
        let names = |top: &Path| {
            let tree = Tree::read(top).unwrap();
            tree.files()
                .iter()
                .map(|file| file.name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&top), [".hidden", "a/.b/run.sh"]);
        let first = hash(&top);
        assert_eq!(hash(&top), first);
        fs::write(top.join(".git/config"), "changed").unwrap();
        assert_eq!(hash(&top), first, "git's own is not a part of it");
        let script = top.join("a/.b/run.sh");
        fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
        let executable = hash(&top);
        assert_ne!(executable, first);
        fs::write(&script, "echo ho").unwrap();
        let changed = hash(&top);
        assert_ne!(changed, executable);
        fs::write(top.join("new"), "").unwrap();
        assert_ne!(hash(&top), changed);
        let more = hash(&top);
        fs::rename(top.join("new"), top.join("old")).unwrap();
        assert_ne!(hash(&top), more);
    }

    #[test]
    fn a_link_or_a_pipe_in_it_is_refused() {
        let (_dir, top) = tree();
        symlink("/etc/passwd", top.join("a/link")).unwrap();
        let refused = Tree::read(&top).unwrap_err();
        assert!(matches!(refused, TreeError::NoFile(path) if path.ends_with("a/link")));
        let elsewhere = top.with_file_name("elsewhere");
        symlink(&top, &elsewhere).unwrap();
        assert!(matches!(Tree::read(&elsewhere), Err(TreeError::NoFile(_))));
    }

    #[test]
    fn too_much_is_refused() {
        let (_dir, top) = tree();
        let file = fs::File::create(top.join("large")).unwrap();
        file.set_len(BYTES_MAX + 1).unwrap();
        assert!(matches!(Tree::read(&top), Err(TreeError::TooMuch { .. })));
        fs::remove_file(top.join("large")).unwrap();
        let mut deep = top.clone();
        for _ in 0..=DEPTH_MAX {
            deep.push("d");
        }
        fs::create_dir_all(deep).unwrap();
        assert!(matches!(Tree::read(&top), Err(TreeError::TooMuch { .. })));
    }

    #[test]
    fn what_is_not_there_is_empty() {
        let (_dir, top) = tree();
        let absent = Tree::read(&top.join("absent")).unwrap();
        assert_eq!(absent, Tree::default());
    }
}
