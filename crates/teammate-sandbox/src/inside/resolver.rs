//! Which name server commands ask: `/etc/resolv.conf`, which is often a link to what `/run` holds.

use std::{
    fs, io,
    os::fd::AsFd as _,
    path::{Path, PathBuf},
};

use super::{
    mounts::{self, NO_DEVICES, NO_SETUID, READ_ONLY},
    sys,
};
use crate::failure::{Failure, Step as _};

const FILE: &str = "/etc/resolv.conf";
/// Where our own stands, for the file to be covered with.
const OURS: &str = "/run/resolv.conf";
/// The server in each command's own network.
const OWN: &str = "nameserver 127.0.0.1\n";

/// What commands will read there.
pub(super) struct Resolver {
    /// Without links; it need not be there.
    file: PathBuf,
    text: Vec<u8>,
}

impl Resolver {
    /// Read before `/run` is covered.
    pub(super) fn take(has_own_network: bool) -> Self {
        let file = fs::canonicalize(FILE).unwrap_or_else(|_| FILE.into());
        let text = if has_own_network {
            OWN.into()
        } else {
            // Without one, libraries ask this machine.
            fs::read(&file).unwrap_or_default()
        };
        Self { file, text }
    }

    pub(super) fn put(self) -> Result<(), Failure> {
        self.try_put().step(|| format!("make {FILE}"))
    }

    fn try_put(self) -> io::Result<()> {
        fs::write(OURS, self.text)?;
        let mount = mounts::copy(mounts::find(Path::new(OURS))?.as_fd())?;
        sys::set_mount_attributes(mount.as_fd(), READ_ONLY | NO_SETUID | NO_DEVICES)?;
        match mounts::put_at(mount, &self.file, false) {
            // There is none to cover, and libraries ask this machine.
            Err(error) if error.kind() == io::ErrorKind::ReadOnlyFilesystem => Ok(()),
            done => done,
        }
    }
}
