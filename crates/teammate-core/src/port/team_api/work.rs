//! Questions and answers about the task board, background jobs and schedules.

use std::{path::PathBuf, sync::Arc};

use crate::{
    board::Task,
    id::{ScheduleId, TaskId},
    name::WorkerName,
    port::BoxFuture,
    team::{Job, MissedRuns, ScheduledWork},
    tool::Outcome,
};

/// The result of an action on a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskChange {
    /// The task as it is now.
    pub task: Arc<Task>,
    /// Tasks that can be begun since.
    pub unblocked: Vec<TaskId>,
    /// No teammate that there is may do it.
    pub has_no_candidate: bool,
}

/// Work for the background.
pub struct NewJob {
    /// A title of one line.
    pub title: String,
    /// Whether it may do more than read. False for jobs whose calls each pass the gate.
    pub acts: bool,
    pub work: JobFuture,
}

/// Makes the future that does the work. Its outcome is what the owner reads at the end. Dropping the future ends
/// everything that it started.
pub type JobFuture = Box<dyn FnOnce(JobContext) -> BoxFuture<'static, Outcome> + Send>;

/// The parts that a job is given.
pub struct JobContext {
    /// The file for its output, in the directory of kept outputs. Nobody else writes it; it may not be there yet.
    pub output: PathBuf,
    /// Resolves when the job must end. A job that takes too long to end is dropped.
    pub stopped: BoxFuture<'static, ()>,
    /// Takes a look at whether it serves others, so that it will hardly end by itself. A job without one never does.
    pub serves_by: Box<dyn FnOnce(ServingLook) + Send>,
}

/// A look at whether a job serves others, for when the team has nothing else to wait for.
pub type ServingLook = Box<dyn Fn() -> BoxFuture<'static, bool> + Send + Sync>;

/// A job, seen from its owner.
#[derive(Debug, Clone, PartialEq)]
pub struct JobReport {
    /// The job as the journal knows it.
    pub job: Job,
    pub output: PathBuf,
    /// The worker where that file is, if it is another one.
    pub elsewhere: Option<WorkerName>,
    /// The outcome, if it has ended and the result is still known.
    pub outcome: Option<Outcome>,
}

/// A wish of the lead about schedules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScheduleAsk {
    List,
    /// Have something done at a time.
    Add {
        /// When, as the model writes it.
        when: String,
        work: ScheduledWork,
        /// The treatment of moments at which nobody runs the team.
        missed: MissedRuns,
    },
    Remove(ScheduleId),
    /// Let one rest.
    Pause(ScheduleId),
    /// Let one go on.
    Resume(ScheduleId),
}
