//! `teammate schedules`: work at a time.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::{ArgGroup, Args, Subcommand};
use serde_json::{Value, json};
use teammate::{
    MemberName, Sender, Timestamp,
    schedules::{
        Calendar as _, MachineCalendar, MissedRuns, Schedule, ScheduleId, ScheduleTime,
        ScheduledWork,
    },
};

use super::{CliContext, CliResult, SharedOptions, Verb, print_json, print_line};
use crate::screen::clean;

/// Show what is to be done when; add, pause and remove such schedules. They fire while the team runs at a prompt or by `up`,
/// with [schedules] enabled = true or --schedules
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Schedules {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    action: Option<ScheduleAction>,
}

#[derive(Subcommand)]
enum ScheduleAction {
    /// List the schedules
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Add a schedule
    Add(Box<New>),
    /// Remove a schedule
    Remove {
        /// Its id, as s1
        id: String,
    },
    /// Let a schedule rest
    Pause {
        /// Its id, as s1
        id: String,
    },
    /// Let a schedule go on
    Resume {
        /// Its id, as s1
        id: String,
    },
}

#[derive(Args)]
#[command(group = ArgGroup::new("work").required(true).args(["task", "say"]))]
struct New {
    /// When: a cron expression ('0 9 * * mon-fri', perhaps with a time zone behind it) or a moment ('2026-11-26 09:00')
    when: String,

    /// Put this task on the board
    #[arg(long, value_name = "SUBJECT")]
    task: Option<String>,

    /// What the task is about, in full
    #[arg(long, value_name = "TEXT", requires = "task")]
    description: Option<String>,

    /// Say this to a member
    #[arg(long, value_name = "TEXT")]
    say: Option<String>,

    /// Who hears it [default: lead]
    #[arg(long, value_name = "NAME", requires = "say")]
    to: Option<String>,

    /// Leave out what is missed while the team does not run; else one run makes up for it
    #[arg(long)]
    skip_missed: bool,
}

impl Verb for Schedules {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        match self.action {
            None => list(client.team().schedules().all(), self.json),
            Some(ScheduleAction::List { json }) => list(client.team().schedules().all(), json),
            Some(ScheduleAction::Add(new)) => {
                let missed = match new.skip_missed {
                    true => MissedRuns::Skip,
                    false => MissedRuns::RunOnce,
                };
                let id = client.add_schedule(&new.when, new.work()?, missed).await?;
                let next = client.team().schedules().get(id).and_then(|made| made.next);
                print_line(format!("Added {id}, {}", at("next", next)));
            }
            Some(ScheduleAction::Remove { id }) => {
                let id = parse(&id)?;
                client.remove_schedule(id).await?;
                print_line(format!("Removed {id}"));
            }
            Some(ScheduleAction::Pause { id }) => {
                let id = parse(&id)?;
                client.pause_schedule(id).await?;
                print_line(format!("Paused {id}"));
            }
            Some(ScheduleAction::Resume { id }) => {
                let id = parse(&id)?;
                client.resume_schedule(id).await?;
                let next = client.team().schedules().get(id).and_then(|made| made.next);
                print_line(format!("Resumed {id}, {}", at("next", next)));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl New {
    fn work(&self) -> anyhow::Result<ScheduledWork> {
        match (&self.task, &self.say) {
            (Some(subject), _) => Ok(ScheduledWork::Task {
                subject: subject.clone(),
                description: self.description.clone().unwrap_or_default(),
            }),
            (None, Some(text)) => Ok(ScheduledWork::Say {
                to: MemberName::parse(self.to.as_deref().unwrap_or("lead"))
                    .map_err(|why| anyhow!(why))?,
                text: text.clone(),
            }),
            (None, None) => bail!("say what is to be done: --task or --say"),
        }
    }
}

fn parse(id: &str) -> anyhow::Result<ScheduleId> {
    ScheduleId::parse(id).ok_or_else(|| anyhow!("'{id}' is not the id of a schedule, as s1"))
}

fn at(word: &str, moment: Option<Timestamp>) -> String {
    match moment {
        Some(moment) => format!("{word} {}", MachineCalendar.shown(moment)),
        None => "no further moment".to_owned(),
    }
}

fn list<'a>(all: impl Iterator<Item = &'a Schedule>, json: bool) {
    let all: Vec<&Schedule> = all.collect();
    if json {
        let all: Vec<Value> = all.into_iter().map(json_of).collect();
        return print_json(&json!({ "schedules": all }));
    }
    if all.is_empty() {
        print_line("No schedules");
    }
    for schedule in all {
        let state = match schedule.is_paused {
            true => "paused".to_owned(),
            false => at("next", schedule.next),
        };
        let times = match schedule.runs {
            0 => "not yet run".to_owned(),
            runs => format!("{}, {runs} times", at("last", schedule.last)),
        };
        print_line(format!(
            "{}  {}  {state}  {times}  {}",
            schedule.id,
            clean(&schedule.when.to_string()),
            clean(&schedule.work.describe())
        ));
        if let Some(why) = &schedule.skipped {
            print_line(format!("    did not fire last time: {}", clean(why)));
        }
    }
}

fn json_of(schedule: &Schedule) -> Value {
    let (kind, to, text, description) = match &schedule.work {
        ScheduledWork::Task {
            subject,
            description,
        } => ("task", None, subject, Some(description)),
        ScheduledWork::Say { to, text } => ("say", Some(to), text, None),
    };
    let (cron, once) = match &schedule.when {
        ScheduleTime::Cron(text) => (Some(text), None),
        ScheduleTime::Once(at) => (None, Some(at)),
    };
    let by: &Sender = &schedule.by;
    json!({
        "id": schedule.id,
        "by": by,
        "cron": cron,
        "once": once,
        "does": kind,
        "text": text,
        "to": to,
        "description": description,
        "missed": schedule.missed,
        "paused": schedule.is_paused,
        "next": schedule.next,
        "last": schedule.last,
        "runs": schedule.runs,
        "skipped": schedule.skipped,
    })
}
