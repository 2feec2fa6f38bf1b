//! The wire between the workers that run one team. Nothing that goes over it is kept, and all of it may be lost: what must
//! not be is in the journal, in mail or in a transcript.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    MemberName,
    name::WorkerName,
    port::{BoxFuture, FileError},
    team::{Beat, JobId},
};

/// The wire of one worker of one team.
pub trait Fleet: Send + Sync {
    /// Says that this worker lives.
    fn beat<'a>(&'a self, beat: &'a Beat) -> BoxFuture<'a, ()>;

    /// Hears all workers of the team from now on, this one among them.
    ///
    /// Errors: the wire cannot be listened to.
    fn beats(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<Beat>>, FileError>>;

    /// Asks a worker, and waits at most that long for its answer.
    fn ask<'a>(
        &'a self,
        worker: &'a WorkerName,
        question: &'a FleetQuestion,
        within: Duration,
    ) -> BoxFuture<'a, FleetReply>;

    /// Hears what this worker is asked from now on. Who asks is proven by the wire.
    ///
    /// Errors: the wire cannot be listened to.
    fn asked(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<Asked>>, FileError>>;
}

/// What arrives, in order.
pub trait FleetFeed<T>: Send {
    /// The next one; `None` once the wire is closed for good.
    fn next(&mut self) -> BoxFuture<'_, Option<T>>;
}

/// A question that arrived.
pub struct Asked {
    /// Who asks.
    pub by: WorkerName,
    /// What.
    pub question: FleetQuestion,
    /// Answers it. Dropped, the asker hears nothing.
    pub answer: Box<dyn FnOnce(FleetAnswer) + Send>,
}

/// What one worker asks another. Serialised as it is: variants are added, never renamed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FleetQuestion {
    /// Is it there?
    Ping,
    /// What came of a job of a member that it runs?
    LookAtJob {
        /// Which.
        job: JobId,
    },
    /// A job of a member that it runs is to end. Answered when it has.
    StopJob {
        /// Which.
        job: JobId,
        /// Which member ends it.
        by: MemberName,
    },
    /// Has all ended that a member had running when its plan gate was closed? Answered when it has.
    HasHalted {
        /// Who.
        member: MemberName,
    },
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FleetAnswer {
    /// It is there.
    Pong,
    /// A job, as far as it knows it.
    Job {
        /// What came of it, if it has ended and that is still known.
        outcome: Option<JobOutcome>,
    },
    /// All of it has ended.
    Halted,
    /// It does not run that member.
    NotHere,
    /// It does not know this question: it is of an earlier version.
    Unknown,
}

/// What came of a job, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobOutcome {
    /// What a model reads of it.
    pub text: String,
    /// Whether it failed.
    pub is_error: bool,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum FleetReply {
    /// The answer.
    Answered(FleetAnswer),
    /// Nobody listens there: the worker is gone, for certain.
    Nobody,
    /// No answer in time: it may have heard or not.
    Silent,
}
