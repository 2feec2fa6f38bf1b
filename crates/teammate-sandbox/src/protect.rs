//! Holds names that commands may not change: what stands there, and every link on the way. Where nothing stands there is nothing to
//! hold: such a name is guarded.
//!
//! A link is held as well as what it leads to, because both decide what a program finds under the name. The kernel mounts over a
//! link as over a file, so a held link cannot be replaced, also if it leads nowhere; then what it leads to is an absent name
//! like others. So no kind of link has to be refused.

use std::{
    collections::VecDeque,
    ffi::OsString,
    fs,
    path::{Component, Path, PathBuf},
};

use rustix::{
    fs::{AtFlags, CWD, FileType, statat},
    io::Errno,
};

use crate::{
    failure::{Failure, Step as _},
    policy::{Held, drop_repeated},
};

/// How many links one name may lead through, as in the kernel.
const LINKS_MAX: usize = 40;

/// Holds these absolute names, for [`Policy::protected`](crate::Policy::protected). Those below one of the writable
/// trees are followed link by link. Besides, the names at which nothing stands and commands could make something.
///
/// # Errors
///
/// A name leads through too many links, or cannot be looked at or held.
pub fn protect(names: &[PathBuf], writable: &[Held]) -> Result<(Vec<Held>, Vec<PathBuf>), Failure> {
    let mut held = Vec::new();
    let mut absent = Vec::new();
    for name in names {
        let mut walk = Walk::new(name, writable);
        while let Some(step) = walk.next_step()? {
            match step {
                Found::Link(path) | Found::There(path) => {
                    held.push(Held::at(path.clone()).step_at("hold", &path)?);
                }
                Found::Absent(path) => absent.push(path),
            }
        }
    }
    drop_repeated(&mut held);
    Ok((held, absent))
}

/// A thing on the way to a name.
enum Found {
    /// A link that commands could replace.
    Link(PathBuf),
    /// The end: something stands there.
    There(PathBuf),
    /// The end: nothing stands there, and commands could make it. With all that is to come after a directory that is absent.
    Absent(PathBuf),
}

/// The way to a name, link by link.
struct Walk<'a> {
    name: &'a Path,
    writable: &'a [Held],
    /// How far it has come: a directory without links.
    at: PathBuf,
    /// The names that are to come.
    rest: VecDeque<OsString>,
    links: usize,
}

impl<'a> Walk<'a> {
    fn new(name: &'a Path, writable: &'a [Held]) -> Self {
        let mut walk = Self {
            name,
            writable,
            at: PathBuf::from("/"),
            rest: VecDeque::new(),
            links: 0,
        };
        walk.follow(name);
        walk
    }

    /// Puts a path before what is to come.
    fn follow(&mut self, path: &Path) {
        for component in path.components().rev() {
            match component {
                Component::Normal(_) | Component::ParentDir => {
                    self.rest.push_front(component.as_os_str().to_owned());
                }
                Component::RootDir => self.at = PathBuf::from("/"),
                Component::CurDir | Component::Prefix(_) => {}
            }
        }
    }

    fn is_writable(&self, path: &Path) -> bool {
        let mut trees = self.writable.iter().map(Held::path);
        trees.any(|tree| path.starts_with(tree) && path != tree)
    }

    fn next_step(&mut self) -> Result<Option<Found>, Failure> {
        while let Some(component) = self.rest.pop_front() {
            if component == ".." {
                self.at.pop();
                continue;
            }
            let path = self.at.join(&component);
            let is_writable = self.is_writable(&path);
            let found = match statat(CWD, &path, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(found) => found,
                Err(Errno::NOENT) => {
                    let whole = self.rest.drain(..).fold(path, |path, part| path.join(part));
                    return Ok(is_writable.then_some(Found::Absent(whole)));
                }
                Err(error) => return Err(error).step_at("look at", &path),
            };
            match FileType::from_raw_mode(found.st_mode) {
                FileType::Symlink => {
                    self.links += 1;
                    if self.links > LINKS_MAX {
                        let step = format!("protect {}", self.name.display());
                        return Err(Failure::new(step, "it leads through too many links"));
                    }
                    let target = fs::read_link(&path).step_at("look at", &path)?;
                    self.follow(&target);
                    if is_writable {
                        return Ok(Some(Found::Link(path)));
                    }
                }
                FileType::Directory if !self.rest.is_empty() => self.at = path,
                _ => {
                    self.rest.clear();
                    return Ok(Some(Found::There(path)));
                }
            }
        }
        Ok(None)
    }
}
