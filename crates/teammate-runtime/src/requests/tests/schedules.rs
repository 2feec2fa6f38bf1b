//! Schedules of a team that is hosted: they fire at their moment, once, whatever dies when.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use teammate_core::{
    MemberName, Timestamp,
    board::{Actor, TaskAction, TaskCommand},
    port::{Calendar, Clock, Record},
    team::{
        Command, MissedRuns, NewSchedule, ScheduleCommand, ScheduleEvent, ScheduleId, ScheduleTime,
        ScheduledWork, TeamEvent, TeamState,
    },
};
use tokio::time::{Instant, sleep};

use super::stage::{Stage, until};

/// When the stories begin.
const BEGIN: u64 = 1_800_000_000_000;

/// A clock that goes with tokio's.
struct Ticking(Instant);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        Timestamp(BEGIN).after(self.0.elapsed())
    }
}

/// Every so many seconds.
struct Seconds;

impl Calendar for Seconds {
    fn read(&self, text: &str, _: Timestamp) -> Result<ScheduleTime, String> {
        Ok(ScheduleTime::Cron(text.to_owned()))
    }

    fn next(&self, when: &ScheduleTime, after: Timestamp) -> Result<Option<Timestamp>, String> {
        let ScheduleTime::Cron(text) = when else {
            return Ok(None);
        };
        let every = text.parse::<u64>().map_err(|error| error.to_string())? * 1000;
        Ok(Some(Timestamp((after.0 / every + 1) * every)))
    }

    fn shown(&self, at: Timestamp) -> String {
        at.0.to_string()
    }
}

fn stage() -> Stage {
    Stage::new().with_calendar(Arc::new(Seconds), Arc::new(Ticking(Instant::now())))
}

fn every(seconds: u64, work: ScheduledWork, missed: MissedRuns) -> Command {
    let when = ScheduleTime::Cron(seconds.to_string());
    let next = Seconds.next(&when, Timestamp(BEGIN)).unwrap().unwrap();
    Command::Schedule(ScheduleCommand::Add(Box::new(NewSchedule {
        call: format!("user/{seconds}").as_str().into(),
        by: Actor::User,
        when,
        work,
        missed,
        next,
    })))
}

fn task() -> ScheduledWork {
    ScheduledWork::Task {
        subject: "Look at the log".to_owned(),
        description: String::new(),
    }
}

