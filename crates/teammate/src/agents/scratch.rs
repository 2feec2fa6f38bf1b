//! The directory of one trial, which goes with it. It has copies of logins, so nobody else looks in, and one that a killed program
//! left is removed by the next.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use rustix::{
    io::Errno,
    process::{Pid, test_kill_process},
};

use super::trial_error::TrialError;

/// Below the user's state directory, what has the trials.
const TRIALS: &str = "agent-tests";

/// A directory that goes with its trial. Its name begins with the number of the process that made it.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one below the user's state directory.
    pub(super) fn below(state: Option<&Path>) -> Result<Self, TrialError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let below = state.map_or_else(std::env::temp_dir, |state| state.join(TRIALS));
        if state.is_some() {
            remove_abandoned(&below);
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = below.join(format!("{}-{number}", std::process::id()));
        let made = make(&path).and_then(|()| path.canonicalize());
        made.map(Self)
            .map_err(|error| TrialError::Place { path, error })
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// A directory in it.
    pub(super) fn make(&self, name: &str) -> Result<PathBuf, TrialError> {
        let path = self.0.join(name);
        match make(&path) {
            Ok(()) => Ok(path),
            Err(error) => Err(TrialError::Place { path, error }),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now, the next trial removes.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn make(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Removes what processes left that are no more.
fn remove_abandoned(trials: &Path) {
    for entry in fs::read_dir(trials).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.split_once('-'));
        let process = number.and_then(|(number, _)| Pid::from_raw(number.parse().ok()?));
        if process.is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH)) {
            // What cannot be removed stands in nobody's way.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn what_a_killed_program_left_is_removed_and_no_more() {
        let state = tempfile::tempdir().unwrap();
        let trials = state.path().join(TRIALS);
        // No process has this number.
        for name in ["2000000000-0", "1-0", "other"] {
            fs::create_dir_all(trials.join(name)).unwrap();
        }
        let scratch = Scratch::below(Some(state.path())).unwrap();
        let mode = fs::metadata(scratch.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        drop(scratch);
        let mut left: Vec<_> = fs::read_dir(&trials)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["1-0", "other"]);
    }
}
