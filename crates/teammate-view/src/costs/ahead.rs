//! Records come when they are written, and events later: what was spent on which task, and in which run,
//! goes by the records that an event says it follows, not by those that happen to be there.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;
use teammate_core::{
    MemberName,
    board::TaskId,
    event::Event,
    port::Record,
    team::{TeamEvent, TeamState, UsageTotal},
};

/// Records that no event has followed yet, and who had which task before them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Ahead {
    tasks: BTreeMap<MemberName, TaskId>,
    records: VecDeque<Change>,
}

/// The change by a record.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Change {
    record: u64,
    spent: Vec<(MemberName, UsageTotal)>,
    /// The task of each member after it; nothing if that is as before.
    tasks: Option<BTreeMap<MemberName, TaskId>>,
}

impl Ahead {
    /// Takes a record that the team has already taken.
    pub(super) fn take(
        &mut self,
        record: &Record,
        spent: Vec<(MemberName, UsageTotal)>,
        team: &TeamState,
    ) {
        let tasks = record.events.iter().any(can_move_task).then(|| {
            let with_task = team.members().filter_map(|member| {
                let task = team.board().task_of(&member.name)?;
                Some((member.name.clone(), task.id))
            });
            with_task.collect()
        });
        if tasks.is_some() || !spent.is_empty() {
            let record = record.number;
            self.records.push_back(Change {
                record,
                spent,
                tasks,
            });
        }
    }

    /// An event follows the records that it names; all that are there, in logs of earlier versions.
    pub(super) fn follow(&mut self, event: &Event) {
        let has_followed = |change: &Change| event.r.is_none_or(|length| change.record < length);
        while let Some(change) = self.records.pop_front_if(|change| has_followed(change)) {
            if let Some(tasks) = change.tasks {
                self.tasks = tasks;
            }
        }
    }

    /// The task that a member had when the last event happened.
    pub(super) fn task_of(&self, member: &MemberName) -> Option<TaskId> {
        self.tasks.get(member).copied()
    }

    /// The usage that records counted and no event has followed.
    pub(super) fn spent(&self) -> impl Iterator<Item = &(MemberName, UsageTotal)> {
        self.records.iter().flat_map(|change| &change.spent)
    }
}

/// Whether members may have other tasks after it.
fn can_move_task(event: &TeamEvent) -> bool {
    match event {
        TeamEvent::Task { .. }
        | TeamEvent::Group { .. }
        | TeamEvent::Spawned { .. }
        | TeamEvent::Adopted { .. }
        | TeamEvent::Stopped { .. }
        | TeamEvent::Lapsed { .. }
        | TeamEvent::Conversation { .. }
        | TeamEvent::Joined { .. }
        | TeamEvent::Dropped { .. } => true,
        TeamEvent::Created { .. }
        | TeamEvent::Working { .. }
        | TeamEvent::Waiting { .. }
        | TeamEvent::TurnEnded { .. }
        | TeamEvent::ModelChosen { .. }
        | TeamEvent::Todos { .. }
        | TeamEvent::Spent { .. }
        | TeamEvent::Request { .. }
        | TeamEvent::Schedule { .. }
        | TeamEvent::Goal { .. }
        | TeamEvent::Place(_)
        | TeamEvent::PlanRequired { .. }
        | TeamEvent::PlanLifted { .. }
        | TeamEvent::Ceiling { .. }
        | TeamEvent::BudgetsSet { .. }
        | TeamEvent::Paused { .. }
        | TeamEvent::Continued { .. }
        | TeamEvent::BoardReported { .. }
        | TeamEvent::JobStarted { .. }
        | TeamEvent::JobEnded { .. }
        | TeamEvent::Ordered { .. }
        | TeamEvent::OrderEnded { .. }
        | TeamEvent::RuleDropped { .. } => false,
    }
}
