//! The view: the file system as commands see it, made once in a mount namespace of its own. Each command gets a copy.
//!
//! Everything is read-only but what the policy opens. What will be writable is taken first, while it still is.

use std::{
    collections::BTreeSet,
    fs, io,
    os::fd::{AsFd as _, OwnedFd},
    path::{Path, PathBuf},
};

use rustix::mount::{MountPropagationFlags, mount_change};

use super::{
    devices::Devices,
    home::Home,
    mounts::{self, NO_DEVICES, NO_SETUID, READ_ONLY},
    resolver::Resolver,
    sys,
};
use crate::{
    failure::{Failure, Step as _},
    policy::{Expected, ViewPlan},
};

/// Directories of the machine that commands do not see: sockets and files of other programs.
const PRIVATE: [&str; 3] = ["/run", "/tmp", "/var/tmp"];
/// How much a private directory in memory may hold.
const PRIVATE_SIZE: &str = "256m";

/// Makes the view in a new mount namespace of the calling process.
pub(super) fn build(plan: &ViewPlan) -> Result<(), Failure> {
    sys::unshare(libc::CLONE_NEWNS).step(|| "make a mount namespace".into())?;
    // What is mounted outside later stays outside: it would be writable.
    let apart = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", apart).step(|| "separate the mounts".into())?;
    let writable: Vec<OwnedFd> = plan.writable.iter().map(take).collect::<Result<_, _>>()?;
    let tmp = plan.tmp.as_ref().map(take).transpose()?;
    let home = plan
        .home
        .as_ref()
        .map(|home| Home::take(home, &plan.hidden));
    let home = home.transpose()?;
    let devices = Devices::take()?;
    let resolver = Resolver::take(plan.has_own_network);
    make_root_read_only()?;
    put_private(tmp.as_ref())?;
    devices.put()?;
    resolver.put()?;
    if let Some(home) = home {
        home.put()?;
    }
    for (tree, expected) in writable.iter().zip(&plan.writable) {
        mounts::put_at(tree, expected.path(), true).step_at("open", expected.path())?;
    }
    protect(plan)?;
    hide(plan)
}

/// A copy of a tree that will be writable, if it is still the one that was decided about.
fn take(expected: &Expected) -> Result<OwnedFd, Failure> {
    let path = expected.path();
    let place = mounts::find(path).step_at("find", path)?;
    expected.check(&place)?;
    let tree = mounts::copy(place.as_fd()).step_at("take", path)?;
    sys::set_mount_attributes(tree.as_fd(), NO_SETUID | NO_DEVICES).step_at("take", path)?;
    Ok(tree)
}

fn make_root_read_only() -> Result<(), Failure> {
    mounts::find(Path::new("/"))
        .and_then(|root| sys::set_mount_attributes(root.as_fd(), READ_ONLY | NO_SETUID))
        .step(|| "make the file system read-only".into())
}

fn put_private(tmp: Option<&OwnedFd>) -> Result<(), Failure> {
    for dir in PRIVATE.map(Path::new) {
        // Where one of them is a link to another, there is nothing to cover.
        if !fs::symlink_metadata(dir).is_ok_and(|found| found.is_dir()) {
            continue;
        }
        let mount = match tmp {
            Some(tmp) if dir != Path::new("/run") => mounts::copy(tmp.as_fd()),
            _ => mounts::new(
                "tmpfs",
                &[("mode", "1777"), ("size", PRIVATE_SIZE)],
                NO_SETUID | NO_DEVICES,
            ),
        };
        mount
            .and_then(|mount| mounts::put_at(mount, dir, true))
            .step_at("make private", dir)?;
    }
    Ok(())
}

/// Makes what is protected read-only, and pins each directory between it and the tree that is open around it.
fn protect(plan: &ViewPlan) -> Result<(), Failure> {
    let protected: BTreeSet<&Path> = plan.protected.iter().map(Expected::path).collect();
    let mut pinned = BTreeSet::new();
    for path in protected {
        for dir in between(path, plan) {
            if pinned.insert(dir.clone()) {
                mounts::pin(&dir).step_at("pin", &dir)?;
            }
        }
        mounts::make_read_only(path).step_at("protect", path)?;
    }
    for expected in &plan.protected {
        let found = mounts::find(expected.path()).step_at("protect", expected.path())?;
        expected.check(found)?;
    }
    Ok(())
}

/// The directories above a path, up to the writable tree that it is in, the outermost first.
fn between(path: &Path, plan: &ViewPlan) -> Vec<PathBuf> {
    let trees = plan.writable.iter().map(Expected::path);
    let around = trees
        .filter(|tree| path.starts_with(tree) && path != *tree)
        .max_by_key(|tree| tree.as_os_str().len());
    let Some(around) = around else {
        return Vec::new();
    };
    let above = path.ancestors().skip(1);
    let mut dirs: Vec<_> = above
        .take_while(|dir| *dir != around)
        .map(Path::to_owned)
        .collect();
    dirs.reverse();
    dirs
}

/// Covers what is hidden, also where another mount shows it.
fn hide(plan: &ViewPlan) -> Result<(), Failure> {
    if plan.hidden.is_empty() {
        return Ok(());
    }
    let lines = mounts::list().step(|| "list the mounts".into())?;
    let mut hidden = BTreeSet::new();
    for expected in &plan.hidden {
        for path in places(expected.path(), &lines) {
            let found = match mounts::find(&path) {
                Ok(found) => found,
                // It is not shown there: its home is private, or another mount covers it.
                Err(error) if is_absent(&error) => continue,
                Err(error) => return Err(error).step_at("hide", &path),
            };
            if expected.check(&found).is_ok() && hidden.insert(path.clone()) {
                cover(&found).step_at("hide", &path)?;
            }
        }
    }
    Ok(())
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Where a file can be seen: at its path, and below every other mount of its device that shows it.
fn places(path: &Path, lines: &[mounts::MountLine]) -> Vec<PathBuf> {
    let mut places = vec![path.to_owned()];
    for own in lines {
        let Ok(below) = path.strip_prefix(&own.place) else {
            continue;
        };
        let on_device = own.root.join(below);
        for other in lines.iter().filter(|other| other.device == own.device) {
            if let Ok(below) = on_device.strip_prefix(&other.root) {
                let place = other.place.join(below);
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
    }
    places
}

/// An empty directory over a directory, no device over anything else.
fn cover(found: &OwnedFd) -> io::Result<()> {
    let is_dir = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(found)?.st_mode)
        == rustix::fs::FileType::Directory;
    let mount = if is_dir {
        mounts::new(
            "tmpfs",
            &[("mode", "555"), ("size", "4k")],
            READ_ONLY | NO_SETUID | NO_DEVICES,
        )?
    } else {
        // A device file that is none: nobody opens it, root neither.
        let null = mounts::copy(mounts::find(Path::new("/dev/null"))?.as_fd())?;
        sys::set_mount_attributes(null.as_fd(), READ_ONLY | NO_SETUID | NO_DEVICES)?;
        null
    };
    mounts::put(mount, found.as_fd())
}
