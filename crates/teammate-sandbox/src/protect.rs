//! Holds names that commands may not change: what stands there, every link on the way, and a placeholder where nothing is.
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
    placeholders::{self, Placeholders, StandIn},
    policy::{Held, drop_repeated},
};

/// How many links one name may lead through, as in the kernel.
const LINKS_MAX: usize = 40;

/// A name that commands may not change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Absolute.
    pub path: PathBuf,
    /// What stands there while it is absent.
    pub stand_in: StandIn,
}

impl From<PathBuf> for Name {
    fn from(path: PathBuf) -> Self {
        Self {
            path,
            stand_in: StandIn::Directory,
        }
    }
}

/// Holds these names, for [`Policy::protected`](crate::Policy::protected). Those below one of the writable
/// trees are followed link by link. The placeholders are to be kept as long as the view.
///
/// Where a directory of an absent name is absent, that directory is held: nothing can be made in it.
///
/// # Errors
///
/// A name leads through too many links, or cannot be looked at or held.
pub fn protect(names: &[Name], writable: &[Held]) -> Result<(Vec<Held>, Placeholders), Failure> {
    let mut held = Vec::new();
    let mut placeholders = Placeholders::default();
    for name in names {
        let mut walk = Walk::new(name, writable);
        while let Some(step) = walk.next_step()? {
            let found = match step {
                Found::Link(path) | Found::There(path) => {
                    Some(Held::at(path.clone()).step_at("hold", &path)?)
                }
                Found::Absent(path, stand_in) => placeholders.put(&path, stand_in)?,
            };
            held.extend(found);
        }
    }
    drop_repeated(&mut held);
    Ok((held, placeholders))
}

/// Removes the placeholders that a killed program left at these names. Those of a program that runs stay.
pub fn sweep(names: &[Name], writable: &[Held]) {
    for name in names {
        let mut walk = Walk::new(name, writable);
        while let Ok(Some(step)) = walk.next_step() {
            if let Found::Absent(path, stand_in) = step {
                placeholders::sweep(&path, stand_in);
            }
        }
    }
}

/// What is come across on the way to a name.
enum Found {
    /// A link that commands could replace.
    Link(PathBuf),
    /// The end: something stands there.
    There(PathBuf),
    /// The end: nothing stands there, or a placeholder, and commands could make it.
    Absent(PathBuf, StandIn),
}

/// The way to a name, link by link.
struct Walk<'a> {
    name: &'a Name,
    writable: &'a [Held],
    /// How far it has come: a directory without links.
    at: PathBuf,
    /// What is to come.
    rest: VecDeque<OsString>,
    links: usize,
}

impl<'a> Walk<'a> {
    fn new(name: &'a Name, writable: &'a [Held]) -> Self {
        let mut walk = Self {
            name,
            writable,
            at: PathBuf::from("/"),
            rest: VecDeque::new(),
            links: 0,
        };
        walk.follow(&name.path);
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

    /// What stands here if this is absent: a directory where more is to come.
    fn stand_in(&self) -> StandIn {
        match self.rest.is_empty() {
            true => self.name.stand_in,
            false => StandIn::Directory,
        }
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
                    let stand_in = self.stand_in();
                    self.rest.clear();
                    return Ok(is_writable.then_some(Found::Absent(path, stand_in)));
                }
                Err(error) => return Err(error).step_at("look at", &path),
            };
            match FileType::from_raw_mode(found.st_mode) {
                FileType::Symlink => {
                    self.links += 1;
                    if self.links > LINKS_MAX {
                        let step = format!("protect {}", self.name.path.display());
                        return Err(Failure::new(step, "it leads through too many links"));
                    }
                    let target = fs::read_link(&path).step_at("look at", &path)?;
                    self.follow(&target);
                    if is_writable {
                        return Ok(Some(Found::Link(path)));
                    }
                }
                _ if is_writable && self.stand_in().is_at(&path, &found) => {
                    let stand_in = self.stand_in();
                    self.rest.clear();
                    return Ok(Some(Found::Absent(path, stand_in)));
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
