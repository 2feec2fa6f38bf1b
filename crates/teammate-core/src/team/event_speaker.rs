//! For whom an event speaks: who must have asked for it. The counterpart for commands is `speaker`.

use super::{GoalEnd, GoalEvent, GroupEvent, PlaceEvent, ScheduleEvent, TeamEvent};
use crate::{
    MemberName, Sender,
    id::{JobId, RequestId},
    request::{Principal, RequestEvent},
    task::TaskEvent,
};

/// In whose name something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventSpeaker<'a> {
    /// The program's, for all: the steward may record it, or the lead's holder.
    Harness,
    User,
    Member(&'a MemberName),
    /// The member's that owns this job.
    OwnerOf(JobId),
    /// The member's that made this request.
    AskerOf(RequestId),
}

impl TeamEvent {
    /// In whose name it happened.
    pub fn speaker(&self) -> EventSpeaker<'_> {
        match self {
            Self::Spawned { by: member, .. }
            | Self::Working { member, .. }
            | Self::Waiting { member, .. }
            | Self::TurnEnded { member, .. }
            | Self::Todos { member, .. }
            | Self::Spent { member, .. }
            | Self::Stopped { member, .. }
            | Self::JobStarted { member, .. } => EventSpeaker::Member(member),
            Self::JobEnded { job, .. } => EventSpeaker::OwnerOf(*job),
            Self::Task { change, .. } => of_task(change),
            Self::Group { change, .. } => of_group(change),
            Self::Request { request, change } => of_request(*request, change),
            Self::Schedule { change, .. } => of_schedule(change),
            Self::Goal { change, .. } => of_goal(change),
            Self::Place(event) => of_place(event),
            Self::PlanRequired { by, .. } | Self::PlanLifted { by, .. } => {
                of_principal(by, EventSpeaker::User)
            }
            Self::ModelChosen { .. }
            | Self::BudgetsSet { .. }
            | Self::Paused { .. }
            | Self::Continued { .. }
            | Self::Dropped { .. }
            | Self::Ordered { .. }
            | Self::RuleDropped { .. } => EventSpeaker::User,
            Self::Created { .. }
            | Self::Adopted { .. }
            | Self::Ceiling { .. }
            | Self::BoardReported { .. }
            | Self::Lapsed { .. }
            | Self::Conversation { .. }
            | Self::Joined { .. }
            | Self::OrderEnded { .. } => EventSpeaker::Harness,
        }
    }
}

fn of_sender<'a>(sender: &'a Sender, of_harness: EventSpeaker<'a>) -> EventSpeaker<'a> {
    match sender {
        Sender::User => EventSpeaker::User,
        Sender::Member(member) => EventSpeaker::Member(member),
        Sender::System | Sender::Unverified(_) => of_harness,
    }
}

fn of_principal<'a>(by: &'a Principal, of_rule: EventSpeaker<'a>) -> EventSpeaker<'a> {
    match by {
        Principal::User => EventSpeaker::User,
        Principal::System => of_rule,
        Principal::Member { member, .. } => EventSpeaker::Member(member),
    }
}

/// Tasks that a member leaves are given back by the harness. What else is in its name comes with a directory that the user adopts.
fn of_task(change: &TaskEvent) -> EventSpeaker<'_> {
    match change {
        TaskEvent::Released { by, .. } | TaskEvent::Failed { by, .. } => {
            of_sender(by, EventSpeaker::Harness)
        }
        TaskEvent::Created { by, .. }
        | TaskEvent::Edited { by, .. }
        | TaskEvent::Assigned { by, .. }
        | TaskEvent::CheckFailed { by, .. }
        | TaskEvent::Completed { by, .. }
        | TaskEvent::Reopened { by, .. }
        | TaskEvent::Deleted { by, .. } => of_sender(by, EventSpeaker::User),
        TaskEvent::Claimed { by, .. } => EventSpeaker::Member(by),
        TaskEvent::Renewed { .. } | TaskEvent::Nudged => EventSpeaker::Harness,
    }
}

fn of_group(change: &GroupEvent) -> EventSpeaker<'_> {
    match change {
        GroupEvent::Made { by, .. } | GroupEvent::Ending { by, .. } => EventSpeaker::Member(by),
        GroupEvent::Archived { .. } => EventSpeaker::Harness,
    }
}

/// A rule of the user's answers where the asker runs.
fn of_request(request: RequestId, change: &RequestEvent) -> EventSpeaker<'_> {
    let asker = EventSpeaker::AskerOf(request);
    match change {
        RequestEvent::Opened { from, .. } => of_principal(from, EventSpeaker::Harness),
        RequestEvent::Approved { by, .. } | RequestEvent::Rejected { by, .. } => {
            of_principal(by, asker)
        }
        RequestEvent::Heard | RequestEvent::Used => asker,
        RequestEvent::Expired | RequestEvent::Cancelled { .. } | RequestEvent::Notified => {
            EventSpeaker::Harness
        }
    }
}

fn of_schedule(change: &ScheduleEvent) -> EventSpeaker<'_> {
    match change {
        ScheduleEvent::Added { by, .. }
        | ScheduleEvent::Removed { by }
        | ScheduleEvent::Paused { by }
        | ScheduleEvent::Resumed { by, .. } => of_sender(by, EventSpeaker::User),
        ScheduleEvent::Fired { .. }
        | ScheduleEvent::Skipped { .. }
        | ScheduleEvent::Told { .. } => EventSpeaker::Harness,
    }
}

/// A person sets and drops goals; what comes of them is the program's.
fn of_goal(change: &GoalEvent) -> EventSpeaker<'_> {
    match change {
        GoalEvent::Set { .. }
        | GoalEvent::Ended {
            end: GoalEnd::Dropped,
        } => EventSpeaker::User,
        GoalEvent::Tried { .. } | GoalEvent::Told { .. } | GoalEvent::Ended { .. } => {
            EventSpeaker::Harness
        }
    }
}

fn of_place(event: &PlaceEvent) -> EventSpeaker<'_> {
    match event {
        PlaceEvent::Delivered { member, .. } => EventSpeaker::Member(member),
        PlaceEvent::Joined { .. }
        | PlaceEvent::Left { .. }
        | PlaceEvent::Stewarded { .. }
        | PlaceEvent::Placed { .. }
        | PlaceEvent::Moved { .. }
        | PlaceEvent::Demanded { .. } => EventSpeaker::Harness,
    }
}
