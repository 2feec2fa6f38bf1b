//! How much a command and a member may use, and which limit ended something.

use std::{fmt, iter::Sum, ops::Add};

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
    /// The bytes that the whole command writes to disks, whether or not they are removed later. Kernels without
    /// `CONFIG_TASK_IO_ACCOUNTING` do not count it.
    pub disk_bytes: Option<u64>,
    /// How long it runs, with all that it leaves in the background, in seconds.
    pub wall_seconds: Option<u64>,
}

/// How much all commands of a member may use in sum; `None` is no limit. Counted and looked at as for [`CommandLimits`].
///
/// Of commands that together have too much memory or too many processes at a time, the one with the most ends. What is used up
/// (the other limits) counts as long as the program has the team open: then running commands end, and none starts any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberLimits {
    /// Memory at a time, in bytes.
    pub memory_bytes: Option<u64>,
    /// Processes at a time.
    pub processes: Option<u32>,
    /// Time of processors, in seconds.
    pub cpu_seconds: Option<u64>,
    /// Written to disks, in bytes.
    pub disk_bytes: Option<u64>,
    /// How long its commands ran, one beside the other or after it, in seconds.
    pub wall_seconds: Option<u64>,
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
            wall_seconds: None,
        }
    }
}

impl Default for MemberLimits {
    fn default() -> Self {
        Self {
            memory_bytes: Some(three_quarters_of_memory()),
            processes: Some(4_096),
            cpu_seconds: None,
            disk_bytes: None,
            wall_seconds: None,
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

/// The use of commands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Used {
    /// Now.
    pub(crate) memory_bytes: u64,
    /// Now.
    pub(crate) processes: u64,
    pub(crate) cpu_millis: u64,
    pub(crate) disk_bytes: u64,
    pub(crate) wall_millis: u64,
}

impl Used {
    /// How many numbers it is.
    pub(crate) const COUNT: usize = 5;

    pub(crate) fn numbers(self) -> [u64; Self::COUNT] {
        [
            self.memory_bytes,
            self.processes,
            self.cpu_millis,
            self.disk_bytes,
            self.wall_millis,
        ]
    }

    pub(crate) fn of(
        [memory_bytes, processes, cpu_millis, disk_bytes, wall_millis]: [u64; Self::COUNT],
    ) -> Self {
        Self {
            memory_bytes,
            processes,
            cpu_millis,
            disk_bytes,
            wall_millis,
        }
    }

    /// The part of it that is still used up when the commands have ended.
    pub(crate) fn lasting(self) -> Self {
        Self {
            memory_bytes: 0,
            processes: 0,
            ..self
        }
    }
}

impl Add for Used {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mut sum = self.numbers();
        for (number, more) in sum.iter_mut().zip(other.numbers()) {
            *number = number.saturating_add(more);
        }
        Self::of(sum)
    }
}

impl Sum for Used {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

impl CommandLimits {
    /// The first limit that a whole command exceeds.
    pub(crate) fn exceeded(&self, used: &Used) -> Option<Limit> {
        let processes = self.processes.map(u64::from);
        [
            (used.processes, processes, Limit::Processes),
            (used.memory_bytes, self.total_memory_bytes, Limit::Memory),
            (used.cpu_millis, millis(self.cpu_seconds), Limit::CpuTime),
            (used.disk_bytes, self.disk_bytes, Limit::DiskWritten),
            (used.wall_millis, millis(self.wall_seconds), Limit::Time),
        ]
        .into_iter()
        .find_map(|(used, most, limit)| (used > most?).then_some(limit))
    }
}

impl MemberLimits {
    /// Whether there is nothing to count.
    pub(crate) fn is_none(&self) -> bool {
        let counted = [self.memory_bytes, self.processes.map(u64::from)];
        counted.iter().all(Option::is_none) && !self.counts_lasting()
    }

    /// Whether anything counts that is still used up when a command has ended.
    pub(crate) fn counts_lasting(&self) -> bool {
        let lasting = [self.cpu_seconds, self.disk_bytes, self.wall_seconds];
        lasting.iter().any(Option::is_some)
    }

    /// The limit that a member has used up with all its commands.
    pub(crate) fn used_up(&self, all: &Used) -> Option<Limit> {
        [
            (
                all.cpu_millis,
                millis(self.cpu_seconds),
                MemberLimit::CpuTime,
            ),
            (all.disk_bytes, self.disk_bytes, MemberLimit::DiskWritten),
            (
                all.wall_millis,
                millis(self.wall_seconds),
                MemberLimit::Time,
            ),
        ]
        .into_iter()
        .find_map(|(used, most, limit)| (used >= most?).then_some(Limit::Member(limit)))
    }

    /// Why this one of a member's commands has to end.
    pub(crate) fn exceeded(&self, own: &Used, all: &[Used]) -> Option<Limit> {
        let sum = all.iter().copied().sum::<Used>();
        let ends_most = |used: fn(&Used) -> u64, most: Option<u64>| {
            let is_largest = || all.iter().all(|other| used(other) <= used(own));
            most.is_some_and(|most| used(&sum) > most) && is_largest()
        };
        if ends_most(|used| used.processes, self.processes.map(u64::from)) {
            return Some(Limit::Member(MemberLimit::Processes));
        }
        if ends_most(|used| used.memory_bytes, self.memory_bytes) {
            return Some(Limit::Member(MemberLimit::Memory));
        }
        self.used_up(&sum)
    }
}

fn millis(seconds: Option<u64>) -> Option<u64> {
    seconds.map(|seconds| seconds.saturating_mul(1_000))
}

/// A limit of a command.
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
    /// [`CommandLimits::wall_seconds`].
    Time,
    /// Together with the member's other commands.
    Member(MemberLimit),
}

/// A limit of all commands of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberLimit {
    /// [`MemberLimits::memory_bytes`].
    Memory,
    /// [`MemberLimits::processes`].
    Processes,
    /// [`MemberLimits::cpu_seconds`].
    CpuTime,
    /// [`MemberLimits::disk_bytes`].
    DiskWritten,
    /// [`MemberLimits::wall_seconds`].
    Time,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory => "its processes together used more memory than a command may",
            Self::Processes => "it had more processes than a command may",
            Self::CpuTime => "it took more processor time than a command may",
            Self::FileSize => "it wrote a larger file than a command may",
            Self::DiskWritten => "its processes together wrote more to disks than a command may",
            Self::Time => "it ran for longer than a command may",
            Self::Member(MemberLimit::Memory) => {
                "all commands of the member together used more memory than they may, and this one the most"
            }
            Self::Member(MemberLimit::Processes) => {
                "all commands of the member together had more processes than they may, and this one the most"
            }
            Self::Member(MemberLimit::CpuTime) => {
                "all commands of the member together took more processor time than they may"
            }
            Self::Member(MemberLimit::DiskWritten) => {
                "all commands of the member together wrote more to disks than they may"
            }
            Self::Member(MemberLimit::Time) => {
                "all commands of the member together ran for longer than they may"
            }
        })
    }
}
