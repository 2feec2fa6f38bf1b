//! Work at a time, as a fold over the journal: who wants what when, and which firings there were. A firing is one record, decided
//! against the moment that was due: so it has one winner, and a restart repeats none. Which moment comes next is computed
//! outside, since calendars need the time zones of a machine ([`Calendar`](crate::port::Calendar)).

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::{
    MemberName, Sender, Timestamp,
    board::Actor,
    cause::Cause,
    id::{ScheduleId, TaskId},
};

mod refusal;

pub use refusal::ScheduleRefusal;

pub(super) const SCHEDULES_MAX: usize = 20;
/// The most bytes of what a schedule says.
pub(super) const TEXT_BYTES_MAX: usize = 8_000;

/// When.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleTime {
    /// Again and again, by a cron expression that the calendar understands.
    Cron(String),
    Once(Timestamp),
}

/// The work of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScheduledWork {
    /// A task is put on the board.
    Task {
        /// What, in a line.
        subject: String,
        /// What, in full.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
    /// A member gets a message.
    Say { to: MemberName, text: String },
}

/// The treatment of moments at which nobody ran the team.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissedRuns {
    /// All of them together are made up for by one, when the team runs again.
    #[default]
    RunOnce,
    /// They are left out.
    Skip,
}

/// A schedule to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewSchedule {
    pub call: Cause,
    pub by: Actor,
    pub when: ScheduleTime,
    pub work: ScheduledWork,
    /// The treatment of missed moments.
    pub missed: MissedRuns,
    /// The first moment.
    pub next: Timestamp,
}

/// Something to decide about schedules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleCommand {
    /// Make one. The same call again makes nothing.
    Add(Box<NewSchedule>),
    Remove {
        id: ScheduleId,
        by: Actor,
    },
    /// Let it rest.
    Pause {
        id: ScheduleId,
        by: Actor,
    },
    /// Let it go on.
    Resume {
        id: ScheduleId,
        by: Actor,
        next: Timestamp,
    },
    /// Its moment has come. Nothing happens if another moment is due by now.
    Fire {
        id: ScheduleId,
        due: Timestamp,
        /// The next one; nothing if there is none.
        next: Option<Timestamp>,
    },
    /// Its moment has passed and is left out. Nothing happens if another moment is due by now.
    Skip {
        id: ScheduleId,
        due: Timestamp,
        /// The next one; nothing if there is none.
        next: Option<Timestamp>,
        /// Why, for the user.
        why: String,
    },
    /// The message of a firing is in its mailbox.
    Told {
        id: ScheduleId,
        /// Of which firing.
        due: Timestamp,
    },
}

impl ScheduleCommand {
    /// Which schedule it is about; `None` if it makes one.
    pub(super) fn schedule(&self) -> Option<ScheduleId> {
        match self {
            Self::Add(_) => None,
            Self::Remove { id, .. }
            | Self::Pause { id, .. }
            | Self::Resume { id, .. }
            | Self::Fire { id, .. }
            | Self::Skip { id, .. }
            | Self::Told { id, .. } => Some(*id),
        }
    }
}

/// Something that happened to a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum ScheduleEvent {
    Added {
        by: Sender,
        call: Cause,
        when: ScheduleTime,
        work: ScheduledWork,
        /// The treatment of missed moments.
        #[serde(default)]
        missed: MissedRuns,
        /// The first moment.
        next: Timestamp,
    },
    Removed {
        by: Sender,
    },
    Paused {
        by: Sender,
    },
    Resumed {
        by: Sender,
        next: Timestamp,
    },
    /// It fired. A task that it made stands in the same record.
    Fired {
        /// For which moment.
        due: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<TaskId>,
    },
    /// A moment was left out.
    Skipped {
        due: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next: Option<Timestamp>,
        why: String,
    },
    /// The message of a firing is in its mailbox.
    Told {
        due: Timestamp,
    },
}

/// Work at a time, once or again and again, as of some length of the journal. It fires for a moment that is due; a moment at
/// which nobody hosted the team is missed.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    pub id: ScheduleId,
    /// The one who made it.
    pub by: Sender,
    pub call: Cause,
    pub when: ScheduleTime,
    pub work: ScheduledWork,
    /// The treatment of missed moments.
    pub missed: MissedRuns,
    /// The moment that is due next; nothing if there is none.
    pub next: Option<Timestamp>,
    /// Whether it rests.
    pub is_paused: bool,
    /// How often it has fired.
    pub runs: u64,
    /// The last moment for which it fired.
    pub last: Option<Timestamp>,
    /// The task of the last firing.
    pub last_task: Option<TaskId>,
    /// The firing whose message is not known to be in its mailbox.
    pub untold: Option<Timestamp>,
    /// Why the last moment was left out, if it was.
    pub skipped: Option<String>,
}

