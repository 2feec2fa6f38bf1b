//! `teammate workers`: who runs the members of a team on NATS servers, and who waits for a worker.

use std::{collections::BTreeSet, process::ExitCode};

use anyhow::bail;
use clap::{Args, Subcommand};
use serde::Serialize;
use teammate::{
    Member, MemberPhase, TeamClient, TeamState,
    nats::{NatsTeam, TeamCircle, Unplaced, Waiting, Walls, WorkerLife, WorkerName},
};

use super::{CliContext, CliResult, SharedOptions, UsageError, Verb, print_json, print_line};
use crate::{screen::clean, settings::user_dirs};

/// The connection's name, for operators of the servers.
const NAME: &str = "teammate workers";

/// Show the workers of a team on NATS servers: whether each is there, what it has, whom it holds, and who waits for one
#[derive(Args)]
pub(crate) struct Workers {
    #[command(subcommand)]
    action: Option<WorkersCommand>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum WorkersCommand {
    /// Ask a worker to give up all members that it holds, and to end
    Drain {
        /// Its name
        #[arg(value_parser = WorkerName::parse)]
        name: WorkerName,
    },
}

/// A worker.
#[derive(Serialize)]
struct WorkerRow {
    name: String,
    /// `there`, `silent` or `gone`.
    state: &'static str,
    labels: Vec<String>,
    places: u16,
    /// Whom it holds.
    members: Vec<String>,
    is_steward: bool,
    /// How well it holds commands.
    sandbox: String,
    /// The digest of its machine's policy.
    policy: Option<String>,
    /// Why it gets no members.
    falls_short: Option<String>,
}

/// All that is shown.
#[derive(Serialize)]
struct ShownTeam {
    team: String,
    demands: Option<DemandRow>,
    workers: Vec<WorkerRow>,
    /// Members that no worker holds.
    waiting: Vec<WaitingRow>,
}

/// The team's demands on its workers.
#[derive(Serialize)]
struct DemandRow {
    sandbox: String,
    policy: Option<String>,
}

/// A member that no worker holds.
#[derive(Serialize)]
struct WaitingRow {
    member: String,
    waits_for: String,
}

impl Verb for Workers {
    const SHARED: SharedOptions = SharedOptions::OfPlace(&[]);

