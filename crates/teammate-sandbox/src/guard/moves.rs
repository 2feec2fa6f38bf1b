//! Moves what commands wrote out of the way, and puts files back. Commands may be running: no link is passed on the way.

use std::{
    ffi::OsStr,
    fs, io,
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::{
            ffi::OsStrExt as _,
            fs::{OpenOptionsExt as _, PermissionsExt as _},
        },
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{
        AtFlags, CWD, Mode, OFlags, RenameFlags, mkdirat, openat, renameat, renameat_with, unlinkat,
    },
    io::Errno,
};

/// The directory that a file is in, held: whatever is put in its place meanwhile, this is the one.
struct Parent<'a> {
    dir: OwnedFd,
    name: &'a OsStr,
}

impl<'a> Parent<'a> {
    fn of(path: &'a Path, makes: bool) -> io::Result<Self> {
        let missing = || io::Error::from(io::ErrorKind::InvalidInput);
        let (above, name) = (
            path.parent().ok_or_else(missing)?,
            path.file_name().ok_or_else(missing)?,
        );
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut dir = openat(CWD, "/", flags, Mode::empty())?;
        for component in above.components().skip(1) {
            let step = component.as_os_str();
            if makes {
                match mkdirat(&dir, step, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    // The machine's own directories are there, and may be read-only.
                    Err(Errno::ACCESS | Errno::ROFS | Errno::PERM) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            dir = openat(&dir, step, flags | OFlags::PATH, Mode::empty())?;
        }
        Ok(Self { dir, name })
    }
}

/// Moves a file, a link or a directory. Directories that are missing on the way to its new place are made.
pub(super) fn shift(from: &Path, to: &Path) -> io::Result<()> {
    let (source, target) = (Parent::of(from, false)?, Parent::of(to, true)?);
    match renameat(&source.dir, source.name, &target.dir, target.name) {
        Err(Errno::XDEV) => copy(&source, to),
        done => Ok(done?),
    }
}

/// Moves a file if nothing stands at the new place.
pub(super) fn shift_to_free(from: &Path, to: &Path) -> io::Result<()> {
    let (source, target) = (Parent::of(from, false)?, Parent::of(to, true)?);
    let done = renameat_with(
        &source.dir,
        source.name,
        &target.dir,
        target.name,
        RenameFlags::NOREPLACE,
    );
    match done {
        Err(Errno::XDEV | Errno::INVAL | Errno::NOSYS) if super::thing::is_absent(to) => {
            shift(from, to)
        }
        done => Ok(done?),
    }
}

/// Puts each of two in the other's place: at no moment does nothing stand there.
///
/// # Errors
///
/// One of them is gone, they are on different file systems, or theirs cannot do this.
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    let (one, other) = (Parent::of(one, false)?, Parent::of(other, false)?);
    let flags = RenameFlags::EXCHANGE;
    Ok(renameat_with(
        &one.dir, one.name, &other.dir, other.name, flags,
    )?)
}

/// To another file system: files and links only.
fn copy(source: &Parent<'_>, to: &Path) -> io::Result<()> {
    let about = rustix::fs::statat(&source.dir, source.name, AtFlags::SYMLINK_NOFOLLOW)?;
    let from = source.dir.as_fd();
    match rustix::fs::FileType::from_raw_mode(about.st_mode) {
        rustix::fs::FileType::Symlink => {
            let target = rustix::fs::readlinkat(from, source.name, Vec::new())?;
            std::os::unix::fs::symlink(OsStr::from_bytes(target.to_bytes()), to)?;
        }
        rustix::fs::FileType::RegularFile => {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let file = fs::File::from(openat(from, source.name, flags, Mode::empty())?);
            io::copy(&mut &file, &mut fs::File::create_new(to)?)?;
        }
        // Nothing of it is worth keeping.
        _ => {}
    }
    let flags = match rustix::fs::FileType::from_raw_mode(about.st_mode) {
        rustix::fs::FileType::Directory => AtFlags::REMOVEDIR,
        _ => AtFlags::empty(),
    };
    Ok(unlinkat(from, source.name, flags)?)
}

/// Puts a file there, whole or not at all. Made in `room` first, which is on the same file system, as a rule.
pub(super) fn put_file(path: &Path, bytes: &[u8], mode: u32, room: &Path) -> io::Result<()> {
    let draft = draft(room);
    let made = fs::File::options()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)
        .and_then(|mut file| io::Write::write_all(&mut file, bytes))
        .and_then(|()| fs::set_permissions(&draft, fs::Permissions::from_mode(mode)))
        .and_then(|()| shift(&draft, path));
    if made.is_err() {
        // It was ours alone.
        let _ = fs::remove_file(&draft);
    }
    made
}

/// Puts a link in a place.
pub(super) fn put_link(path: &Path, target: &OsStr, room: &Path) -> io::Result<()> {
    let draft = draft(room);
    std::os::unix::fs::symlink(target, &draft)?;
    shift(&draft, path).inspect_err(|_| {
        let _ = fs::remove_file(&draft);
    })
}

fn draft(room: &Path) -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    room.join(format!(".draft-{}-{number}", std::process::id()))
}

/// Removes directories that are empty by now, from here upwards to `top`, which stays.
pub(super) fn prune(dir: &Path, top: &Path) {
    for dir in dir
        .ancestors()
        .take_while(|dir| *dir != top && dir.starts_with(top))
    {
        let removed = Parent::of(dir, false)
            .and_then(|parent| Ok(unlinkat(&parent.dir, parent.name, AtFlags::REMOVEDIR)?));
        if removed.is_err() {
            return;
        }
    }
}
