//! Fires what the team's schedules want, at its moment, while the team is hosted. Which moment is due and what follows is core's
//! (`team::Schedules`): a moment that two processes or two lives of one try to fire has one winner.
//!
//! It waits by a timer, and for changes of the team.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName, Sender, Timestamp,
    port::{Calendar, Refusal},
    team::{
        Command, MessageCause, Schedule, ScheduleCommand, ScheduleEvent, ScheduledWork, TeamEvent,
    },
};

use crate::{
    base::Base,
    mailer::{MailDraft, Mailer},
    owned_task::OwnedTask,
    spending::UsageMeter,
};

/// How late a moment may fire and still be that moment. Later, nobody ran the team.
const LATE: Duration = Duration::from_secs(60);
/// The longest sleep: while a machine sleeps its timers stand still, and its clock goes on.
const SLEEP_MAX: Duration = Duration::from_secs(15 * 60);
/// The pause after something could not be written.
const RETRY_PAUSE: Duration = Duration::from_secs(60);

/// The schedules of a team that is hosted. Ends when dropped.
pub(crate) struct Scheduling {
    runner: Option<ScheduleRunner>,
    running: OwnedTask,
}

#[derive(Clone)]
struct ScheduleRunner {
    base: Arc<Base>,
    mailer: Arc<Mailer>,
    meter: Arc<UsageMeter>,
    calendar: Arc<dyn Calendar>,
}

impl Scheduling {
    pub(crate) fn of(base: &Arc<Base>, mailer: &Arc<Mailer>, meter: &Arc<UsageMeter>) -> Self {
        let runner = |calendar: &Arc<dyn Calendar>| ScheduleRunner {
            base: base.clone(),
            mailer: mailer.clone(),
            meter: meter.clone(),
            calendar: calendar.clone(),
        };
        Self {
            runner: base.ports.calendar.as_ref().map(runner),
            running: OwnedTask::default(),
        }
    }

    /// Fires from now on, or says that nobody does.
    pub(crate) fn begin(&self, base: &Base) {
        match &self.runner {
            Some(runner) => self.running.begin(runner.clone().run()),
            None => {
                let team = base.ledger.team();
                let resting = |schedule: &&Schedule| !schedule.is_paused;
                let count = team.schedules().all().filter(resting).count();
                if count > 0 {
                    let text = format!("{count} schedules of this team do not fire here");
                    base.feed.note(&MemberName::lead(), text);
                }
            }
        }
    }
}

impl Scheduling {
    /// Fires no more: the team closes, or another worker fires.
    pub(crate) fn end(&self) {
        self.running.end();
    }
}

impl ScheduleRunner {
    /// Runs until it is dropped.
    async fn run(self) {
        let mut changes = self.base.ledger.changes();
        loop {
            let step = match self.send_owed().await {
                Ok(()) => self.step().await,
                Err(refusal) => Err(refusal),
            };
            let sleep = match step {
                Ok(ScheduleStep::Fired) => continue,
                Ok(ScheduleStep::Wait(time)) => time,
                Err(refusal) => {
                    self.note(&format!("a schedule could not fire: {refusal}"));
                    Some(RETRY_PAUSE)
                }
            };
            if self.base.ledger.is_closed() {
                return;
            }
            match sleep {
                Some(time) => {
                    tokio::select! {
                        () = tokio::time::sleep(time.min(SLEEP_MAX)) => {}
                        changed = changes.changed() => if changed.is_err() { return },
                    }
                }
                None if changes.changed().await.is_err() => return,
                None => {}
            }
        }
    }

