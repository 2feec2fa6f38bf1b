//! Why something in a team's directory is not used, in a sentence with what to do about it.

use std::{fmt, io, path::PathBuf};

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A directory.
    Directory,
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A device.
    Device,
    /// Something this program does not know.
    Unknown,
}

impl fmt::Display for Kind {
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

/// Something in a team's directory that is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Not what belongs there.
    #[error("{path} is {found}, not {wanted}; move it away or delete it")]
    Kind {
        /// Which one.
        path: PathBuf,
        /// What it is.
        found: Kind,
        /// What belongs there.
        wanted: Kind,
    },
    /// It belongs to somebody else, who could change it.
    #[error(
        "{path} belongs to user {owner}, and this program runs as user {user}; run it as user {owner}, or move {path} away"
    )]
    Owner {
        /// Which one.
        path: PathBuf,
        /// Whose it is.
        owner: u32,
        /// Who runs this program.
        user: u32,
    },
    /// A file that is too long to be read.
    #[error(
        "{path} is {size} bytes long, and at most {max} are read; move it away, or raise read_max_bytes in your configuration"
    )]
    TooLong {
        /// Which one.
        path: PathBuf,
        /// Its length in bytes.
        size: u64,
        /// The most that is read, in bytes.
        max: u64,
    },
    /// A path that does not lead into the directory.
    #[error("{path} is not in {root}")]
    Outside {
        /// Which one.
        path: PathBuf,
        /// The directory.
        root: PathBuf,
    },
}

impl From<Unfit> for io::Error {
    fn from(unfit: Unfit) -> Self {
        let kind = match unfit {
            Unfit::Kind { .. } | Unfit::Owner { .. } | Unfit::Outside { .. } => {
                io::ErrorKind::InvalidInput
            }
            Unfit::TooLong { .. } => io::ErrorKind::FileTooLarge,
        };
        Self::new(kind, unfit)
    }
}
