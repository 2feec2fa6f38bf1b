//! The task that a schedule makes: it stands behind the firing, in the name of the one who made the schedule.

use crate::{
    Sender,
    id::{ScheduleId, TaskId},
    task::TaskEvent,
    team::{ScheduleEvent, ScheduledWork, TeamEvent, TeamState},
};

/// The firing that a record has just told of, if it makes a task.
#[derive(Debug, Default)]
pub(super) struct Firing(Option<(ScheduleId, TaskId)>);

impl Firing {
    pub(super) fn see(&mut self, event: &TeamEvent) {
        self.0 = match event {
            TeamEvent::Schedule {
                schedule,
                change: ScheduleEvent::Fired { task, .. },
            } => task.map(|task| (*schedule, task)),
            _ => None,
        };
    }

    /// Whether this is its task, as the schedule has it.
    pub(super) fn has_made(&self, team: &TeamState, event: &TeamEvent) -> bool {
        let TeamEvent::Task {
            task,
            change:
                TaskEvent::Created {
                    by,
                    subject: made,
                    description: told,
                    ..
                },
        } = event
        else {
            return false;
        };
        let fired = self.0.filter(|(_, fired)| fired == task);
        let schedule = fired.and_then(|(id, _)| team.schedules.get(id));
        schedule.is_some_and(|schedule| match &schedule.work {
            ScheduledWork::Task {
                subject,
                description,
            } => {
                is_member(by) == is_member(&schedule.by)
                    && (made.as_str(), told) == (subject.trim(), description)
            }
            ScheduledWork::Say { .. } => false,
        })
    }
}

fn is_member(sender: &Sender) -> bool {
    match sender {
        Sender::Member(_) => true,
        Sender::User | Sender::System | Sender::Unverified(_) => false,
    }
}