fn say(text: &str) -> ScheduledWork {
    ScheduledWork::Say {
        to: MemberName::lead(),
        text: text.to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_schedule_fires_at_its_moment_and_a_change_from_elsewhere_counts_at_once() {
    let stage = stage();
    let host = stage.open().await;
    stage
        .decide_outside(every(60, say("Good morning"), MissedRuns::RunOnce))
        .await;
    sleep(Duration::from_secs(59)).await;
    assert_eq!(stage.heard("lead").await, [""; 0]);
    until(|| host.team().schedules().all().any(|known| known.runs == 1)).await;
    host.wait_idle().await;
    assert_eq!(stage.heard("lead").await, ["Good morning"]);
    let pause = ScheduleCommand::Pause {
        id: ScheduleId::parse("s1").unwrap(),
        by: Actor::User,
    };
    stage.decide_outside(Command::Schedule(pause)).await;
    sleep(Duration::from_secs(600)).await;
    assert_eq!(stage.heard("lead").await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_nobody_ran_is_made_up_for_by_one_or_left_out() {
    let stage = stage();
    let host = stage.open().await;
    stage
        .decide_outside(every(300, say("one"), MissedRuns::RunOnce))
        .await;
    stage
        .decide_outside(every(400, say("none"), MissedRuns::Skip))
        .await;
    drop(host);
    sleep(Duration::from_secs(3_690)).await;
    let host = stage.open().await;
    let has_skipped = |known: &teammate_core::team::Schedule| known.skipped.is_some();
    until(|| host.team().schedules().all().any(has_skipped)).await;
    host.wait_idle().await;
    assert_eq!(stage.heard("lead").await, ["one"]);
    let team = host.team();
    let missed = team
        .schedules()
        .all()
        .find_map(|known| known.skipped.clone());
    assert_eq!(missed.as_deref(), Some("nobody ran the team then"));
}

/// Numbers that a seed repeats.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

/// The moments for which each schedule fired, in the order of the journal.
fn firings(records: &[Record]) -> Vec<(ScheduleId, Timestamp)> {
    let events = records.iter().flat_map(|record| &record.events);
    events
        .filter_map(|event| match event {
            TeamEvent::Schedule {
                schedule,
                change: ScheduleEvent::Fired { due, .. },
            } => Some((*schedule, *due)),
            _ => None,
        })
        .collect()
}

/// Finishes every task that is open, as the user.
async fn finish_tasks(stage: &Stage, team: &TeamState) {
    for task in team.board().tasks() {
        if !task.status.is_settled() {
            let fail = TaskAction::Fail(task.id, "enough".to_owned());
            let fail = TaskCommand::Act {
                by: Actor::User,
                action: fail,
                verified: None,
            };
            stage.decide_outside(Command::Task(fail)).await;
        }
    }
}

// slow: a thousand restarts
/// A thousand lives of a host, each of which ends at some step around a moment that is due.
#[tokio::test(start_paused = true)]
async fn a_thousand_restarts_run_nothing_twice_and_lose_nothing() {
    let seed = std::env::var("SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let seed: u64 = seed.unwrap_or(20_261_125);
    println!("SEED={seed}");
    let mut dice = Dice(seed);
    let stage = stage();
    drop(stage.open().await);
    stage
        .decide_outside(every(60, task(), MissedRuns::RunOnce))
        .await;
    stage
        .decide_outside(every(90, say("a"), MissedRuns::Skip))
        .await;
    stage
        .decide_outside(every(120, say("b"), MissedRuns::RunOnce))
        .await;
    let mut owed = 0;
    stage.fails.is_slow.store(true, Ordering::SeqCst);
    for _ in 0..1_000 {
        let host = stage.open().await;
        if dice.below(4) == 0 {
            finish_tasks(&stage, &host.team()).await;
        }
        // Some die as soon as they have begun, with what is overdue; some long after; some around a moment.
        match dice.below(3) {
            0 => {}
            1 => sleep(Duration::from_secs(dice.below(100))).await,
            _ => {
                let due = host.team().schedules().first_due().map(|(_, due)| due);
                let left = due.map_or(0, |due| due.millis_since(stage.now()));
                sleep(Duration::from_millis(left)).await;
            }
        }
        sleep(Duration::from_millis(dice.below(12))).await;
        drop(host);
        // Nothing of it writes on.
        sleep(Duration::from_millis(20)).await;
        owed += usize::from(stage.team().await.schedules().untold().next().is_some());
        if dice.below(3) == 0 {
            sleep(Duration::from_secs(dice.below(600))).await;
        }
    }
    assert!(owed > 20, "{owed} died between a firing and its message");
    let host = stage.open().await;
    host.wait_idle().await;
    until(|| host.team().schedules().untold().next().is_none()).await;
    host.wait_idle().await;

    let records = stage.records().await;
    let fired = firings(&records);
    let distinct: BTreeSet<_> = fired.iter().collect();
    assert_eq!(fired.len(), distinct.len(), "a moment fired twice");
    assert!(fired.len() > 500, "{}", fired.len());
    let team = host.team();
    let of = |id: &str| {
        let id = ScheduleId::parse(id).unwrap();
        fired.iter().filter(|(known, _)| *known == id).count()
    };
    assert_eq!(team.board().all_with_deleted().count(), of("s1"));
    let told = stage.told("lead").await;
    for (id, text) in [("s2", "a"), ("s3", "b")] {
        let heard = told.iter().filter(|mail| *mail == text).count();
        assert_eq!(heard, of(id), "{text}: each once");
    }
}
