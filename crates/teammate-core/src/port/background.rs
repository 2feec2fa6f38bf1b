//! Background work: what runs on while its owner does something else, and tells it at the end.

use std::{path::PathBuf, time::Duration};

use crate::{
    port::{BoxFuture, Caller, Refusal},
    team::Job,
    tool::Outcome,
};

/// Runs jobs. A job belongs to whoever started it; only its owner and the lead may touch it.
pub trait Background: Send + Sync {
    /// Starts a job and returns at once. The same call again starts nothing new. When the job has ended, its owner is told
    /// by mail, once.
    fn start<'a>(
        &'a self,
        caller: &'a Caller,
        job: NewJob,
    ) -> BoxFuture<'a, Result<JobView, Refusal>>;

    /// Looks at a job, and waits at most that long for its end.
    fn output<'a>(
        &'a self,
        caller: &'a Caller,
        job: &'a str,
        wait: Duration,
    ) -> BoxFuture<'a, Result<JobView, Refusal>>;

    /// Stops a job; when this returns, nothing of it runs any more. One that has ended stays as it is.
    fn stop<'a>(
        &'a self,
        caller: &'a Caller,
        job: &'a str,
    ) -> BoxFuture<'a, Result<JobView, Refusal>>;

    /// The caller's jobs; everybody's for the lead.
    fn list<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Vec<Job>>;
}

/// Work that shall go on in the background.
pub struct NewJob {
    /// What it is, in a line.
    pub title: String,
    /// Whether it may do more than read by itself. What makes calls of its own, each weighed for itself, does not.
    pub acts: bool,
    /// The work.
    pub work: Work,
}

/// Makes the future that does the work. Its outcome is what the owner reads at the end. Dropping the future ends
/// everything that it started.
pub type Work = Box<dyn FnOnce(JobRoom) -> BoxFuture<'static, Outcome> + Send>;

/// What a job is given.
pub struct JobRoom {
    /// The file for its output, in the directory of kept outputs. Nobody else writes it; it may not be there yet.
    pub output: PathBuf,
    /// Resolves when the job shall end. What takes long to end is dropped.
    pub stopped: BoxFuture<'static, ()>,
}

/// A job, seen from its owner.
#[derive(Debug, Clone, PartialEq)]
pub struct JobView {
    /// The job as the journal knows it.
    pub job: Job,
    /// The file with its output.
    pub output: PathBuf,
    /// What came of it, if it has ended and that is remembered.
    pub outcome: Option<Outcome>,
}
