//! How much a command may use, and which limit ended it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much a command may use; `None` leaves what the program itself has. At [`Level::Off`](crate::Level::Off) there are none.
///
/// The kernel holds each process to what is said of a process. All of a command together are looked at four times a second by
/// the first process of the command, and killed if they use too much: a command can use more for that long. Memory is what is
/// resident and not shared, and at [`Level::Full`](crate::Level::Full) the files in `/dev/shm`; files in memory without a name
/// are not counted. Time and writing of processes that have ended count if somebody waited for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandLimits {
    /// The largest file that a process writes, in bytes.
    pub file_bytes: Option<u64>,
    /// The data segment and private memory of a process, in bytes.
    pub memory_bytes: Option<u64>,
    /// Memory of the whole command, in bytes.
    pub total_memory_bytes: Option<u64>,
    /// Open files of a process.
    pub open_files: Option<u64>,
    /// Processes and threads of the whole command at a time. Where the kernel cannot count those of one command, an ordinary
    /// user's other processes at its start are added, and all are looked at.
    pub processes: Option<u32>,
    /// Time of processors that the whole command takes, in seconds.
    pub cpu_seconds: Option<u64>,
    /// What the whole command writes to disks, in bytes, whether or not it is removed later. Kernels without
    /// `CONFIG_TASK_IO_ACCOUNTING` do not count it.
    pub disk_bytes: Option<u64>,
}

impl Default for CommandLimits {
    fn default() -> Self {
        Self {
            file_bytes: Some(8 << 30),
            memory_bytes: None,
            total_memory_bytes: Some(three_quarters_of_memory()),
            open_files: Some(4_096),
            processes: Some(1_024),
            cpu_seconds: None,
            disk_bytes: Some(100 << 30),
        }
    }
}

fn three_quarters_of_memory() -> u64 {
    let system = rustix::system::sysinfo();
    let unit = u64::from(system.mem_unit);
    #[allow(clippy::useless_conversion, reason = "as wide as the machine's words")]
    let all = u64::from(system.totalram).saturating_mul(unit);
    all / 4 * 3
}

/// What a command used too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    /// [`CommandLimits::total_memory_bytes`].
    Memory,
    /// [`CommandLimits::processes`].
    Processes,
    /// [`CommandLimits::cpu_seconds`].
    CpuTime,
    /// [`CommandLimits::file_bytes`].
    FileSize,
    /// [`CommandLimits::disk_bytes`].
    DiskWritten,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory => "its processes together used more memory than a command may",
            Self::Processes => "it had more processes than a command may",
            Self::CpuTime => "it took more processor time than a command may",
            Self::FileSize => "it wrote a larger file than a command may",
            Self::DiskWritten => "its processes together wrote more to disks than a command may",
        })
    }
}
