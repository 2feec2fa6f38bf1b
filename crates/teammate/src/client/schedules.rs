//! Schedules from another process.

use teammate_core::{
    board::Actor,
    cause::Cause,
    port::{Calendar as _, Ids as _, Refusal},
    team::{
        Command, MissedRuns, NewSchedule, ScheduleCommand, ScheduleId, ScheduleRefusal,
        ScheduleTime, ScheduledWork,
    },
};
use teammate_store::clock::UuidV7Ids;

use super::TeamClient;
use crate::{TeamError, calendar::MachineCalendar, platform::now};

impl TeamClient {
    /// Has something done at a time: a cron expression, or a moment. It fires while a process hosts the team that lets
    /// schedules fire. Returns its id.
    ///
    /// Errors: the time is not understood, or the team's rules refuse it.
    pub async fn add_schedule(
        &mut self,
        when: &str,
        work: ScheduledWork,
        missed: MissedRuns,
    ) -> Result<ScheduleId, TeamError> {
        let read = MachineCalendar.read(when, now());
        let when = read.map_err(Refusal::Rule)?;
        let call = Cause::user(UuidV7Ids.new_id());
        let new = NewSchedule {
            call: call.clone(),
            by: Actor::User,
            next: first(&when)?,
            when,
            work,
            missed,
        };
        self.decide_schedule(ScheduleCommand::Add(Box::new(new)))
            .await?;
        let made = self.team().schedules().all().find(|made| made.call == call);
        made.map(|made| made.id)
            .ok_or_else(|| Refusal::Broken("it was removed at once".to_owned()).into())
    }

    /// Removes a schedule.
    ///
    /// Errors: there is none of that id.
    pub async fn remove_schedule(&mut self, id: ScheduleId) -> Result<(), TeamError> {
        let by = Actor::User;
        self.decide_schedule(ScheduleCommand::Remove { id, by })
            .await
    }

    /// Lets a schedule rest. Errors as for [`remove_schedule`](Self::remove_schedule).
    pub async fn pause_schedule(&mut self, id: ScheduleId) -> Result<(), TeamError> {
        let by = Actor::User;
        self.decide_schedule(ScheduleCommand::Pause { id, by })
            .await
    }

    /// Lets a schedule go on, at its next moment from now. Errors as for [`remove_schedule`](Self::remove_schedule).
    pub async fn resume_schedule(&mut self, id: ScheduleId) -> Result<(), TeamError> {
        let known = self.team().schedules().get(id);
        let unknown = || Refusal::Rule(ScheduleRefusal::Unknown(id).to_string());
        let next = first(&known.ok_or_else(unknown)?.when)?;
        let by = Actor::User;
        self.decide_schedule(ScheduleCommand::Resume { id, by, next })
            .await
    }

    async fn decide_schedule(&mut self, command: ScheduleCommand) -> Result<(), TeamError> {
        self.decide(&Command::Schedule(command)).await
    }
}

fn first(when: &ScheduleTime) -> Result<teammate_core::Timestamp, TeamError> {
    match MachineCalendar.next(when, now()) {
        Ok(Some(next)) => Ok(next),
        Ok(None) => Err(Refusal::Rule("its moment has passed".to_owned()).into()),
        Err(why) => Err(Refusal::Rule(why).into()),
    }
}
