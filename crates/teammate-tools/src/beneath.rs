//! Paths that do not leave the workspace. All file system calls by descriptor are in this module, and in `teammate_process::resolved`.
//!
//! A path is walked one component at a time from an open descriptor of the workspace, never following a link in the
//! kernel: links are read and walked like the rest, `..` goes back to a descriptor opened before. What comes out is a
//! [`ResolvedPath`]: an open directory and a name in it. Everything is done through that descriptor, so nothing that is
//! swapped after the check can lead elsewhere. The place also knows its resolved path, which is what permission
//! rules and the rules here (the team's directory, git's own files) are held against.
//!
//! This is no sandbox: programs started by `bash` open what they like.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{self, Mode, OFlags},
    io::Errno,
};
use teammate_core::{permission::Location, port::Workspace, tool::Outcome};
use teammate_process::{
    DEPTH_MAX,
    resolved::{self, DIRECTORY},
};
use teammate_sandbox::TMP_DIRS;

mod staged;
mod walk;

pub(crate) use staged::{ExpectedFile, Placed, Staged};
use walk::DirectoryWalk;

/// The intent with which a path is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Intent {
    /// Reading. The kept outputs of tools may be read as well.
    Look,
    /// Writing.
    Change,
}

/// Why a path is not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PathError {
    #[error("the path is empty; give one relative to the workspace, such as src/main.rs")]
    Empty,
    #[error("the path has a NUL character in it")]
    Nul,
    #[error("the path is more than {DEPTH_MAX} directories deep; file tools go no deeper")]
    Deep,
    #[error(
        "'{path}' is outside the workspace {root}; file tools stay inside it, give a path relative to it"
    )]
    Outside { path: String, root: PathBuf },
    #[error(
        "'{0}' is in the team's own directory, which file tools leave alone; use the team tools"
    )]
    Team(String),
    #[error("'{0}' is git's own; change it with git commands")]
    Git(String),
    #[error("'{0}' does not exist")]
    Missing(String),
    #[error("'{path}' cannot be reached: '{part}' is not a directory")]
    NotDirectory { path: String, part: String },
    #[error("'{path}' cannot be reached: {why}")]
    Unreachable { path: String, why: io::Error },
}

impl From<PathError> for Outcome {
    fn from(error: PathError) -> Self {
        Outcome::error(format!("{error}."))
    }
}

/// A name in an open directory beneath the workspace. Whether something has that name is not known yet.
#[derive(Debug)]
pub(crate) struct ResolvedPath {
    dir: OwnedFd,
    /// Directories between `dir` and `name` that are not there yet.
    missing: Vec<OsString>,
    name: OsString,
    /// Resolved and absolute.
    full: PathBuf,
    /// Resolved, relative to the workspace; absolute for kept outputs outside of it and for the member's own `/tmp`.
    shown: PathBuf,
    /// As it was asked for.
    written: PathBuf,
}

/// Finds `text` beneath the workspace.
pub(crate) fn resolve(
    workspace: &Workspace,
    text: &str,
    intent: Intent,
) -> Result<ResolvedPath, PathError> {
    if text.is_empty() {
        return Err(PathError::Empty);
    }
    if text.contains('\0') {
        return Err(PathError::Nul);
    }
    let outside = || PathError::Outside {
        path: text.to_owned(),
        root: workspace.root.clone(),
    };
    let path = Path::new(text);
    if path.starts_with("~") {
        return Err(outside());
    }
    if let Some((tmp, rest)) = private_tmp(workspace, path) {
        return resolve_tmp(workspace, (tmp, rest), text, intent);
    }
    let within = path.strip_prefix(&workspace.root).unwrap_or(path);
    if within.components().count() > DEPTH_MAX {
        return Err(PathError::Deep);
    }
    if intent == Intent::Look
        && let Ok(rest) = workspace.root.join(path).strip_prefix(&workspace.outputs)
    {
        return DirectoryWalk::of_resolved(&workspace.outputs, text)?.run(rest, workspace, outside);
    }
    let rest = if path.is_absolute() {
        path.strip_prefix(&workspace.root).map_err(|_| outside())?
    } else {
        path
    };
    let walk = DirectoryWalk::from(&workspace.root, text)?;
    let team_dirs = team_dirs(workspace).map(|dir| (identity_of(&dir), dir));
    let place = walk.run(rest, workspace, outside)?;
    let is_team = |(identity, dir): &(Option<FileIdentity>, PathBuf)| {
        // A member's worktree lies in the team's directory; what is beneath it is the member's.
        let is_below = place.full.starts_with(dir) && !workspace.root.starts_with(dir);
        is_below || place.is_under(*identity, &workspace.root)
    };
    if team_dirs.iter().any(is_team) {
        return Err(PathError::Team(text.to_owned()));
    }
    let is_git = |part: &OsStr| part.eq_ignore_ascii_case(".git");
    if intent == Intent::Change && place.shown.iter().any(is_git) {
        return Err(PathError::Git(text.to_owned()));
    }
    Ok(place)
}

