//! The view: the file system as commands see it, made once in a mount namespace of its own. Each command gets a copy.
//!
//! Everything is read-only but what the policy opens. What will be writable is taken first, while it still is.

use std::{
    fs,
    os::fd::{AsFd as _, OwnedFd},
    path::Path,
};

use rustix::mount::{MountPropagationFlags, mount_change};

use super::{
    devices::Devices,
    home::Home,
    layers::{self, Layers},
    mounts::{self, NO_DEVICES, NO_SETUID, READ_ONLY},
    resolver::Resolver,
    sys,
};
use crate::{
    failure::{Failure, Step as _},
    policy::{PRIVATE, TMP_DIRS, ViewPlan},
};

/// How much a private directory in memory may hold.
const PRIVATE_SIZE: &str = "256m";

/// Makes the view in a new mount namespace of the calling process.
pub(super) fn build(plan: &ViewPlan) -> Result<(), Failure> {
    sys::unshare(libc::CLONE_NEWNS).step(|| "make a mount namespace".into())?;
    // What is mounted outside later stays outside: it would be writable.
    let apart = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", apart).step(|| "separate the mounts".into())?;
    let layers = Layers::take(plan)?;
    let devices = Devices::take()?;
    if plan.shows_all {
        make_root_read_only()?;
        devices.put()?;
    } else {
        let tmp = plan.tmp.as_ref().map(layers::take).transpose()?;
        let home = plan.home.as_ref();
        let home = home
            .map(|home| Home::take(home, &plan.hidden))
            .transpose()?;
        let resolver = Resolver::take(plan.has_own_network);
        make_root_read_only()?;
        put_private(tmp.as_ref())?;
        devices.put()?;
        resolver.put()?;
        home.map(Home::put).transpose()?;
    }
    layers.put(plan)
}

fn make_root_read_only() -> Result<(), Failure> {
    mounts::find(Path::new("/"))
        .and_then(|root| sys::set_mount_attributes(root.as_fd(), READ_ONLY | NO_SETUID))
        .step(|| "make the file system read-only".into())
}

fn put_private(tmp: Option<&OwnedFd>) -> Result<(), Failure> {
    for name in PRIVATE {
        let dir = Path::new(name);
        // Where one of them is a link to another, there is nothing to cover.
        if !fs::symlink_metadata(dir).is_ok_and(|found| found.is_dir()) {
            continue;
        }
        let mount = match tmp {
            Some(tmp) if TMP_DIRS.contains(&name) => mounts::copy(tmp.as_fd()),
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
