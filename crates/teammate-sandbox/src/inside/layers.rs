//! What the policy says about single paths: open, shown, protected, hidden. It is put in place from the outermost path inwards,
//! so each layer stands on those around it: a tree may be open below a hidden directory, and something hidden below that tree.

use std::{
    collections::BTreeMap,
    io,
    os::fd::{AsFd as _, OwnedFd},
    path::{Path, PathBuf},
};

use rustix::fs::FileType;

use super::{
    mounts::{self, NO_DEVICES, NO_SETUID, READ_ONLY},
    sys,
};
use crate::{
    failure::{Failure, Step as _},
    policy::{Expected, PRIVATE, ViewPlan},
};

/// What is done at one path. Where several layers have the same path the later one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// The tree at this place in the plan's list is put there, writable.
    Open(usize),
    /// The tree at this place in the plan's list is put there, read-only.
    Show(usize),
    /// A directory above a protected path is made a mount: it cannot be renamed or removed.
    Pin,
    /// It is made read-only.
    Protect,
    /// An empty directory, or a device file that nobody can open, covers it.
    Hide(usize),
    /// The same for another mount that shows the hidden file.
    HideAlias(usize),
    /// The same for a socket, whichever is there.
    HideSocket,
}

/// Trees that will be open or shown, taken while they can be: before the root is read-only and directories are covered.
pub(super) struct Layers {
    open: Vec<OwnedFd>,
    shown: Vec<OwnedFd>,
}

impl Layers {
    pub(super) fn take(plan: &ViewPlan) -> Result<Self, Failure> {
        let open = plan.writable.iter().map(take).collect::<Result<_, _>>()?;
        let shown: Vec<_> = plan.shown.iter().map(take).collect::<Result<_, _>>()?;
        for (tree, expected) in shown.iter().zip(&plan.shown) {
            sys::set_mount_attributes(tree.as_fd(), READ_ONLY).step_at("show", expected.path())?;
        }
        Ok(Self { open, shown })
    }

    /// Puts all layers of the plan in place.
    pub(super) fn put(&self, plan: &ViewPlan) -> Result<(), Failure> {
        let mut covers = Vec::new();
        for (path, kind) in in_order(plan)? {
            match kind {
                Kind::Open(nth) => {
                    mounts::put_at(&self.open[nth], &path, true).step_at("open", &path)?;
                }
                Kind::Show(nth) => {
                    mounts::put_at(&self.shown[nth], &path, true).step_at("show", &path)?;
                }
                Kind::Pin => {
                    mounts::pin(&path).step_at("pin", &path)?;
                }
                Kind::Protect => mounts::make_read_only(&path).step_at("protect", &path)?,
                Kind::Hide(nth) => covers.extend(hide(&path, &plan.hidden[nth], false)?),
                Kind::HideAlias(nth) => covers.extend(hide(&path, &plan.hidden[nth], true)?),
                Kind::HideSocket => hide_socket(&path).step_at("hide", &path)?,
            }
        }
        // Only now: the names of trees below a cover were made in it. These trees keep their own attributes.
        for cover in covers {
            sys::set_own_mount_attributes(cover.as_fd(), READ_ONLY)
                .step(|| "close the covers".into())?;
        }
        for expected in protected(plan) {
            let found = mounts::find(expected.path()).step_at("protect", expected.path())?;
            expected.check(found)?;
        }
        Ok(())
    }
}

/// A copy of a tree that will be put elsewhere or back, if it is still the one that was decided about.
pub(super) fn take(expected: &Expected) -> Result<OwnedFd, Failure> {
    let path = expected.path();
    let place = mounts::find(path).step_at("find", path)?;
    expected.check(&place)?;
    let tree = mounts::copy(place.as_fd()).step_at("take", path)?;
    sys::set_mount_attributes(tree.as_fd(), NO_SETUID | NO_DEVICES).step_at("take", path)?;
    Ok(tree)
}

/// All layers, the outermost first.
fn in_order(plan: &ViewPlan) -> Result<Vec<(PathBuf, Kind)>, Failure> {
    let mut layers = Vec::new();
    let mut add = |path: &Path, kind| layers.push((path.to_owned(), kind));
    for (nth, tree) in plan.writable.iter().enumerate() {
        add(tree.path(), Kind::Open(nth));
    }
    for (nth, tree) in plan.shown.iter().enumerate() {
        add(tree.path(), Kind::Show(nth));
    }
    for protected in protected(plan) {
        add(protected.path(), Kind::Protect);
        for dir in between(protected.path(), plan) {
            add(dir, Kind::Pin);
        }
    }
    if !plan.hidden.is_empty() || !plan.sockets.is_empty() {
        let mounts = mounts::list().step(|| "list the mounts".into())?;
        for (nth, hidden) in plan.hidden.iter().enumerate() {
            add(hidden.path(), Kind::Hide(nth));
            // Where it can be written around it, its place is kept: elsewhere the next command would see it.
            for dir in kept_above(hidden.path(), plan) {
                add(dir, Kind::Pin);
            }
            for alias in aliases(hidden.path(), &mounts) {
                add(&alias, Kind::HideAlias(nth));
            }
        }
        for socket in plan.sockets.iter().map(Path::new) {
            add(socket, Kind::HideSocket);
            for alias in aliases(socket, &mounts) {
                add(&alias, Kind::HideSocket);
            }
        }
    }
    // A path sorts before all that is below it.
    layers.sort();
    layers.dedup();
    Ok(layers)
}