/// The directory in the place of `/tmp` for this member, and the path in it. A workspace below `/tmp` is there as well.
fn private_tmp<'a>(workspace: &'a Workspace, path: &'a Path) -> Option<(&'a Path, &'a Path)> {
    let tmp = workspace.tmp.as_deref()?;
    if path.starts_with(&workspace.root) {
        return None;
    }
    let rest = TMP_DIRS
        .iter()
        .find_map(|dir| path.strip_prefix(dir).ok())?;
    Some((tmp, rest))
}

/// Finds a path in the member's own `/tmp`, which is shown by the name that commands have for it.
fn resolve_tmp(
    workspace: &Workspace,
    (tmp, rest): (&Path, &Path),
    text: &str,
    intent: Intent,
) -> Result<ResolvedPath, PathError> {
    let unreachable = |why| PathError::Unreachable {
        path: text.to_owned(),
        why,
    };
    match intent {
        Intent::Look if !tmp.exists() => return Err(PathError::Missing(text.to_owned())),
        Intent::Look => {}
        Intent::Change => drop(resolved::make_dir(tmp).map_err(unreachable)?),
    }
    let outside = || PathError::Outside {
        path: text.to_owned(),
        root: TMP_DIRS[0].into(),
    };
    let mut place = DirectoryWalk::of_resolved(tmp, text)?.run(rest, workspace, outside)?;
    let below = place.full.strip_prefix(tmp).unwrap_or(rest);
    place.shown = Path::new(TMP_DIRS[0]).join(below);
    Ok(place)
}

/// Where this team and the workspace's other teams live: off limits to file tools and searches.
pub(crate) fn team_dirs(workspace: &Workspace) -> [PathBuf; 3] {
    let [default, others] = TEAM_DIRS.map(|name| workspace.root.join(name));
    [workspace.team_dir.clone(), default, others]
}

/// The directory of a workspace's default team, and that of its others.
pub const TEAM_DIRS: [&str; 2] = [".team", ".teams"];

/// The numbers that make two names the same directory.
type FileIdentity = (u64, u64);

fn identity_of(path: &Path) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt as _;
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

impl ResolvedPath {
    /// The resolved path, absolute.
    pub(crate) fn full(&self) -> &Path {
        &self.full
    }

    /// The resolved path relative to the workspace, for rules and people.
    pub(crate) fn display_path(&self) -> &Path {
        &self.shown
    }

    /// The place for permission rules.
    pub(crate) fn location(&self) -> Location {
        Location {
            resolved: self.shown.clone(),
            // In the member's own `/tmp`, rules are about the name that commands have for it.
            full: match self.shown.is_absolute() {
                true => self.shown.clone(),
                false => self.full.clone(),
            },
            written: self.written.clone(),
        }
    }

    /// Opens what is there for reading. Does not wait for the other end of a pipe and follows no link.
    pub(crate) fn open(&self) -> io::Result<File> {
        if !self.missing.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = fs::openat(&self.dir, &self.name, flags, Mode::empty())?;
        Ok(File::from(file))
    }

    /// Writes `content` beside the place, to be put there at once or never. Makes the directories above.
    pub(crate) fn stage(&self, content: &[u8]) -> io::Result<Staged> {
        let mut dir = self.dir.try_clone()?;
        for part in &self.missing {
            match fs::mkdirat(&dir, part, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(why) => return Err(why.into()),
            }
            dir = fs::openat(&dir, part, DIRECTORY, Mode::empty())?;
        }
        Staged::write(dir, &self.name, content)
    }

    /// Whether this place is the directory `wanted` or in it, under whatever name.
    fn is_under(&self, wanted: Option<FileIdentity>, root: &Path) -> bool {
        let Some(wanted) = wanted else { return false };
        self.full
            .ancestors()
            .take_while(|above| *above != root)
            .any(|above| identity_of(above) == Some(wanted))
    }
}

/// Opens a file that a search came by, through no link at all. `path` is relative to `root`.
pub(crate) fn open_regular(root: &OwnedFd, path: &Path) -> io::Result<File> {
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::ResolveFlags;
        let beneath =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match fs::openat2(root, path, flags, Mode::empty(), beneath) {
            // An old kernel, or a container that forbids the call.
            Err(Errno::NOSYS | Errno::PERM) => {}
            opened => return Ok(File::from(opened?)),
        }
    }
    let mut dir = root.try_clone()?;
    for part in path.parent().into_iter().flatten() {
        dir = fs::openat(&dir, part, DIRECTORY, Mode::empty())?;
    }
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(File::from(fs::openat(&dir, name, flags, Mode::empty())?))
}

/// Opens a directory for [`open_regular`].
pub(crate) fn open_root(root: &Path) -> io::Result<OwnedFd> {
    Ok(fs::open(
        root,
        DIRECTORY.difference(OFlags::NOFOLLOW),
        Mode::empty(),
    )?)
}
