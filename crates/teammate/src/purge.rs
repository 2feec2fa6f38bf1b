//! Keeps parts of a team for so long, and removes what is older: long outputs of commands, archives of ended groups, the part
//! of the event log that was set aside, and a whole team with its transcripts in which nothing has happened for so long. The
//! audit log is not removed.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use teammate_store::files::TeamDir;

/// For how long what is kept; `None`: until somebody removes it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeepFor {
    /// A team with its transcripts, since something happened in it.
    pub transcripts: Option<Duration>,
    /// Long outputs of commands.
    pub outputs: Option<Duration>,
    /// The archives that ended groups left behind.
    pub archives: Option<Duration>,
    /// The part of the event log that was set aside because the log was long.
    pub events: Option<Duration>,
}

/// A kind of what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    /// The team's directory, whole.
    Team,
    /// Long outputs of commands.
    Outputs,
    /// The archives that ended groups left behind.
    Archives,
    /// The part of the event log that was set aside.
    Events,
}

/// Files of one kind that are older than they are to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldFiles {
    /// The kind of file.
    pub kind: Kept,
    /// Files, or directories of which each is one thing.
    pub paths: Vec<PathBuf>,
    /// How large all of it is.
    pub bytes: u64,
    /// All of it was changed last before this.
    pub before: SystemTime,
}

impl Kept {
    /// The word for it in settings and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Team => "transcripts",
            Self::Outputs => "outputs",
            Self::Archives => "archives",
            Self::Events => "events",
        }
    }
}

impl fmt::Display for OldFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.paths.len();
        match self.kind {
            Kept::Team => f.write_str("the team with its transcripts")?,
            Kept::Outputs => write!(f, "outputs of commands: {count}")?,
            Kept::Archives => write!(f, "archives of ended teams: {count}")?,
            Kept::Events => f.write_str("the older part of the event log")?,
        }
        write!(f, ", {} bytes", self.bytes)
    }
}

/// The parts of a continuing team that are older than this.
pub(crate) fn old_parts(
    dir: &TeamDir,
    keep: &KeepFor,
    now: SystemTime,
) -> io::Result<Vec<OldFiles>> {
    let mut found = Vec::new();
    let mut add = |kind, paths: Vec<PathBuf>, before| -> io::Result<()> {
        if !paths.is_empty() {
            let bytes = paths
                .iter()
                .map(|path| size(path))
                .sum::<io::Result<u64>>()?;
            found.push(OldFiles {
                kind,
                paths,
                bytes,
                before,
            });
        }
        Ok(())
    };
    let before = |age: Option<Duration>| age.and_then(|age| now.checked_sub(age));
    if let Some(before) = before(keep.outputs) {
        let old = old_entries(&dir.outputs_dir(), before)?;
        add(Kept::Outputs, old, before)?;
    }
    if let Some(before) = before(keep.archives) {
        let old = old_entries(&dir.archive(), before)?;
        add(Kept::Archives, old, before)?;
    }
    if let Some(before) = before(keep.events) {
        let path = dir.old_events();
        let old = is_older(&path, before)?.then_some(path);
        add(Kept::Events, old.into_iter().collect(), before)?;
    }
    Ok(found)
}

/// Whether all of it is as old as it was when it was found, or has gone.
pub(crate) fn is_still_old(old: &OldFiles, dir: &TeamDir) -> io::Result<bool> {
    let is_old =
        |path: &Path| -> io::Result<bool> { Ok(changed(path)?.is_none_or(|at| at <= old.before)) };
    match old.kind {
        Kept::Team => is_old(&dir.journal()),
        Kept::Outputs | Kept::Archives | Kept::Events => {
            for path in &old.paths {
                if !is_old(path)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

/// Removes all of it. What has gone meanwhile is no error.
pub(crate) fn remove(old: &[OldFiles]) -> io::Result<()> {
    for path in old.iter().flat_map(|old| &old.paths) {
        let removed = match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            removed => removed?,
        }
    }
    Ok(())
}

/// The team, if nothing was written to its journal for so long.
pub(crate) fn old_team(dir: &TeamDir, before: SystemTime) -> io::Result<Option<OldFiles>> {
    let path = dir.path();
    let has_worktrees =
        fs::read_dir(path.join("worktrees")).is_ok_and(|mut found| found.next().is_some());
    if has_worktrees || !is_older(&dir.journal(), before)? {
        return Ok(None);
    }
    Ok(Some(OldFiles {
        kind: Kept::Team,
        paths: vec![path.to_owned()],
        bytes: size(path)?,
        before,
    }))
}

/// The entries of a directory that were changed last before this, in order. A link in its place has nothing in it.
fn old_entries(dir: &Path, before: SystemTime) -> io::Result<Vec<PathBuf>> {
    if !fs::symlink_metadata(dir).is_ok_and(|found| found.is_dir()) {
        return Ok(Vec::new());
    }
    let mut old = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if is_older(&path, before)? {
            old.push(path);
        }
    }
    old.sort();
    Ok(old)
}

/// Whether it is there, and was changed last before this.
fn is_older(path: &Path, before: SystemTime) -> io::Result<bool> {
    Ok(changed(path)?.is_some_and(|at| at <= before))
}

/// When it was changed last; `None` if it is not there.
fn changed(path: &Path) -> io::Result<Option<SystemTime>> {
    match fs::symlink_metadata(path) {
        Ok(found) => found.modified().map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn size(path: &Path) -> io::Result<u64> {
    let found = fs::symlink_metadata(path)?;
    if !found.is_dir() {
        return Ok(found.len());
    }
    fs::read_dir(path)?.map(|entry| size(&entry?.path())).sum()
}
