//! Opening a directory beneath another through no link: by the kernel where it has `openat2`, elsewhere one component at a time.

use std::{ffi::OsStr, os::fd::OwnedFd, path::Path};

use rustix::{
    fs::{self, Mode, OFlags},
    io::Errno,
};

/// Opens a directory in order to go into it.
#[cfg(target_os = "linux")]
pub(super) const PASSAGE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
pub(super) const PASSAGE: OFlags = READING;

/// Opens a directory in order to list or sync it.
pub(super) const READING: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

/// Opens a directory beneath another through no link. `relative` has plain names only.
pub(super) fn beneath(root: &OwnedFd, relative: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    if relative.as_os_str().is_empty() {
        return fs::openat(root, ".", flags, Mode::empty());
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::ResolveFlags;
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match fs::openat2(root, relative, flags, Mode::empty(), resolve) {
            // An old kernel, or a container that forbids the call.
            Err(Errno::NOSYS | Errno::PERM) => {}
            opened => return opened,
        }
    }
    walk(root, relative, flags)
}

/// Like `openat2`, one component at a time.
fn walk(root: &OwnedFd, relative: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut names: Vec<&OsStr> = relative.iter().collect();
    let last = names.pop().unwrap_or(OsStr::new("."));
    let mut passed = None;
    for name in names {
        let here = passed.as_ref().unwrap_or(root);
        passed = Some(fs::openat(
            here,
            name,
            PASSAGE | OFlags::NOFOLLOW,
            Mode::empty(),
        )?);
    }
    let here = passed.as_ref().unwrap_or(root);
    fs::openat(here, last, flags | OFlags::NOFOLLOW, Mode::empty())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::CWD;

    use super::*;

    type Way = fn(&OwnedFd, &Path, OFlags) -> Result<OwnedFd, Errno>;

    /// The fallback for kernels without `openat2` gives the same results.
    #[test]
    fn a_walk_finds_what_the_kernel_finds_and_passes_no_link() {
        let temporary = tempfile::tempdir().unwrap();
        let at = temporary.path();
        std::fs::create_dir_all(at.join("a/b")).unwrap();
        symlink("a", at.join("link")).unwrap();
        symlink("b", at.join("a/link")).unwrap();
        let root = fs::openat(CWD, at, PASSAGE, Mode::empty()).unwrap();
        let ways: [Way; 2] = [beneath, walk];
        for way in ways {
            for flags in [PASSAGE, READING] {
                let opens = |path: &str| way(&root, Path::new(path), flags).is_ok();
                assert!(opens("a") && opens("a/b"));
                for refused in ["link", "link/b", "a/link", "a/c", "c"] {
                    assert!(!opens(refused), "{refused}");
                }
            }
        }
    }
}
