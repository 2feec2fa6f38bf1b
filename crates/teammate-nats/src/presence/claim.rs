//! A claim to run a team: by one process alone, or by a worker beside others.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use teammate_core::{Timestamp, name::WorkerName, port::LockHolder};

/// A claim to run the team.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Claim {
    /// A process, for itself alone.
    Process {
        /// Where numbers of processes mean the same.
        machine: String,
        pid: u32,
        since: Timestamp,
    },
    Worker(WorkerName),
}

impl Claim {
    pub(super) fn of_this_process(now: Timestamp) -> Self {
        Self::Process {
            machine: machine(),
            pid: std::process::id(),
            since: now,
        }
    }

    /// `None` if it is none of this version.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        serde_json::from_slice(text).ok()
    }

    pub(super) fn json(&self) -> Bytes {
        let text = serde_json::to_vec(self);
        text.expect("texts and numbers are JSON").into()
    }

    /// Whom it names: a process can be looked at only on its own machine.
    pub(super) fn holder(self) -> LockHolder {
        match self {
            Self::Process {
                machine: of,
                pid,
                since,
            } if of == machine() => LockHolder::Process { pid, since },
            Self::Process { .. } => LockHolder::Unnamed,
            Self::Worker(_) => LockHolder::Workers { count: 1 },
        }
    }

    /// Whether both may run the team at once.
    pub(super) fn goes_with(&self, there: LockHolder) -> bool {
        matches!((self, there), (Self::Worker(_), LockHolder::Workers { .. }))
    }
}

/// One life of a system, and one space of processes in it.
fn machine() -> String {
    let life = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{} {}", life.trim(), space.display())
}
