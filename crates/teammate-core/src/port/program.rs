//! Programs that talk over their standard streams as long as they live: servers of tools, external agents, hooks. What
//! they say is not known here.

use std::{
    io::{PipeReader, PipeWriter},
    path::PathBuf,
    sync::Arc,
};

use crate::{MemberName, permission::Rules, port::BoxFuture};

/// Starts programs within the team's walls.
pub trait ProgramStarter: Send + Sync {
    /// Starts one. It ends, with all that it started, when what is returned is dropped.
    ///
    /// # Errors
    ///
    /// There is no such program, or a wall cannot be put up: nothing runs.
    fn start(&self, order: &ProgramOrder) -> Result<RunningProgram, ProgramError>;
}

/// A program to be started.
#[derive(Debug, Clone)]
pub struct ProgramOrder {
    /// The name of the program: letters, digits, `_` and `-`. Programs of one name share a `/tmp` and a network.
    pub name: String,
    /// A path, or a name that is looked for in `PATH`.
    pub command: String,
    pub arguments: Vec<String>,
    /// The environment besides what commands of members have.
    pub environment: Vec<(String, String)>,
    /// Where it begins; the workspace if nothing is said.
    pub directory: Option<PathBuf>,
    /// Where it may connect: to the hosts that these rules allow. Nobody is asked.
    pub network: Rules,
    /// In what it is held otherwise than commands of members.
    pub bounds: ProgramBounds,
}

/// In what a program is held otherwise than commands of members; by default in nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramBounds {
    pub workspace: WorkspaceAccess,
    /// Directories besides that it sees and writes: its own configuration.
    pub own: Vec<PathBuf>,
    /// Memory of the whole of it, in bytes, if that is less than commands may have.
    pub memory_max: Option<u64>,
}

/// The access of a program to the workspace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WorkspaceAccess {
    /// It changes it, as commands of members do.
    #[default]
    Writes,
    /// It sees it, and changes nothing, whatever it is allowed otherwise.
    Reads,
}

/// A program that was started, and our ends of its streams. Dropping it kills it, with all that it started.
pub struct RunningProgram {
    /// Its standard input.
    pub input: PipeWriter,
    /// Its standard output.
    pub output: PipeReader,
    /// Its standard error. To be read on and on: a full pipe would stop it.
    pub errors: PipeReader,
    pub life: Box<dyn ProgramLife>,
    /// The count of what runs of it.
    pub census: Arc<dyn Census>,
}

/// Counts the processes of a program. It keeps none of them alive.
pub trait Census: Send + Sync {
    /// The use of the program and all that it started; `None` where that cannot be known.
    fn count(&self) -> Option<ProgramUse>;

    /// Its processes, by the system's numbers; `None` where that cannot be known.
    fn processes(&self) -> Option<Vec<u32>>;

    /// Kills all of its processes that are not among these, and what they start meanwhile. How many there were; `None` where that
    /// cannot be known, or some go on. Blocks.
    fn end_others(&self, kept: &[u32]) -> Option<u32>;

    /// How many of its processes have this text in their command line; `None` where that cannot be known.
    fn running(&self, text: &str) -> Option<u32>;
}

/// The use of a program, with all that it started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProgramUse {
    pub processes: u32,
    /// Memory, in bytes; what several processes share is counted once.
    pub memory_bytes: u64,
}

/// The processes of a program.
pub trait ProgramLife: Send + Sync {
    /// Waits until the program itself has ended; what it started may go on. May be given up and called again.
    fn ended(&mut self) -> BoxFuture<'_, ProgramEnd>;

    /// Asks it, and all that it started, to stop.
    fn ask_to_stop(&self);

    /// Kills it and all that it started, and waits until nothing is left.
    fn kill(&self) -> BoxFuture<'_, ()>;
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramEnd {
    /// By itself, with this exit code; none if a signal ended it.
    #[error("it ended{}", .0.map(|code| format!(" with exit code {code}")).unwrap_or_default())]
    Exited(Option<i32>),
    /// It used too much of this.
    #[error("it used too much: {0}")]
    Limit(String),
    #[error("it was killed")]
    Killed,
    /// It never ran.
    #[error("{0}")]
    NotStarted(ProgramError),
}

/// Why a program was not started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// It is nowhere in `PATH`, or not at this path.
    #[error("there is no program '{0}'")]
    NotFound(String),
    /// The sandbox could not do this.
    #[error("the sandbox could not {0}")]
    Wall(String),
    /// The sandbox here holds less than the user requires.
    #[error("{0}")]
    Unheld(String),
    /// The system refused something.
    #[error("it could not be started: {0}")]
    Io(String),
}

/// The processes that commands started, by member.
pub trait MemberProcesses: Send + Sync {
    /// Ends every process that this member's commands left running, and waits for their end.
    fn end_member<'a>(&'a self, member: &'a MemberName) -> BoxFuture<'a, ()>;
}
