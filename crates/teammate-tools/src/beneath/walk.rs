//! Goes down a path one component at a time.

use std::{
    ffi::OsString,
    io,
    os::{fd::OwnedFd, unix::ffi::OsStringExt as _},
    path::{Component, Path, PathBuf},
};

use rustix::{
    fs::{self, Mode, OFlags},
    io::Errno,
};
use teammate_core::port::Workspace;

use teammate_process::resolved::{self, DIRECTORY};

use super::{PathError, ResolvedPath};

/// How many links a path may lead through, as in the kernel.
const LINKS_MAX: usize = 40;

/// A path on its way down.
pub(super) struct DirectoryWalk<'a> {
    root: &'a Path,
    text: &'a str,
    base: OwnedFd,
    /// The directories gone into, with the names they were found by.
    dirs: Vec<(OsString, OwnedFd)>,
    /// The components to come, the next one last.
    todo: Vec<OsString>,
    links: usize,
}

impl<'a> DirectoryWalk<'a> {
    /// Starts at `root`, which is resolved already.
    pub(super) fn from(root: &'a Path, text: &'a str) -> Result<Self, PathError> {
        let flags = DIRECTORY.difference(OFlags::NOFOLLOW);
        let base = fs::open(root, flags, Mode::empty());
        Self::of(root, text, base.map_err(io::Error::from))
    }

    /// A walk where nothing on the way to `root` may be a link.
    pub(super) fn of_resolved(root: &'a Path, text: &'a str) -> Result<Self, PathError> {
        Self::of(root, text, resolved::open_dir(root))
    }

    fn of(root: &'a Path, text: &'a str, base: io::Result<OwnedFd>) -> Result<Self, PathError> {
        let base = base.map_err(|why| PathError::Unreachable {
            path: text.to_owned(),
            why,
        })?;
        Ok(Self {
            root,
            text,
            base,
            dirs: Vec::new(),
            todo: Vec::new(),
            links: 0,
        })
    }

    /// Goes down `path`. `outside` makes the error for one that leads out.
    pub(super) fn run(
        mut self,
        path: &Path,
        workspace: &Workspace,
        outside: impl Fn() -> PathError,
    ) -> Result<ResolvedPath, PathError> {
        self.push(path);
        while let Some(part) = self.todo.pop() {
            if part == ".." {
                self.dirs.pop().ok_or_else(&outside)?;
                continue;
            }
            match fs::readlinkat(self.here(), &part, Vec::new()) {
                Ok(target) => {
                    let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
                    self.follow_link(&target, &outside)?;
                }
                Err(Errno::INVAL) if self.todo.is_empty() => {
                    return Ok(self.existing(workspace, Vec::new(), part));
                }
                Err(Errno::INVAL) => self.open_component(part)?,
                Err(Errno::NOENT) => return self.missing(workspace, part),
                Err(why) => return Err(self.unreachable(why)),
            }
        }
        Ok(self.existing(workspace, Vec::new(), ".".into()))
    }

    fn here(&self) -> &OwnedFd {
        self.dirs.last().map_or(&self.base, |(_, dir)| dir)
    }

    fn push(&mut self, path: &Path) {
        for component in path.components().rev() {
            match component {
                Component::Normal(part) => self.todo.push(part.to_owned()),
                Component::ParentDir => self.todo.push("..".into()),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
    }

    fn follow_link(
        &mut self,
        target: &Path,
        outside: &impl Fn() -> PathError,
    ) -> Result<(), PathError> {
        self.links += 1;
        if self.links > LINKS_MAX {
            return Err(self.unreachable(Errno::LOOP));
        }
        if target.is_absolute() {
            let rest = target.strip_prefix(self.root).map_err(|_| outside())?;
            self.dirs.clear();
            self.push(rest);
        } else {
            self.push(target);
        }
        Ok(())
    }

    fn open_component(&mut self, part: OsString) -> Result<(), PathError> {
        match fs::openat(self.here(), &part, DIRECTORY, Mode::empty()) {
            Ok(dir) => {
                self.dirs.push((part, dir));
                Ok(())
            }
            Err(Errno::NOTDIR) => Err(PathError::NotDirectory {
                path: self.text.to_owned(),
                part: part.to_string_lossy().into_owned(),
            }),
            Err(why) => Err(self.unreachable(why)),
        }
    }

    fn missing(mut self, workspace: &Workspace, part: OsString) -> Result<ResolvedPath, PathError> {
        let mut missing = vec![part];
        missing.extend(self.todo.drain(..).rev());
        if missing.iter().any(|part| part == "..") {
            return Err(PathError::Missing(self.text.to_owned()));
        }
        let name = missing.pop().unwrap_or_default();
        Ok(self.existing(workspace, missing, name))
    }

    fn existing(
        mut self,
        workspace: &Workspace,
        missing: Vec<OsString>,
        name: OsString,
    ) -> ResolvedPath {
        let mut full = self.root.to_owned();
        full.extend(self.dirs.iter().map(|(part, _)| part));
        full.extend(&missing);
        if name != "." {
            full.push(&name);
        }
        let shown = full
            .strip_prefix(&workspace.root)
            .unwrap_or(&full)
            .to_owned();
        ResolvedPath {
            dir: self.dirs.pop().map_or(self.base, |(_, dir)| dir),
            missing,
            name,
            full,
            shown,
            written: PathBuf::from(self.text),
        }
    }

    fn unreachable(&self, why: Errno) -> PathError {
        PathError::Unreachable {
            path: self.text.to_owned(),
            why: why.into(),
        }
    }
}
