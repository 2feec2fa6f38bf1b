//! Probes: things that a command must not be able to do, tried inside.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::level::Level;

/// One thing that is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Attempt {
    /// Write to a file outside of the writable trees.
    WriteOutside,
    /// Read a hidden file.
    ReadHidden,
    /// Rename a directory above a protected one.
    RenameAncestor,
    /// Send a signal to the host.
    SignalHost,
    /// Find the host in `/proc`, or be in its process namespace.
    SeeHost,
    /// Open the host's memory, which needs the right to trace it.
    ReadHostMemory,
    /// Connect to a port of the machine's loopback.
    ConnectToHost,
    /// Open the kernel's log.
    ReadKernelLog,
    /// Open a setting of the kernel to write it.
    ChangeKernel,
    /// Ask for a key ring.
    UseKeys,
    /// Mount a file system.
    Mount,
    /// Make a user namespace, and with it get every capability.
    MakeUserNamespace,
}

impl Attempt {
    /// All, in the order in which they are tried: one that succeeds must not make the next ones easier.
    pub(crate) const ALL: [Self; 12] = [
        Self::WriteOutside,
        Self::ReadHidden,
        Self::RenameAncestor,
        Self::SignalHost,
        Self::SeeHost,
        Self::ReadHostMemory,
        Self::ConnectToHost,
        Self::ReadKernelLog,
        Self::ChangeKernel,
        Self::UseKeys,
        Self::Mount,
        Self::MakeUserNamespace,
    ];

    /// The lowest level at which it must fail.
    pub(crate) fn fails_from(self) -> Level {
        match self {
            Self::RenameAncestor
            | Self::SignalHost
            | Self::SeeHost
            | Self::ConnectToHost
            | Self::ReadKernelLog => Level::Full,
            Self::WriteOutside | Self::ReadHidden | Self::ReadHostMemory | Self::ChangeKernel => {
                Level::Landlock
            }
            Self::UseKeys | Self::Mount | Self::MakeUserNamespace => Level::None,
        }
    }

    /// In words, after "a command can".
    pub(crate) fn deed(self) -> &'static str {
        match self {
            Self::WriteOutside => "write outside of its directories",
            Self::ReadHidden => "read what is hidden",
            Self::RenameAncestor => "rename a directory above a protected one",
            Self::SignalHost => "send signals to this program",
            Self::SeeHost => "see this program's process",
            Self::ReadHostMemory => "read this program's memory",
            Self::ConnectToHost => "connect to this machine's loopback",
            Self::ReadKernelLog => "read the kernel's log",
            Self::ChangeKernel => "change the kernel's settings",
            Self::UseKeys => "use the kernel's key rings",
            Self::Mount => "mount file systems",
            Self::MakeUserNamespace => "make user namespaces",
        }
    }
}

/// The targets of the probes.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Targets {
    /// A file that is not in a writable tree.
    pub(crate) outside: PathBuf,
    /// A file in a hidden directory.
    pub(crate) hidden: PathBuf,
    /// A directory above a protected one.
    pub(crate) ancestor: PathBuf,
    /// The host's process.
    pub(crate) host: u32,
    /// The host's process namespace, as `/proc` names it.
    pub(crate) processes: PathBuf,
    /// A port of the machine's loopback that the host listens on.
    pub(crate) port: u16,
}
