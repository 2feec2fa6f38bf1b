//! The rules of schedules.

use super::decision::Events;
use crate::{
    MemberName, Sender, Timestamp,
    board::{Actor, NewTask, TaskAction, TaskCommand},
    id::ScheduleId,
    task::TaskEvent,
    team::{
        Decision, Durability, ScheduleRefusal, TeamEvent, TeamRefusal, TeamState,
        schedules::{
            MissedRuns, NewSchedule, SCHEDULES_MAX, Schedule, ScheduleCommand, ScheduleEvent,
            ScheduledWork, TEXT_BYTES_MAX,
        },
    },
};

impl TeamState {
    /// The schedules of the team.
    pub fn schedules(&self) -> &super::Schedules {
        &self.schedules
    }

    /// Synced: what has fired does not fire again.
    pub(crate) fn decide_schedule(
        &self,
        command: &ScheduleCommand,
    ) -> Result<Decision, TeamRefusal> {
        let events = match command {
            ScheduleCommand::Add(new) => self.add_schedule(new)?,
            ScheduleCommand::Remove { id, by } => {
                let by = self.may_schedule(by)?;
                self.known_schedule(*id)?;
                vec![event(*id, ScheduleEvent::Removed { by })]
            }
            ScheduleCommand::Pause { id, by } => {
                let by = self.may_schedule(by)?;
                let is_paused = self.known_schedule(*id)?.is_paused;
                let paused = event(*id, ScheduleEvent::Paused { by });
                (!is_paused).then_some(paused).into_iter().collect()
            }
            ScheduleCommand::Resume { id, by, next } => {
                let by = self.may_schedule(by)?;
                let is_paused = self.known_schedule(*id)?.is_paused;
                let resumed = event(*id, ScheduleEvent::Resumed { by, next: *next });
                is_paused.then_some(resumed).into_iter().collect()
            }
            ScheduleCommand::Fire { id, due, next } => match self.due_schedule(*id, *due) {
                Some(schedule) => self.fire(schedule, *due, *next),
                None => Vec::new(),
            },
            ScheduleCommand::Skip { id, due, next, why } => match self.due_schedule(*id, *due) {
                Some(schedule) => vec![skipped(schedule, *due, *next, why.clone())],
                None => Vec::new(),
            },
            ScheduleCommand::Told { id, due } => {
                let known = self.schedules().get(*id);
                let is_untold = known.is_some_and(|known| known.untold == Some(*due));
                let told = event(*id, ScheduleEvent::Told { due: *due });
                is_untold.then_some(told).into_iter().collect()
            }
        };
        Ok(Decision {
            events,
            durability: Durability::Synced,
        })
    }

    fn add_schedule(&self, new: &NewSchedule) -> Events {
        let by = self.may_schedule(&new.by)?;
        let mut all = self.schedules().all();
        if all.any(|known| known.call == new.call) {
            return Ok(Vec::new());
        }
        let (text, more) = match &new.work {
            ScheduledWork::Task {
                subject,
                description,
            } => (subject, description.len()),
            ScheduledWork::Say { to, text } => {
                self.member(to)
                    .ok_or_else(|| TeamRefusal::Unknown(to.clone()))?;
                (text, 0)
            }
        };
        if text.trim().is_empty() || text.len() + more > TEXT_BYTES_MAX {
            return Err(ScheduleRefusal::Text.into());
        }
        if self.schedules().all().count() >= SCHEDULES_MAX {
            return Err(ScheduleRefusal::TooMany.into());
        }
        let added = ScheduleEvent::Added {
            by,
            call: new.call.clone(),
            when: new.when.clone(),
            work: new.work.clone(),
            missed: new.missed,
            next: new.next,
        };
        Ok(vec![event(self.schedules().next_id(), added)])
    }

    /// The events of a moment: the firing, and in the same record the task that it makes. What cannot be done is left out.
    fn fire(&self, schedule: &Schedule, due: Timestamp, next: Option<Timestamp>) -> Vec<TeamEvent> {
        let fired = |task| {
            let change = ScheduleEvent::Fired { due, next, task };
            event(schedule.id, change)
        };
        let left_out = |why: String| vec![skipped(schedule, due, next, why)];
        match &schedule.work {
            ScheduledWork::Say { .. } if schedule.untold.is_some() => {
                left_out("the message of its last run is not sent yet".to_owned())
            }
            ScheduledWork::Say { .. } => vec![fired(None)],
            ScheduledWork::Task { .. } if self.is_last_task_open(schedule) => {
                left_out("the task of its last run is not finished".to_owned())
            }
            ScheduledWork::Task {
                subject,
                description,
            } => match self.scheduled_task(schedule, due, (subject, description)) {
                Ok(made) => {
                    let task = made.iter().find_map(|event| match event {
                        TeamEvent::Task {
                            task,
                            change: TaskEvent::Created { .. },
                        } => Some(*task),
                        _ => None,
                    });
                    let mut events = vec![fired(task)];
                    events.extend(made);
                    events
                }
                Err(refusal) => left_out(refusal.to_string()),
            },
        }
    }

    fn scheduled_task(
        &self,
        schedule: &Schedule,
        due: Timestamp,
        (subject, description): (&str, &str),
    ) -> Events {
        let task = NewTask {
            call: Schedule::cause(schedule.id, due),
            subject: subject.to_owned(),
            description: description.to_owned(),
            ..NewTask::default()
        };
        let lead = MemberName::lead();
        let by = match (&schedule.by, self.member(&lead)) {
            (Sender::Member(_), Some(known)) => Actor::Member(lead, known.incarnation),
            (Sender::Member(_) | Sender::User | Sender::System | Sender::Unverified(_), _) => {
                Actor::User
            }
        };
        self.decide_task(&TaskCommand::Act {
            by,
            action: TaskAction::Create(Box::new(task)),
            verified: None,
        })
    }

    fn is_last_task_open(&self, schedule: &Schedule) -> bool {
        let last = schedule.last_task.and_then(|id| self.board().task(id));
        last.is_some_and(|task| !task.status.is_settled())
    }

    /// The schedule, if it is this moment that is due.
    fn due_schedule(&self, id: ScheduleId, due: Timestamp) -> Option<&Schedule> {
        let known = self.schedules().get(id)?;
        (!known.is_paused && known.next == Some(due)).then_some(known)
    }

    fn known_schedule(&self, id: ScheduleId) -> Result<&Schedule, ScheduleRefusal> {
        let known = self.schedules().get(id);
        known.ok_or(ScheduleRefusal::Unknown(id))
    }

    /// Whether somebody may make and change schedules; who, for the journal.
    fn may_schedule(&self, by: &Actor) -> Result<Sender, TeamRefusal> {
        if let Actor::Member(name, life) = by {
            self.current(name, *life)?;
        }
        match by.is_lead_or_user() {
            true => Ok(by.sender()),
            false => Err(ScheduleRefusal::NotTheLead.into()),
        }
    }
}

impl Schedule {
    /// Whether a moment that passed so long ago is left out.
    pub fn leaves_out(&self, late: bool) -> bool {
        late && self.missed == MissedRuns::Skip
    }
}

fn skipped(schedule: &Schedule, due: Timestamp, next: Option<Timestamp>, why: String) -> TeamEvent {
    event(schedule.id, ScheduleEvent::Skipped { due, next, why })
}

fn event(schedule: ScheduleId, change: ScheduleEvent) -> TeamEvent {
    TeamEvent::Schedule { schedule, change }
}
