//! Mounts by descriptor: found without following links, compared with what is expected, put in place.

use std::{
    fs, io,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::ffi::OsStrExt as _,
    },
    path::Path,
};

use rustix::{
    fs::{CWD, Mode, OFlags, ResolveFlags, openat2},
    mount::{
        FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, OpenTreeFlags, fsconfig_create,
        fsconfig_set_string, fsmount, fsopen, move_mount, open_tree,
    },
};

use super::sys;

/// Nothing may be changed.
pub(super) const READ_ONLY: u64 = libc::MOUNT_ATTR_RDONLY;
/// Programs get no rights from their file's owner.
pub(super) const NO_SETUID: u64 = libc::MOUNT_ATTR_NOSUID;
/// Device files are no devices.
pub(super) const NO_DEVICES: u64 = libc::MOUNT_ATTR_NODEV;

/// Opens what is at an absolute path that has no links in it, for its place only.
pub(super) fn find(path: &Path) -> io::Result<OwnedFd> {
    let no_links = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat2(CWD, path, flags, Mode::empty(), no_links)?)
}

/// A copy of the mounts at and below a place, belonging to no namespace yet.
pub(super) fn copy(place: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    Ok(open_tree(
        place,
        c"",
        OpenTreeFlags::OPEN_TREE_CLONE
            | OpenTreeFlags::OPEN_TREE_CLOEXEC
            | OpenTreeFlags::AT_EMPTY_PATH
            | OpenTreeFlags::AT_RECURSIVE,
    )?)
}

/// Puts mounts over a place.
pub(super) fn put(mount: impl AsFd, place: BorrowedFd<'_>) -> io::Result<()> {
    move_mount(
        mount.as_fd(),
        c"",
        place,
        c"",
        MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH,
    )?;
    Ok(())
}

/// Puts mounts at a path. What is missing of it is made, which succeeds in our own file systems only.
pub(super) fn put_at(mount: impl AsFd, path: &Path, is_dir: bool) -> io::Result<()> {
    let place = match find(path) {
        Ok(place) => place,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if is_dir {
                fs::create_dir_all(path)?;
            } else {
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent)?;
                }
                fs::File::create_new(path)?;
            }
            find(path)?
        }
        Err(error) => return Err(error),
    };
    put(mount, place.as_fd())
}

/// A new file system, mounted nowhere yet.
pub(super) fn new(kind: &str, options: &[(&str, &str)], attributes: u64) -> io::Result<OwnedFd> {
    let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (key, value) in options {
        fsconfig_set_string(context.as_fd(), *key, *value)?;
    }
    fsconfig_create(context.as_fd())?;
    let attributes = u32::try_from(attributes).map_err(io::Error::other)?;
    Ok(fsmount(
        context.as_fd(),
        FsMountFlags::FSMOUNT_CLOEXEC,
        MountAttrFlags::from_bits_retain(attributes),
    )?)
}

/// Puts a directory over itself: it cannot be renamed or removed from here on, nor can any above it up to the next mount.
pub(super) fn pin(path: &Path) -> io::Result<OwnedFd> {
    let place = find(path)?;
    let mount = copy(place.as_fd())?;
    put(&mount, place.as_fd())?;
    Ok(mount)
}

/// Puts a directory or file over itself, where it cannot be changed.
pub(super) fn make_read_only(path: &Path) -> io::Result<()> {
    let place = find(path)?;
    let mount = copy(place.as_fd())?;
    sys::set_mount_attributes(mount.as_fd(), READ_ONLY)?;
    put(&mount, place.as_fd())
}

/// The places where the mounts of this namespace stand, as the kernel lists them.
pub(super) fn list() -> io::Result<Vec<MountLine>> {
    let text = fs::read("/proc/self/mountinfo")?;
    let lines = text.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(MountLine::read).collect())
}

/// One mount: which part of which device stands where.
#[derive(Debug)]
pub(super) struct MountLine {
    pub(super) device: Vec<u8>,
    pub(super) root: std::path::PathBuf,
    pub(super) place: std::path::PathBuf,
}

impl MountLine {
    /// Reads `36 35 98:0 /root /place ...`.
    fn read(line: &[u8]) -> Option<Self> {
        let mut words = line.split(|byte| *byte == b' ').skip(2);
        let device = words.next()?.to_vec();
        let root = unescaped(words.next()?);
        let place = unescaped(words.next()?);
        Some(Self {
            device,
            root,
            place,
        })
    }
}

/// Blanks, tabs, line ends and backslashes stand as `\040`.
fn unescaped(text: &[u8]) -> std::path::PathBuf {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        let octal = (*byte == b'\\')
            .then(|| after.get(..3))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match octal {
            Some(octal) => {
                bytes.push(octal);
                rest = &after[3..];
            }
            None => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    std::path::PathBuf::from(std::ffi::OsStr::from_bytes(&bytes))
}
