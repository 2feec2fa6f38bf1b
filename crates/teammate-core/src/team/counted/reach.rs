//! The reach of a member's word, so that nobody decides for another member in the name of one of its own: only the lead makes
//! tasks, members and teams, a member changes tasks that it has claimed, and who may answer a request answers it.

use std::collections::BTreeMap;

use super::UnaskedRecord;
use crate::{
    MemberName, Sender,
    id::{RequestId, TaskId},
    request::{Answer, Principal, RequestEvent, RequestPayload},
    task::TaskEvent,
    team::{EventSpeaker, TeamEvent, TeamState},
};

/// The claims of tasks, as far as the record makes them.
#[derive(Debug, Default)]
pub(super) struct WriterReach {
    holders: BTreeMap<TaskId, Option<MemberName>>,
}

impl WriterReach {
    pub(super) fn see(&mut self, event: &TeamEvent) {
        if let TeamEvent::Task { task, change } = event {
            match change {
                TaskEvent::Claimed { by, .. } => {
                    self.holders.insert(*task, Some(by.clone()));
                }
                TaskEvent::Created { .. }
                | TaskEvent::Assigned { .. }
                | TaskEvent::Released { .. }
                | TaskEvent::Completed { .. }
                | TaskEvent::Failed { .. }
                | TaskEvent::Reopened { .. }
                | TaskEvent::Deleted { .. } => {
                    self.holders.insert(*task, None);
                }
                TaskEvent::Edited { .. }
                | TaskEvent::Renewed { .. }
                | TaskEvent::Nudged
                | TaskEvent::CheckFailed { .. } => {}
            }
        }
    }

    /// Whether the event is within the reach of the one for whom it speaks.
    pub(super) fn require(&self, team: &TeamState, event: &TeamEvent) -> Result<(), UnaskedRecord> {
        let is_within = match event {
            TeamEvent::Task { task, change } => self.reaches_task(team, *task, change),
            TeamEvent::Request { request, change } => reaches_request(team, *request, change),
            TeamEvent::JobStarted { job, .. } => team.jobs.get(*job).is_none(),
            TeamEvent::Spawned { .. }
            | TeamEvent::Group { .. }
            | TeamEvent::Schedule { .. }
            | TeamEvent::PlanRequired { .. }
            | TeamEvent::PlanLifted { .. } => is_of_lead(event),
            // These are about the member itself, or in nobody's name.
            TeamEvent::Created { .. }
            | TeamEvent::Adopted { .. }
            | TeamEvent::Working { .. }
            | TeamEvent::Waiting { .. }
            | TeamEvent::TurnEnded { .. }
            | TeamEvent::ModelChosen { .. }
            | TeamEvent::Todos { .. }
            | TeamEvent::Spent { .. }
            | TeamEvent::Place(_)
            | TeamEvent::Goal { .. }
            | TeamEvent::Ceiling { .. }
            | TeamEvent::BudgetsSet { .. }
            | TeamEvent::Paused { .. }
            | TeamEvent::Continued { .. }
            | TeamEvent::BoardReported { .. }
            | TeamEvent::Stopped { .. }
            | TeamEvent::Lapsed { .. }
            | TeamEvent::Conversation { .. }
            | TeamEvent::Joined { .. }
            | TeamEvent::Dropped { .. }
            | TeamEvent::JobEnded { .. }
            | TeamEvent::Ordered { .. }
            | TeamEvent::OrderEnded { .. }
            | TeamEvent::RuleDropped { .. } => true,
        };
        match is_within {
            true => Ok(()),
            false => Err(UnaskedRecord::OutOfReach),
        }
    }

    fn reaches_task(&self, team: &TeamState, id: TaskId, change: &TaskEvent) -> bool {
        let held = match self.holders.get(&id) {
            Some(held) => held.as_ref(),
            None => team.board.task(id).and_then(|task| task.holder()),
        };
        let is_new = || team.board.next_id() <= id;
        match change {
            TaskEvent::Created { by, .. } => is_lead_or_none(by) && is_new(),
            TaskEvent::Claimed { by, .. } => held.is_none_or(|held| held == by),
            TaskEvent::Edited { by, .. }
            | TaskEvent::Assigned { by, .. }
            | TaskEvent::CheckFailed { by, .. }
            | TaskEvent::Released { by, .. }
            | TaskEvent::Completed { by, .. }
            | TaskEvent::Failed { by, .. }
            | TaskEvent::Reopened { by, .. }
            | TaskEvent::Deleted { by, .. } => {
                is_lead_or_none(by) || matches!(by, Sender::Member(by) if held == Some(by))
            }
            TaskEvent::Renewed { .. } | TaskEvent::Nudged => true,
        }
    }
}

fn reaches_request(team: &TeamState, id: RequestId, change: &RequestEvent) -> bool {
    match change {
        RequestEvent::Opened { kind, from, .. } => {
            let is_leads = match kind {
                RequestPayload::Shutdown(_) => true,
                RequestPayload::Plan(_) | RequestPayload::Permission(_) => false,
            };
            (!is_leads || from.name().is_none_or(MemberName::is_lead)) && team.requests.is_new(id)
        }
        RequestEvent::Approved {
            by,
            note,
            mode,
            always,
            ..
        } => {
            let answer = Answer::Approve {
                note: note.clone(),
                mode: *mode,
                always: *always,
            };
            may_answer(team, id, by, &answer)
        }
        RequestEvent::Rejected { by, because, .. } => {
            may_answer(team, id, by, &Answer::no(because.clone()))
        }
        RequestEvent::Heard
        | RequestEvent::Expired
        | RequestEvent::Cancelled { .. }
        | RequestEvent::Used
        | RequestEvent::Notified => true,
    }
}

/// A request that the record itself makes is answered in a later one: who answers has read it.
fn may_answer(team: &TeamState, id: RequestId, by: &Principal, answer: &Answer) -> bool {
    let request = team.requests.get(id);
    request.is_some_and(|request| team.require_answerer(request, by, answer).is_ok())
}

fn is_of_lead(event: &TeamEvent) -> bool {
    match event.speaker() {
        EventSpeaker::Member(member) => member.is_lead(),
        EventSpeaker::Harness
        | EventSpeaker::User
        | EventSpeaker::OwnerOf(_)
        | EventSpeaker::AskerOf(_) => true,
    }
}

fn is_lead_or_none(by: &Sender) -> bool {
    match by {
        Sender::Member(member) => member.is_lead(),
        Sender::User | Sender::System | Sender::Unverified(_) => true,
    }
}