    /// Fires what is due.
    async fn step(&self) -> Result<ScheduleStep, Refusal> {
        let (now, team) = (self.base.ports.clock.now(), self.base.ledger.team());
        let Some((schedule, due)) = team.schedules().first_due() else {
            return Ok(ScheduleStep::Wait(None));
        };
        if due > now {
            return Ok(ScheduleStep::Wait(Some(Duration::from_millis(
                due.millis_since(now),
            ))));
        }
        let next = self.calendar.next(&schedule.when, now);
        let next = next.map_err(Refusal::Broken)?;
        let (id, skipped) = (schedule.id, self.why_not(schedule, due, now).await);
        let command = match skipped {
            Some(why) => ScheduleCommand::Skip { id, due, next, why },
            None => ScheduleCommand::Fire { id, due, next },
        };
        let events = self.base.ledger.decide(Command::Schedule(command)).await?;
        for event in &events {
            self.note_run(schedule, event);
        }
        Ok(ScheduleStep::Fired)
    }

    /// Why a moment is left out, as far as the team does not know it.
    async fn why_not(&self, schedule: &Schedule, due: Timestamp, now: Timestamp) -> Option<String> {
        if schedule.leaves_out(due.after(LATE) < now) {
            return Some("nobody ran the team then".to_owned());
        }
        if let Err(what) = self.meter.require_budget(&MemberName::lead()) {
            return Some(format!("the budget is spent: {what}"));
        }
        let ScheduledWork::Say { to, .. } = &schedule.work else {
            return None;
        };
        let last = schedule.last?;
        let cause = MessageCause::Scheduled(schedule.id, last);
        let id = self.base.ledger.team().message_id(cause);
        let unread = self.base.ports.mailbox.peek(to).await.ok()?;
        let is_unread = unread.iter().any(|mail| mail.id == id);
        is_unread.then(|| format!("{to} has not read the message of its last run"))
    }

    /// Sends the messages of firings. Sent again, one has the same id, and is heard once.
    async fn send_owed(&self) -> Result<(), Refusal> {
        loop {
            let team = self.base.ledger.team();
            let Some((schedule, due)) = team.schedules().untold().next() else {
                return Ok(());
            };
            if let ScheduledWork::Say { to, text } = &schedule.work {
                let draft = draft(
                    schedule,
                    (to, text),
                    team.message_id(MessageCause::Scheduled(schedule.id, due)),
                );
                match self.mailer.resolve_recipient(&Sender::User, to.as_str()) {
                    Ok(_) => self.mailer.send(draft).await?,
                    Err(why) => self.note(&format!("schedule {}: {why}", schedule.id)),
                }
            }
            let told = ScheduleCommand::Told {
                id: schedule.id,
                due,
            };
            self.base.ledger.decide(Command::Schedule(told)).await?;
        }
    }

    fn note_run(&self, schedule: &Schedule, event: &TeamEvent) {
        let TeamEvent::Schedule { change, .. } = event else {
            return;
        };
        let (id, what) = (schedule.id, schedule.work.describe());
        match change {
            ScheduleEvent::Fired { .. } => self.note(&format!("schedule {id} fired ({what})")),
            ScheduleEvent::Skipped { why, .. } => {
                self.note(&format!("schedule {id} did not fire ({what}): {why}"));
            }
            ScheduleEvent::Added { .. }
            | ScheduleEvent::Removed { .. }
            | ScheduleEvent::Paused { .. }
            | ScheduleEvent::Resumed { .. }
            | ScheduleEvent::Told { .. } => {}
        }
    }

    fn note(&self, text: &str) {
        self.base.feed.note(&MemberName::lead(), text);
    }
}

/// The step after a look at the schedules.
enum ScheduleStep {
    /// Another look.
    Fired,
    /// So long a wait, or for a change.
    Wait(Option<Duration>),
}

/// The message of a firing: the user's words where the user made the schedule, the program's where the lead did.
fn draft(
    schedule: &Schedule,
    (to, text): (&MemberName, &str),
    id: teammate_core::MessageId,
) -> MailDraft {
    let (from, content) = match &schedule.by {
        Sender::User => (Sender::User, text.to_owned()),
        Sender::System | Sender::Member(_) | Sender::Unverified(_) => (
            Sender::System,
            format!("By schedule {} of {}: {text}", schedule.id, schedule.by),
        ),
    };
    MailDraft::message(id, from, to, content)
}