    async fn run(self, place: &CliContext) -> CliResult {
        let Some(servers) = place.options.servers()? else {
            return Err(UsageError(
                "workers run teams on NATS servers: name them with --nats URL".to_owned(),
            )
            .into());
        };
        let circle = TeamCircle::connect(servers, &user_dirs(), NAME).await?;
        let name = place.options.name_on_servers()?;
        let Some(team) = circle.find(&name).await? else {
            return Err(super::on_servers::no_team_on_servers(&name));
        };
        let by = asker(&circle);
        match self.action {
            Some(WorkersCommand::Drain { name }) => drain(&team, &name, &by).await,
            None => {
                let place = place.clone().attached_to(team.store());
                let shown = shown(&team, &place.look().await?, &by).await;
                match self.json {
                    true => print_json(&serde_json::to_value(&shown)?),
                    false => print(&shown),
                }
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

/// As whom this process asks workers.
fn asker(circle: &TeamCircle) -> WorkerName {
    let own = circle.own_name().cloned();
    own.unwrap_or_else(|| WorkerName::parse("person").expect("a name of letters"))
}

async fn drain(team: &NatsTeam, worker: &WorkerName, by: &WorkerName) -> CliResult {
    if !team.ask_to_drain(worker, by).await {
        bail!("worker '{worker}' does not answer; `teammate workers` shows who is there");
    }
    print_line(format!(
        "Worker '{worker}' drains: it ends when other workers have taken all its members"
    ));
    Ok(ExitCode::SUCCESS)
}

async fn shown(team: &NatsTeam, client: &TeamClient, by: &WorkerName) -> ShownTeam {
    let state = client.team();
    let placements = state.places();
    let (mut workers, mut gone) = (Vec::new(), BTreeSet::new());
    for (name, joined) in placements.workers() {
        let life = team.life_of(name, by).await;
        if life == WorkerLife::Gone {
            gone.insert(name.clone());
        }
        workers.push(WorkerRow {
            name: name.to_string(),
            state: match life {
                WorkerLife::Answers => "there",
                WorkerLife::Silent => "silent",
                WorkerLife::Gone => "gone",
            },
            labels: joined.labels.iter().map(ToString::to_string).collect(),
            places: joined.places,
            members: placements
                .held_by(name)
                .map(|(member, _)| member.to_string())
                .collect(),
            is_steward: placements
                .steward()
                .is_some_and(|steward| steward.worker == *name),
            sandbox: joined.walls.sandbox.to_string(),
            policy: joined.walls.policy.as_ref().map(ToString::to_string),
            falls_short: placements.shortfall(name).map(|why| why.to_string()),
        });
    }
    ShownTeam {
        team: team.name().to_string(),
        demands: demands(placements.demanded()),
        workers,
        waiting: waiting(state, &gone),
    }
}

fn demands(walls: &Walls) -> Option<DemandRow> {
    (!walls.is_nothing()).then(|| DemandRow {
        sandbox: walls.sandbox.to_string(),
        policy: walls.policy.as_ref().map(ToString::to_string),
    })
}

/// Members that no worker holds, though they are not stopped. `gone` are workers that do not answer.
fn waiting(team: &TeamState, gone: &BTreeSet<WorkerName>) -> Vec<WaitingRow> {
    let places = team.places();
    let is_held = |member: &Member| {
        let placement = places.placement(&member.name);
        placement.is_some_and(|placement| placement.worker.is_some())
    };
    let row = |member: &Member| {
        let of = Unplaced {
            member: &member.name,
            needs: &member.options.labels,
            silent: gone,
        };
        WaitingRow {
            member: member.name.to_string(),
            waits_for: match places.choose(of, None) {
                Ok(worker) => format!("worker '{worker}' to take it"),
                Err(Waiting::Places) => "a free place on a worker".to_owned(),
                Err(Waiting::Walls(walls)) => format!("a worker with {walls}"),
                Err(Waiting::Labels(labels)) if labels.is_empty() => "a worker".to_owned(),
                Err(Waiting::Labels(labels)) => {
                    let labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
                    format!("a worker with {}", labels.join(" and "))
                }
            },
        }
    };
    let living = team
        .members()
        .filter(|member| member.phase != MemberPhase::Stopped);
    living.filter(|member| !is_held(member)).map(row).collect()
}

fn print(shown: &ShownTeam) {
    if shown.workers.is_empty() {
        print_line("No worker has joined. Start one with `teammate worker --join URL`");
    }
    if let Some(DemandRow { sandbox, policy }) = &shown.demands {
        let policy = policy.as_ref();
        let policy = policy.map_or_else(String::new, |policy| format!(" and policy {policy}"));
        print_line(clean(&format!(
            "The team demands sandbox {sandbox}{policy} of its workers"
        )));
    }
    for worker in &shown.workers {
        let held = match worker.members.is_empty() {
            true => "nobody".to_owned(),
            false => worker.members.join(", "),
        };
        let labels = match worker.labels.is_empty() {
            true => String::new(),
            false => format!(", has {}", worker.labels.join(" ")),
        };
        let steward = match worker.is_steward {
            true => ", is the steward",
            false => "",
        };
        let policy = worker.policy.as_ref();
        let policy = policy.map_or_else(String::new, |policy| format!(", policy {policy}"));
        print_line(clean(&format!(
            "{}  {}  holds {held} ({} of {} places){labels}, sandbox {}{policy}{steward}",
            worker.name,
            worker.state,
            worker.members.len(),
            worker.places,
            worker.sandbox,
        )));
        if let Some(why) = &worker.falls_short {
            print_line(clean(&format!("{}  gets no members: {why}", worker.name)));
        }
    }
    for WaitingRow { member, waits_for } in &shown.waiting {
        print_line(clean(&format!("{member}  waits for {waits_for}")));
    }
}