/// What is protected and not hidden with a directory around it.
fn protected(plan: &ViewPlan) -> impl Iterator<Item = &Expected> {
    let is_seen = |path: &Path| !matches!(around(path, plan), Some((_, Around::Hidden)));
    let protected = plan.protected.iter();
    protected.filter(move |expected| is_seen(expected.path()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Around {
    Tree,
    Hidden,
}

/// The nearest layer above a path: a tree, or something hidden.
fn around<'a>(path: &Path, plan: &'a ViewPlan) -> Option<(&'a Path, Around)> {
    let trees = plan.writable.iter().chain(&plan.shown);
    let trees = trees.map(|tree| (tree.path(), Around::Tree));
    let hidden = plan.hidden.iter();
    let hidden = hidden.map(|hidden| (hidden.path(), Around::Hidden));
    let layers: BTreeMap<&Path, Around> = trees.chain(hidden).collect();
    let mut above = path.ancestors().skip(1);
    above.find_map(|dir| layers.get_key_value(dir).map(|(dir, kind)| (*dir, *kind)))
}

/// The directories between a protected path and the tree that it is in.
fn between<'a>(path: &'a Path, plan: &ViewPlan) -> Vec<&'a Path> {
    let Some((around, _)) = around(path, plan) else {
        return Vec::new();
    };
    let above = path.ancestors().skip(1);
    above.take_while(|dir| *dir != around).collect()
}

/// The directories between something hidden and the writable tree that it is in.
fn kept_above<'a>(path: &'a Path, plan: &ViewPlan) -> Vec<&'a Path> {
    let is_writable = |tree: &Path| plan.writable.iter().any(|writable| writable.path() == tree);
    match around(path, plan) {
        Some((tree, Around::Tree)) if is_writable(tree) => between(path, plan),
        Some((_, Around::Tree | Around::Hidden)) | None => Vec::new(),
    }
}

/// Covers a hidden file or directory. The cover of a directory is returned: names can be made in it until it is closed.
fn hide(path: &Path, expected: &Expected, is_alias: bool) -> Result<Option<OwnedFd>, Failure> {
    let found = match mounts::find(path) {
        Ok(found) => found,
        // It is not shown: its home is private, or something else that is hidden covers it.
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(error).step_at("hide", path),
    };
    match expected.check(&found) {
        Ok(()) => cover(&found).step_at("hide", path),
        // Another mount stands there, or the view's own directory.
        Err(_) if is_alias || PRIVATE.iter().any(|dir| path.starts_with(dir)) => Ok(None),
        Err(failure) => Err(failure),
    }
}

fn hide_socket(path: &Path) -> io::Result<()> {
    match mounts::find(path) {
        Ok(found) if file_type(&found)? == FileType::Socket => cover(&found).map(drop),
        Ok(_) => Ok(()),
        // Its program has removed it, or it is not shown, as above.
        Err(error) if is_absent(&error) => Ok(()),
        Err(error) => Err(error),
    }
}

fn file_type(found: &OwnedFd) -> io::Result<FileType> {
    Ok(FileType::from_raw_mode(rustix::fs::fstat(found)?.st_mode))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// An empty directory over a directory, no device over anything else.
fn cover(found: &OwnedFd) -> io::Result<Option<OwnedFd>> {
    if file_type(found)? == FileType::Directory {
        let options = [("mode", "555"), ("size", "4k")];
        let mount = mounts::new("tmpfs", &options, NO_SETUID | NO_DEVICES)?;
        mounts::put(&mount, found.as_fd())?;
        Ok(Some(mount))
    } else {
        // A device file that is none: nobody opens it, root neither.
        let null = mounts::copy(mounts::find(Path::new("/dev/null"))?.as_fd())?;
        sys::set_mount_attributes(null.as_fd(), READ_ONLY | NO_SETUID | NO_DEVICES)?;
        mounts::put(null, found.as_fd())?;
        Ok(None)
    }
}

/// Where else a file can be seen: below every other mount of its device that shows it.
fn aliases(path: &Path, mounts: &[mounts::MountLine]) -> Vec<PathBuf> {
    let mut aliases = Vec::new();
    for own in mounts {
        let Ok(below) = path.strip_prefix(&own.place) else {
            continue;
        };
        let on_device = own.root.join(below);
        for other in mounts.iter().filter(|other| other.device == own.device) {
            if let Ok(below) = on_device.strip_prefix(&other.root) {
                let place = other.place.join(below);
                if place != path {
                    aliases.push(place);
                }
            }
        }
    }
    aliases
}
