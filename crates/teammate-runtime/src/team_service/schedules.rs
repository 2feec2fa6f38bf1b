//! Schedules, as the lead asks for them.

use std::sync::Arc;

use teammate_core::{
    board::Actor,
    port::{Calendar, Caller, Refusal, ScheduleAsk},
    team::{Command, NewSchedule, Schedule, ScheduleCommand, TeamState},
};

use super::TeamService;

impl TeamService {
    /// Does it; all schedules afterwards, a line each.
    pub(super) async fn schedule(
        &self,
        caller: &Caller,
        ask: ScheduleAsk,
    ) -> Result<Vec<String>, Refusal> {
        let base = &self.0.base;
        let calendar = base.ports.calendar.clone();
        let off = || Refusal::Rule("schedules do not fire here".to_owned());
        let calendar = calendar.ok_or_else(off)?;
        let now = base.ports.clock.now();
        let by = Actor::Member(caller.name.clone(), caller.incarnation);
        let first = |when| match calendar.next(when, now) {
            Ok(Some(next)) => Ok(next),
            Ok(None) => Err(Refusal::Rule("there is no such moment any more".to_owned())),
            Err(why) => Err(Refusal::Rule(why)),
        };
        let command = match ask {
            ScheduleAsk::List => None,
            ScheduleAsk::Add { when, work, missed } => {
                let when = calendar.read(&when, now).map_err(Refusal::Rule)?;
                Some(ScheduleCommand::Add(Box::new(NewSchedule {
                    call: caller.call.clone(),
                    by,
                    next: first(&when)?,
                    when,
                    work,
                    missed,
                })))
            }
            ScheduleAsk::Remove(id) => Some(ScheduleCommand::Remove { id, by }),
            ScheduleAsk::Pause(id) => Some(ScheduleCommand::Pause { id, by }),
            ScheduleAsk::Resume(id) => {
                let team = base.ledger.team();
                let known = team.schedules().get(id);
                let next = known.map(|known| first(&known.when)).transpose()?;
                let next = next.unwrap_or_default();
                Some(ScheduleCommand::Resume { id, by, next })
            }
        };
        if let Some(command) = command {
            base.ledger.decide(Command::Schedule(command)).await?;
        }
        Ok(lines(&base.ledger.team(), &calendar))
    }
}

fn lines(team: &TeamState, calendar: &Arc<dyn Calendar>) -> Vec<String> {
    let line = |schedule: &Schedule| {
        let when = match (schedule.is_paused, schedule.next) {
            (true, _) => "rests".to_owned(),
            (false, Some(next)) => format!("next {}", calendar.shown(next)),
            (false, None) => "over".to_owned(),
        };
        let (id, by) = (schedule.id, &schedule.by);
        format!(
            "{id} ({}), {when}, by {by}: {}",
            schedule.when,
            schedule.work.describe()
        )
    };
    team.schedules().all().map(line).collect()
}
