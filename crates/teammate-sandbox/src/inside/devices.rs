//! `/dev` with the devices that every program needs, and no others.

use std::{
    fs, io,
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::fs::symlink,
    },
    path::Path,
};

use super::{
    mounts::{self, NO_SETUID, READ_ONLY},
    sys,
};
use crate::failure::{Failure, Step as _};

const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];
const LINKS: [(&str, &str); 5] = [
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
    ("ptmx", "pts/ptmx"),
];
/// Where each command gets file systems of its own.
const DIRECTORIES: [&str; 2] = ["pts", "shm"];

/// The machine's devices, taken before `/dev` is covered.
pub(super) struct Devices {
    taken: Vec<(&'static str, OwnedFd)>,
}

impl Devices {
    pub(super) fn take() -> Result<Self, Failure> {
        let dev = Path::new("/dev");
        let mut taken = Vec::new();
        for name in DEVICES {
            let path = dev.join(name);
            let device = mounts::find(&path).and_then(|place| mounts::copy(place.as_fd()));
            taken.push((name, device.step_at("take", &path)?));
        }
        Ok(Self { taken })
    }

    pub(super) fn put(self) -> Result<(), Failure> {
        self.try_put().step(|| "make /dev".into())
    }

    fn try_put(self) -> io::Result<()> {
        let dev = Path::new("/dev");
        let options = [("mode", "755"), ("size", "64k")];
        let mount = mounts::new("tmpfs", &options, NO_SETUID)?;
        mounts::put_at(&mount, dev, true)?;
        for (name, device) in self.taken {
            mounts::put_at(device, &dev.join(name), false)?;
        }
        for (name, target) in LINKS {
            symlink(target, dev.join(name))?;
        }
        for name in DIRECTORIES {
            fs::create_dir(dev.join(name))?;
        }
        // The devices on it are mounts of their own, which take what is written to them.
        sys::set_own_mount_attributes(mount.as_fd(), READ_ONLY)
    }
}
