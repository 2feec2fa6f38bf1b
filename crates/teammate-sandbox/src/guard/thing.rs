//! One file, link or other thing: what it is to those who read it, and how it is seen that it has changed.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, Metadata},
    io::{self, Read as _},
    os::unix::{
        ffi::OsStrExt as _,
        fs::{MetadataExt as _, OpenOptionsExt as _},
    },
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use super::Content;

/// How many bytes the files below one guarded name may hold together.
pub(super) const BYTES_MAX: u64 = 16 << 20;
/// The clock of files may be this coarse, in nanoseconds: what changed later than that could change again unseen.
const COARSE: i128 = 50_000_000;

/// The kind of a file for those who read it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Thing {
    /// A file with content of this digest.
    File {
        digest: [u8; 32],
        is_executable: bool,
    },
    /// A link to this.
    Link(OsString),
    /// A pipe, a socket, a device: nobody has said yes to one.
    Other,
}

/// The numbers that change when a file does, as far as its directory tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    mode: u32,
    size: i64,
    changed: i128,
}

/// One file as it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) thing: Thing,
    /// Its permissions.
    pub(crate) mode: u32,
    /// `None` if it may have changed since without another stamp.
    pub(crate) stamp: Option<Stamp>,
}

impl Stamp {
    pub(super) fn of(found: &Metadata) -> Self {
        Self {
            device: found.dev(),
            inode: found.ino(),
            mode: found.mode(),
            size: i64::try_from(found.len()).unwrap_or(i64::MAX),
            changed: i128::from(found.ctime()) * 1_000_000_000 + i128::from(found.ctime_nsec()),
        }
    }

    /// Whether a change from now on shows.
    pub(super) fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.is_ok_and(|now| {
            i128::try_from(now.as_nanos()).is_ok_and(|now| self.changed + COARSE < now)
        })
    }
}

impl Thing {
    /// The thing that stands here; `None` if it is gone.
    pub(super) fn at(path: &Path, found: &Metadata) -> Option<Self> {
        match found.file_type() {
            kind if kind.is_file() => {
                let digest = match bytes(path) {
                    Ok(bytes) => digest_of(&bytes),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
                    // It cannot be read by us, nor by programs of the same user.
                    Err(_) => [0; 32],
                };
                Some(Self::File {
                    digest,
                    is_executable: found.mode() & 0o111 != 0,
                })
            }
            kind if kind.is_symlink() => Some(Self::Link(fs::read_link(path).ok()?.into())),
            _ => Some(Self::Other),
        }
    }

    /// Whether it is this that stands here now.
    pub(super) fn still_stands_at(&self, path: &Path) -> bool {
        let now = fs::symlink_metadata(path).ok();
        now.and_then(|now| Self::at(path, &now)).as_ref() == Some(self)
    }

    /// Whether it is a file with nothing in it.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::File { digest, .. } if *digest == digest_of(&[]))
    }

    /// A file with this content.
    pub(super) fn of(content: &Content<'_>) -> Self {
        match content {
            Content::Link(to) => Self::Link(to.as_os_str().to_owned()),
            Content::File {
                bytes,
                is_executable,
            } => Self::File {
                digest: digest_of(bytes),
                is_executable: *is_executable,
            },
        }
    }

    /// The thing that is at this path now, wherever it was before.
    pub(crate) fn now_at(path: &Path) -> Option<Self> {
        let found = fs::symlink_metadata(path).ok()?;
        Self::at(path, &found)
    }
}

/// Whether nothing stands at this path, also no link.
pub(super) fn is_absent(path: &Path) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    let found = fs::symlink_metadata(path);
    found.is_err_and(|error| matches!(error.kind(), NotFound | NotADirectory))
}

/// The content of a file that is no link, as far as it is looked at.
pub(super) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY;
    let file = fs::File::options()
        .read(true)
        .custom_flags(flags)
        .open(path)?;
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn digest_of(bytes: &[u8]) -> [u8; 32] {
    let mut own = [0; 32];
    own.copy_from_slice(digest(&SHA256, bytes).as_ref());
    own
}

/// A digest as the name of a file.
pub(super) fn name_of(digest: [u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A digest of a path, as the name of a file.
pub(super) fn name_of_path(path: &Path) -> String {
    let name = name_of(digest_of(OsStr::as_bytes(path.as_os_str())));
    name[..32].to_owned()
}
