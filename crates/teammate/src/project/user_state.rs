//! The user's decisions about workspaces: one file each, in the user's state directory, readable by no other user, and out of
//! members' reach.

mod record;

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write as _},
    os::unix::{
        ffi::OsStrExt as _,
        fs::{DirBuilderExt as _, OpenOptionsExt as _},
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

pub(crate) use self::record::unread;
use ring::digest::{SHA256, digest};
use rustix::{
    fs::{FlockOperation, flock},
    io::Errno,
};
use serde::{Serialize, de::DeserializeOwned};
use teammate_core::port::Durability;
use teammate_store::disk::{open_regular, read_regular};

/// How long a change waits for those of other processes, which take milliseconds.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// The pause between two tries.
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// Why something cannot be remembered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UserStateError {
    /// There is no state directory.
    #[error("there is no directory to store it in (HOME is not set)")]
    NoDirectory,
    /// Commands of the workspace's members could write there.
    #[error("{0} is inside the workspace, so members could change what is stored there")]
    InsideWorkspace(PathBuf),
    /// Another process holds the lock for too long.
    #[error("another process holds {} for more than {} s; it may be suspended or hang: `fuser -v {}` shows it", .0.display(), LOCK_WAIT.as_secs(), .0.display())]
    Locked(PathBuf),
    /// It cannot be read or written.
    #[error("your decision cannot be stored: {0}")]
    Files(#[from] io::Error),
    /// The file that is there is no record, in a sentence that names it.
    #[error("{0}")]
    Unusable(String),
}

/// How much of the digest is a short name.
const SHORT_CHARS: usize = 32;

/// The ending of the second copy of a record.
const COPY: &str = "copy";

/// A directory of such files.
#[derive(Debug, Clone)]
pub(crate) struct UserState {
    dir: Option<PathBuf>,
    /// Whether it may lie within the workspace that it is about.
    may_lie_within: bool,
    /// Whether each record has a copy beside it, and says itself whether it is whole.
    is_twice: bool,
}

impl UserState {
    /// Those of one kind, below the user's state directory.
    pub(crate) fn at(state: Option<&Path>, kind: &str) -> Self {
        Self {
            dir: state.map(|state| state.join(kind)),
            may_lie_within: false,
            is_twice: false,
        }
    }

    /// Also for workspaces that contain the directory itself, such as a home directory: only for what
    /// proves something together with the user's key, about which the user gets a warning.
    #[must_use]
    pub(crate) fn also_within_workspaces(self) -> Self {
        Self {
            may_lie_within: true,
            ..self
        }
    }

    /// Each record is kept twice, and read from the copy that is whole.
    #[must_use]
    pub(crate) fn kept_twice(self) -> Self {
        Self {
            is_twice: true,
            ..self
        }
    }

    /// Reads the record about a workspace, which must be resolved.
    ///
    /// Errors: [`UserStateError::Unusable`] if something else is there than a record.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
        workspace: &Path,
    ) -> Result<Option<T>, UserStateError> {
        let path = self.path(workspace)?;
        let first = record::read(&path);
        match &first {
            Ok(None) | Err(_) if self.is_twice => {
                let second = record::read(&path.with_extension(COPY));
                second.ok().flatten().map_or(first, |found| Ok(Some(found)))
            }
            Ok(_) | Err(_) => first,
        }
    }

    /// Keeps this about a workspace; durable when it returns, wholly or not at all.
    pub(crate) fn write(
        &self,
        workspace: &Path,
        what: &impl Serialize,
    ) -> Result<(), UserStateError> {
        let path = self.path(workspace)?;
        let bytes = serde_json::to_vec(what).map_err(io::Error::from)?;
        if !self.is_twice {
            return self.replace(&path, &bytes);
        }
        let bytes = record::with_check(bytes);
        self.replace(&path, &bytes)?;
        // Without the second one the first one counts: it is durable by now.
        let _ = replace_file(&path.with_extension(COPY), &bytes, Durability::Lazy);
        Ok(())
    }

    /// Keeps this about a workspace as [`write`](Self::write) does, but for a power cut: after it there may be what was there before, or
    /// nothing that can be read.
    pub(crate) fn note(
        &self,
        workspace: &Path,
        what: &impl Serialize,
    ) -> Result<(), UserStateError> {
        let path = self.path(workspace)?;
        let bytes = serde_json::to_vec(what).map_err(io::Error::from)?;
        self.made()?;
        Ok(replace_file(&path, &bytes, Durability::Lazy)?)
    }

    /// Replaces a file in this directory that is kept in another form.
    pub(crate) fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), UserStateError> {
        let dir = self.made()?;
        replace_file(path, bytes, Durability::Synced)?;
        Ok(File::open(dir)?.sync_all()?)
    }

    /// Forgets what is kept about a workspace; false if there is nothing.
    pub(crate) fn forget(&self, workspace: &Path) -> Result<bool, UserStateError> {
        let path = self.path(workspace)?;
        if self.is_twice {
            match fs::remove_file(path.with_extension(COPY)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                Ok(()) | Err(_) => {}
            }
        }
        match fs::remove_file(path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// How many there are at most: files of all kinds.
    pub(crate) fn count(&self) -> usize {
        let entries = self.dir.as_deref().and_then(|dir| fs::read_dir(dir).ok());
        entries.map_or(0, Iterator::count)
    }

    /// All that can be read.
    pub(crate) fn list<T: DeserializeOwned>(&self) -> Vec<T> {
        let entries = self.dir.as_deref().and_then(|dir| fs::read_dir(dir).ok());
        let paths = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        let is_record = |path: &PathBuf| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        };
        paths
            .filter(is_record)
            .filter_map(|path| serde_json::from_slice(&read_regular(&path).ok()?).ok())
            .collect()
    }

    /// Keeps other processes from changing anything until it is dropped.
    ///
    /// Errors: [`UserStateError::Locked`] if another process does that for long: it may be suspended.
    pub(crate) fn lock(&self) -> Result<File, UserStateError> {
        self.lock_within(LOCK_WAIT)
    }

    fn lock_within(&self, wait: Duration) -> Result<File, UserStateError> {
        let path = self.made()?.join("lock");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let file = open_regular(&options, &path)?;
        let begun = Instant::now();
        loop {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(file),
                Err(Errno::WOULDBLOCK) if begun.elapsed() > wait => {
                    return Err(UserStateError::Locked(path));
                }
                Err(Errno::WOULDBLOCK) => thread::sleep(LOCK_PAUSE),
                Err(error) => return Err(io::Error::from(error).into()),
            }
        }
    }

    /// The path of a file about a workspace with another ending, for what is kept in another form.
    pub(crate) fn file(&self, workspace: &Path, ending: &str) -> Result<PathBuf, UserStateError> {
        self.made()?;
        Ok(self.path(workspace)?.with_extension(ending))
    }

    /// The path of a file with a short name, for sockets: systems take paths of about a hundred bytes only.
    pub(crate) fn short_file(
        &self,
        workspace: &Path,
        ending: &str,
    ) -> Result<PathBuf, UserStateError> {
        let file = self.file(workspace, ending)?;
        let name = file.file_stem().and_then(|name| name.to_str());
        let name: String = name.unwrap_or_default().chars().take(SHORT_CHARS).collect();
        Ok(file.with_file_name(name).with_extension(ending))
    }

    fn made(&self) -> Result<&Path, UserStateError> {
        let dir = self.dir.as_deref().ok_or(UserStateError::NoDirectory)?;
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        Ok(dir)
    }

    fn path(&self, workspace: &Path) -> Result<PathBuf, UserStateError> {
        let dir = self.dir.as_deref().ok_or(UserStateError::NoDirectory)?;
        if !self.may_lie_within {
            let above = dir.ancestors().find_map(|dir| dir.canonicalize().ok());
            if above.is_some_and(|above| above.starts_with(workspace)) {
                return Err(UserStateError::InsideWorkspace(dir.to_owned()));
            }
        }
        let name = hex(digest(&SHA256, workspace.as_os_str().as_bytes()).as_ref());
        Ok(dir.join(name).with_extension("json"))
    }
}

/// Replaces a file at once; its name is durable when its directory is synced.
fn replace_file(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    let ending = path.extension().unwrap_or_default().display();
    let new = path.with_extension(format!("{ending}.{}.tmp", std::process::id()));
    // One of a process that was killed may have been left.
    let _ = fs::remove_file(&new);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&new)?;
    file.write_all(bytes)?;
    match durability {
        Durability::Synced => file.sync_all()?,
        Durability::Lazy => {}
    }
    fs::rename(&new, path)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_somebody_keeps_is_an_error_that_names_it() {
        let state = tempfile::tempdir().unwrap();
        let kept = UserState::at(Some(state.path()), "teams");
        let held = kept.lock().unwrap();
        let refused = kept.lock_within(Duration::from_millis(20)).unwrap_err();
        let path = state.path().join("teams/lock");
        assert!(
            matches!(&refused, UserStateError::Locked(named) if *named == path),
            "{refused}"
        );
        assert!(refused.to_string().contains(&path.display().to_string()));
        drop(held);
        kept.lock_within(Duration::from_millis(20)).unwrap();
    }
}
