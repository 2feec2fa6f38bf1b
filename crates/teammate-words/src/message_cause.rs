//! Causes of mail. A member hears each id once, so mail about the same thing always has the same id: it is made of the team
//! and the text of its cause, and that text never changes.

use std::fmt;

use crate::{
    Incarnation, MemberName, Timestamp,
    cause::Cause,
    event::RunId,
    id::{GoalId, JobId, RequestId, ScheduleId, TaskId, Term},
};

/// The cause from which a message's id follows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MessageCause<'a> {
    /// Somebody writes it, by this call or as the user.
    Said(&'a Cause),
    /// A member writes by this call, which may write to several: to this one.
    Mail(&'a Cause, &'a MemberName),
    /// A spawn gives this incarnation its prompt.
    Assignment(&'a MemberName, Incarnation),
    /// A turn of this incarnation has ended, by the number of its transcript entry.
    TurnEnd(&'a MemberName, Incarnation, u64),
    /// A call begins a subagent.
    Subagent(&'a Cause),
    /// The task was claimed; counts its claims.
    Task(TaskId, u32),
    /// A reminder of a claim: the task, the claim, and how many reminders came before.
    Nudge(TaskId, u32, u32),
    /// The task was taken away after this many claims.
    Taken(TaskId, u32),
    /// The board notice after this many changes.
    Board(u64),
    /// A job has ended.
    Job(JobId),
    /// A request waits for its answer.
    Opened(RequestId),
    /// A request has its answer.
    Settled(RequestId),
    /// This incarnation of a member was stopped.
    Terminated(&'a MemberName, Incarnation),
    /// This incarnation of a member failed in this run.
    Failed(&'a MemberName, Incarnation, RunId),
    /// A schedule fired for this moment.
    Scheduled(ScheduleId, Timestamp),
    /// The check of a goal was run, so many times by then.
    Goal(GoalId, u32),
    /// A member's work came to the machine that holds it under this term.
    WorkCame(&'a MemberName, Term),
    /// A worktree was made for this incarnation of a member, by the worktree's name.
    WorktreeMade(&'a MemberName, Incarnation, &'a str),
    /// A call would have continued a mail loop with this member.
    Loop(&'a Cause, &'a MemberName),
}

impl fmt::Display for MessageCause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Said(cause) => write!(f, "{cause}"),
            Self::Mail(cause, to) => write!(f, "mail/{cause}/{to}"),
            Self::Assignment(to, incarnation) => write!(f, "assignment/{to}/{incarnation}"),
            Self::TurnEnd(who, incarnation, entry) => {
                write!(f, "idle/{who}/{incarnation}/{entry}")
            }
            Self::Subagent(cause) => write!(f, "subagent/{cause}"),
            Self::Task(task, claim) => write!(f, "task/{}/{claim}", task.number()),
            Self::Nudge(task, claim, nudges) => {
                write!(f, "task/{}/{claim}/nudge/{nudges}", task.number())
            }
            Self::Taken(task, claims) => write!(f, "taken/{}/{claims}", task.number()),
            Self::Board(changes) => write!(f, "board/{changes}"),
            Self::Job(job) => write!(f, "job/{job}"),
            Self::Opened(request) => write!(f, "request/{}/opened", request.number()),
            Self::Settled(request) => write!(f, "request/{}/settled", request.number()),
            Self::Terminated(who, incarnation) => write!(f, "terminated/{who}/{incarnation}"),
            Self::Failed(who, incarnation, run) => write!(f, "failed/{who}/{incarnation}/{run}"),
            Self::Scheduled(schedule, due) => write!(f, "schedule/{schedule}/{}", due.0),
            Self::Goal(goal, tries) => write!(f, "goal/{goal}/{tries}"),
            Self::WorkCame(who, term) => write!(f, "work/{who}/{term}"),
            Self::WorktreeMade(who, incarnation, worktree) => {
                write!(f, "worktree/{who}/{incarnation}/{worktree}")
            }
            Self::Loop(cause, to) => write!(f, "loop/{cause}/{to}"),
        }
    }
}
