//! Directories by their resolved path, through no link at all: where outputs are kept and worktrees are made. A path that leads
//! through a link now was swapped since it was resolved.

use std::{
    fs::File,
    io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{self, AtFlags, CWD, FileType, Mode, OFlags},
    io::Errno,
};

/// How a directory is opened on the way to something else.
#[cfg(target_os = "linux")]
pub const DIRECTORY: OFlags = OFlags::PATH
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
/// How a directory is opened on the way to something else.
#[cfg(not(target_os = "linux"))]
pub const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

const CAREFUL: OFlags = OFlags::NOFOLLOW
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// Opens a directory by its absolute path. A link in any component is an error.
pub fn open_dir(path: &Path) -> io::Result<OwnedFd> {
    opened(path).map_err(|why| match why {
        Errno::LOOP | Errno::NOTDIR => io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{} is not a directory", blamed(path).display()),
        ),
        why => why.into(),
    })
}

/// Makes a directory, if it is not there, with those above it; for the user only.
pub fn make_dir(path: &Path) -> io::Result<OwnedFd> {
    match open_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        opened => return opened,
    }
    let (above, name) = parts(path)?;
    match fs::mkdirat(make_dir(above)?, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => open_dir(path),
        Err(why) => Err(why.into()),
    }
}

/// Makes an empty file, for the user only, with the directories above it. One that is there is replaced, not written into.
pub fn new_file(path: &Path) -> io::Result<File> {
    let (above, name) = parts(path)?;
    let dir = make_dir(above)?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | CAREFUL;
    let create = || fs::openat(&dir, name, flags, Mode::RUSR | Mode::WUSR);
    match create() {
        Err(Errno::EXIST) => {
            fs::unlinkat(&dir, name, AtFlags::empty())?;
            Ok(create()?.into())
        }
        created => Ok(created?.into()),
    }
}

/// Opens a regular file for reading.
pub fn open_file(path: &Path) -> io::Result<File> {
    let (above, name) = parts(path)?;
    let flags = OFlags::RDONLY | CAREFUL;
    let file = fs::openat(open_dir(above)?, name, flags, Mode::empty())?;
    match FileType::from_raw_mode(fs::fstat(&file)?.st_mode) {
        FileType::RegularFile => Ok(file.into()),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        )),
    }
}

fn parts(path: &Path) -> io::Result<(&Path, &std::ffi::OsStr)> {
    path.parent()
        .zip(path.file_name())
        .ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

fn opened(path: &Path) -> Result<OwnedFd, Errno> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::ResolveFlags;
        let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match fs::openat2(CWD, path, DIRECTORY, Mode::empty(), resolve) {
            // An old kernel, or a container that forbids the call.
            Err(Errno::NOSYS | Errno::PERM) => {}
            opened => return opened,
        }
    }
    walked(path)
}

fn walked(path: &Path) -> Result<OwnedFd, Errno> {
    let mut parts = path.iter();
    let first = parts.next().ok_or(Errno::INVAL)?;
    let mut dir = fs::openat(CWD, first, DIRECTORY, Mode::empty())?;
    for part in parts {
        dir = fs::openat(&dir, part, DIRECTORY, Mode::empty())?;
    }
    Ok(dir)
}

/// The first on the way that is no directory; for a sentence only, as it may have changed meanwhile.
fn blamed(path: &Path) -> PathBuf {
    let mut ways: Vec<&Path> = path.ancestors().collect();
    ways.reverse();
    let is_other = |way: &&Path| std::fs::symlink_metadata(way).is_ok_and(|found| !found.is_dir());
    ways.into_iter().find(is_other).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn no_link_is_passed_on_the_way_to_a_file() {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        let elsewhere = root.join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        std::fs::write(elsewhere.join("secret"), "secret").unwrap();
        for (name, to) in [
            ("relative", "elsewhere"),
            ("absolute", &*elsewhere.display().to_string()),
            ("dangling", "nowhere"),
            ("loop", "loop"),
        ] {
            let link = root.join(name);
            symlink(to, &link).unwrap();
            for path in [link.join("secret"), link.join("below/secret")] {
                let refused = new_file(&path).unwrap_err().to_string();
                assert_eq!(refused, format!("{} is not a directory", link.display()));
                assert!(open_file(&path).is_err() && walked(&link).is_err());
            }
        }
        assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 1);
    }

    #[test]
    fn what_stands_in_a_files_place_is_replaced_and_never_written_into() {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        let (path, other) = (root.join("a/b/kept.txt"), root.join("other"));
        std::fs::write(&other, "mine").unwrap();
        new_file(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        symlink(&other, &path).unwrap();
        assert!(open_file(&path).is_err());
        new_file(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "mine");
        std::fs::remove_file(&path).unwrap();
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &path, kind, rustix::fs::Mode::RWXU, 0).unwrap();
        assert!(open_file(&path).is_err());
    }
}