/// All schedules of a team. One that has no further moment is gone as soon as its last is dealt with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schedules {
    last: u32,
    all: BTreeMap<ScheduleId, Schedule>,
}

impl Schedules {
    /// A schedule by its id.
    pub fn get(&self, id: ScheduleId) -> Option<&Schedule> {
        self.all.get(&id)
    }

    pub(super) fn next_id(&self) -> ScheduleId {
        ScheduleId::new(self.last + 1)
    }

    /// All of them, in the order in which they were made.
    pub fn all(&self) -> impl Iterator<Item = &Schedule> {
        self.all.values()
    }

    /// The schedule that is due first, and when.
    pub fn first_due(&self) -> Option<(&Schedule, Timestamp)> {
        let due = self.all().filter(|schedule| !schedule.is_paused);
        let due = due.filter_map(|schedule| Some((schedule, schedule.next?)));
        due.min_by_key(|(_, next)| *next)
    }

    /// Firings whose message is not known to be in its mailbox.
    pub fn untold(&self) -> impl Iterator<Item = (&Schedule, Timestamp)> {
        self.all()
            .filter_map(|schedule| Some((schedule, schedule.untold?)))
    }

    pub(super) fn apply(&mut self, id: ScheduleId, change: &ScheduleEvent) {
        if let ScheduleEvent::Added {
            by,
            call,
            when,
            work,
            missed,
            next,
        } = change
        {
            self.last = self.last.max(id.number());
            let schedule = Schedule {
                id,
                by: by.clone(),
                call: call.clone(),
                when: when.clone(),
                work: work.clone(),
                missed: *missed,
                next: Some(*next),
                is_paused: false,
                runs: 0,
                last: None,
                last_task: None,
                untold: None,
                skipped: None,
            };
            self.all.insert(id, schedule);
        } else if let Some(schedule) = self.all.get_mut(&id)
            && schedule.change(change)
        {
            self.all.remove(&id);
        }
    }

    /// Nobody knows what was recorded besides: all of them rest until somebody lets them go on.
    pub(super) fn lapse(&mut self) {
        for schedule in self.all.values_mut() {
            schedule.is_paused = true;
            schedule.untold = None;
        }
    }
}

impl Schedule {
    /// Takes a change. True if there is nothing more to come of it.
    fn change(&mut self, change: &ScheduleEvent) -> bool {
        match change {
            ScheduleEvent::Added { .. } => {}
            ScheduleEvent::Removed { .. } => return true,
            ScheduleEvent::Paused { .. } => self.is_paused = true,
            ScheduleEvent::Resumed { next, .. } => {
                self.is_paused = false;
                self.next = Some(*next);
            }
            ScheduleEvent::Fired { due, next, task } => {
                self.next = *next;
                self.runs += 1;
                self.last = Some(*due);
                self.last_task = *task;
                self.skipped = None;
                self.untold = match self.work {
                    ScheduledWork::Say { .. } => Some(*due),
                    ScheduledWork::Task { .. } => None,
                };
            }
            ScheduleEvent::Skipped { next, why, .. } => {
                self.next = *next;
                self.skipped = Some(why.clone());
            }
            ScheduleEvent::Told { due } => {
                self.untold = self.untold.filter(|untold| untold != due);
            }
        }
        self.next.is_none() && self.untold.is_none()
    }
}

impl Schedule {
    /// The cause of what a firing for this moment does.
    pub fn cause(id: ScheduleId, due: Timestamp) -> Cause {
        Cause::from(format!("schedule/{id}/{}", due.0))
    }
}

impl ScheduledWork {
    /// The work, in a line for people.
    pub fn describe(&self) -> String {
        match self {
            Self::Task { subject, .. } => format!("task: {subject}"),
            Self::Say { to, text } => {
                let line = text.lines().next().unwrap_or_default();
                format!("to {to}: {line}")
            }
        }
    }
}

impl fmt::Display for ScheduleTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cron(text) => f.write_str(text),
            Self::Once(_) => f.write_str("once"),
        }
    }
}

#[cfg(test)]
mod tests;
