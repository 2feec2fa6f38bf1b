//! Which changes are saved: all that git does not ignore, up to limits of size.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt as _, path::Path};

use teammate_core::port::{LeftOut, LeftOutWhy};

/// The most bytes of a file that is saved.
const FILE_BYTES_MAX: u64 = 16 << 20;
/// The most bytes of all files that are saved at once.
const ALL_BYTES_MAX: u64 = 48 << 20;
/// The most files that are saved at once.
const FILES_MAX: usize = 50_000;

/// Which files of a tree differ from its last commit, as lists for git with a zero behind each path.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    /// Files and links to take as they are.
    pub(super) there: Vec<u8>,
    /// The paths that are gone.
    pub(super) gone: Vec<u8>,
    pub(super) left_out: Vec<LeftOut>,
    bytes: u64,
    files: usize,
}

impl Chosen {
    /// Reads `git status --porcelain -z --no-renames`.
    pub(super) fn of(status: &[u8], top: &Path) -> Self {
        let mut chosen = Self::default();
        for entry in status.split(|byte| *byte == 0) {
            let (Some(state), Some(path)) = (entry.get(..2), entry.get(3..)) else {
                continue;
            };
            // In a conflict, what is there counts.
            let is_gone = state.contains(&b'D') && !state.contains(&b'U') && state != b"DD";
            if is_gone {
                chosen.remove(path);
            } else {
                chosen.take(path, top);
            }
        }
        chosen
    }

    pub(super) fn is_empty(&self) -> bool {
        self.there.is_empty() && self.gone.is_empty()
    }

    fn remove(&mut self, path: &[u8]) {
        self.gone.extend_from_slice(path);
        self.gone.push(0);
    }

    fn take(&mut self, path: &[u8], top: &Path) {
        let Ok(found) = fs::symlink_metadata(top.join(OsStr::from_bytes(path))) else {
            return self.remove(path);
        };
        let bytes = found.len();
        let why = if !found.is_file() && !found.is_symlink() {
            Some(LeftOutWhy::NotAFile)
        } else if bytes > FILE_BYTES_MAX {
            Some(LeftOutWhy::TooLarge(bytes))
        } else if self.bytes + bytes > ALL_BYTES_MAX || self.files >= FILES_MAX {
            Some(LeftOutWhy::NoRoom)
        } else {
            None
        };
        if let Some(why) = why {
            let path = String::from_utf8_lossy(path).into_owned();
            self.left_out.push(LeftOut { path, why });
            return;
        }
        self.bytes += bytes;
        self.files += 1;
        self.there.extend_from_slice(path);
        self.there.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_taken_and_what_is_too_large_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        fs::write(path("new"), "new").unwrap();
        fs::create_dir(path("inner")).unwrap();
        fs::File::create(path("big"))
            .unwrap()
            .set_len(FILE_BYTES_MAX + 1)
            .unwrap();
        let status = b"?? new\0 D old\0D  both\0?? both\0UD mine\0?? big\0?? inner/\0";
        let chosen = Chosen::of(status, dir.path());
        assert_eq!(chosen.there, b"new\0");
        assert_eq!(chosen.gone, b"old\0both\0both\0mine\0");
        let left: Vec<_> = chosen.left_out.iter().map(|left| &*left.path).collect();
        assert_eq!(left, ["big", "inner/"]);
    }
}
