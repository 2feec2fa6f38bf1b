//! The presence of a team: who runs it, one process at a time.

use std::{collections::BTreeSet, fmt};

use crate::{
    Timestamp,
    name::WorkerName,
    port::{BoxFuture, FileError},
};

/// A port that says who runs a team, as all of its processes see it.
pub trait Presence: Send + Sync {
    /// This process runs the team from now on, until the value is dropped or the process ends.
    ///
    /// Errors: [`HostError::Running`] if another process runs the team.
    fn claim(&self, now: Timestamp) -> BoxFuture<'_, Result<Box<dyn TeamClaim>, HostError>>;

    /// This process is one of several workers that run the team from now on, until the value is dropped or the process ends.
    ///
    /// Errors: [`HostError::Running`] if a process runs the team alone.
    fn join(&self) -> BoxFuture<'_, Result<Box<dyn TeamClaim>, HostError>> {
        Box::pin(async {
            match self.holder().await? {
                None | Some(LockHolder::Workers { .. }) => {
                    Ok(Box::new(Joined) as Box<dyn TeamClaim>)
                }
                Some(alone @ (LockHolder::Process { .. } | LockHolder::Unnamed)) => {
                    Err(HostError::Running(alone))
                }
            }
        })
    }

    /// The process that runs the team now; `None` if there is none.
    fn holder(&self) -> BoxFuture<'_, Result<Option<LockHolder>, HostError>>;

    /// Looks at who runs the team, and which of its workers do not answer. Takes as long as the slowest of them may.
    fn seen(&self) -> BoxFuture<'_, Result<SeenPresence, HostError>> {
        Box::pin(async {
            Ok(SeenPresence {
                holder: self.holder().await?,
                silent: BTreeSet::new(),
            })
        })
    }

    /// Resolves when others may run the team than before, or workers may have come or gone, since this was last awaited. A hint, which
    /// may come for nothing.
    fn changed(&self) -> BoxFuture<'_, ()> {
        self.left()
    }

    /// Resolves when the process that runs the team may have let it go. A hint, which may come for nothing.
    fn left(&self) -> BoxFuture<'_, ()>;
}

/// The right to run a team, until it is dropped.
pub trait TeamClaim: Send + Sync {}

/// The place of a worker where the wire alone says who is there.
struct Joined;

impl TeamClaim for Joined {}

/// The processes that run a team, as those say who were asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeenPresence {
    /// The process that runs it, or the workers.
    pub holder: Option<LockHolder>,
    /// Workers that have joined and did not answer.
    pub silent: BTreeSet<WorkerName>,
}

/// The process that runs a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockHolder {
    /// A process that has written its name.
    Process {
        pid: u32,
        /// When it took the lock.
        since: Timestamp,
    },
    /// A process that has not written its name yet, could not, or is on another machine.
    Unnamed,
    /// Workers, each of which runs some of the members.
    Workers {
        /// How many of them are there.
        count: usize,
    },
}

impl LockHolder {
    /// Its process id, if it is known.
    pub fn pid(self) -> Option<u32> {
        match self {
            Self::Process { pid, .. } => Some(pid),
            Self::Unnamed | Self::Workers { .. } => None,
        }
    }
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process { pid, .. } => write!(f, "process {pid}"),
            Self::Unnamed => write!(f, "another process"),
            Self::Workers { count: 1 } => write!(f, "a worker"),
            Self::Workers { count } => write!(f, "{count} workers"),
        }
    }
}

/// Why this process cannot run the team.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    #[error("the team is already running ({0}); stop it first, or use another team")]
    Running(LockHolder),
    /// It cannot be found out or claimed.
    #[error("{0}")]
    Broken(FileError),
}
