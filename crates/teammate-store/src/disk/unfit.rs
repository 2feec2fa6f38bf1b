//! Why something in a team's directory is not used, in a sentence with what to do about it.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Directory,
    File,
    Link,
    /// A named pipe.
    Fifo,
    Socket,
    Device,
    Unknown,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Directory => "a directory",
            Self::File => "a regular file",
            Self::Link => "a symbolic link",
            Self::Fifo => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Unknown => "something unknown",
        })
    }
}

/// A file in a team's directory that is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnfitFile {
    /// It has the wrong kind.
    #[error("{path} is {found}, not {wanted}; move it away or delete it")]
    Kind {
        path: PathBuf,
        found: FileKind,
        wanted: FileKind,
    },
    /// It belongs to another user, who could change it.
    #[error(
        "{path} belongs to user {owner}, and this program runs as user {user}; run it as user {owner}, or move {path} away"
    )]
    Owner {
        path: PathBuf,
        owner: u32,
        /// The user who runs this program.
        user: u32,
    },
    /// Its permissions let this program not open it.
    #[error("{path} may not be opened (permission denied); `chmod u+rwX {path}` opens it again")]
    Closed { path: PathBuf },
    #[error(
        "{path} is {size} bytes long, and at most {max} are read; move it away, or raise read_max_bytes in your configuration"
    )]
    TooLong {
        path: PathBuf,
        /// Its length in bytes.
        size: u64,
        /// The most that is read, in bytes.
        max: u64,
    },
    /// The path does not lead into the directory.
    #[error("{path} is not in {root}")]
    Outside { path: PathBuf, root: PathBuf },
}

impl From<UnfitFile> for io::Error {
    fn from(unfit: UnfitFile) -> Self {
        let kind = match unfit {
            UnfitFile::Kind { .. } | UnfitFile::Owner { .. } | UnfitFile::Outside { .. } => {
                io::ErrorKind::InvalidInput
            }
            UnfitFile::Closed { .. } => io::ErrorKind::PermissionDenied,
            UnfitFile::TooLong { .. } => io::ErrorKind::FileTooLarge,
        };
        Self::new(kind, unfit)
    }
}

/// An error of opening `path`, with its name where its permissions are the reason.
pub(super) fn opening(path: &Path, why: impl Into<io::Error>) -> io::Error {
    let why = why.into();
    match why.kind() {
        io::ErrorKind::PermissionDenied => UnfitFile::Closed {
            path: path.to_owned(),
        }
        .into(),
        _ => why,
    }
}
