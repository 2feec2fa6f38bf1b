//! The wire between the workers that run one team. Nothing that goes over it is kept, and all of it may be lost: what must
//! not be is in the journal, in mail or in a transcript.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{
    MemberName,
    id::JobId,
    name::WorkerName,
    port::{BoxFuture, FileError},
    team::{AskedCommands, DecidedCommands, QuestionProof},
    worker::Beat,
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
    fn asked(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<FleetAsked>>, FileError>>;
}

/// A feed of what arrives, in order.
pub trait FleetFeed<T>: Send {
    /// The next one; `None` once the wire is closed for good.
    fn next(&mut self) -> BoxFuture<'_, Option<T>>;
}

/// A question that arrived.
pub struct FleetAsked {
    /// The asker.
    pub by: WorkerName,
    pub question: FleetQuestion,
    /// The proof of the asker for those that do not hear it, where the wire has keys.
    pub proof: Option<QuestionProof>,
    /// Answers it. Dropped, the asker hears nothing.
    pub answer: Box<dyn FnOnce(FleetAnswer) + Send>,
}

/// A question of one worker to another. Serialised as it is: variants are added, never renamed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FleetQuestion {
    Ping,
    /// Do its members rest? Answered by [`FleetAnswer::Rest`].
    Rest {
        /// How much of the journal the asker has read. The answer waits for the asked to have read as much.
        journal: u64,
    },
    /// The lead, which the asker holds, asks about a job of a member that is held there. Answered by [`FleetAnswer::Job`].
    Job {
        job: JobId,
        ask: JobAsk,
    },
    /// Commands to decide, for the steward. Answered by [`FleetAnswer::Decided`].
    Decide(AskedCommands),
}

/// A question of the lead about a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobAsk {
    /// A look at the job's result, after so many milliseconds at most.
    Look {
        /// How long to wait for its end.
        wait_ms: u64,
    },
    /// That it ends. Answered when all its processes have ended.
    Stop,
}

/// The result of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobOutcome {
    /// The end of its output, or what went wrong.
    pub text: String,
    /// Whether it failed.
    pub is_error: bool,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FleetAnswer {
    Pong,
    /// Whether its members rest; `None` if they have something to do, or something that they sent is not stored yet.
    Rest(Option<WorkerRest>),
    /// The result of the job, if it has ended and is still known.
    Job(Option<JobOutcome>),
    Decided(DecidedCommands),
    /// It does not know this question: it is of an earlier version.
    Unknown,
}

/// The rest of a worker's members: true at one moment, and worth something only beside the ends of what they read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRest {
    /// How much of the journal it has read.
    pub journal: u64,
    /// Whose mail it reads, and how much of it was read, as [`Mailbox::end`](super::Mailbox::end) counts it; `None` where the
    /// store cannot say, and for a member that waits for the others.
    pub mail: BTreeMap<MemberName, Option<u64>>,
    /// Whether some of them are busy with nothing but waiting for the others.
    pub is_waiting: bool,
    /// Whether something of theirs runs in the background.
    pub has_jobs: bool,
}

/// The reply to a question.
#[derive(Debug, Clone, PartialEq)]
pub enum FleetReply {
    Answered(FleetAnswer),
    /// Nobody listens there: the worker is gone, for certain.
    Nobody,
    /// No answer in time: it may have heard or not.
    Silent,
}
