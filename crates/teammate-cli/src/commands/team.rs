//! `teammate team`: the roster.

use clap::Args;
use serde_json::json;
use teammate::{TeamClient, json::request_json, platform::now, teams_in};

use super::{CliContext, CliResult, print_json, print_line};
use crate::screen::{Style, clean, in_progress_text, job_line, request_lines};

/// Show the members and what each one is doing
#[derive(Args)]
pub(crate) struct Team {
    /// Print JSON
    #[arg(long)]
    json: bool,

    /// List all teams in the directory
    #[arg(long)]
    all: bool,
}

impl Team {
    pub(crate) async fn run(self, place: &CliContext) -> CliResult {
        if self.all {
            return all(place, self.json).await;
        }
        let client = place.look().await?;
        if self.json {
            as_json(&client).await?;
        } else {
            as_text(&client).await?;
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

/// All teams of the directory. One that cannot be opened is listed with the reason.
async fn all(place: &CliContext, as_json: bool) -> CliResult {
    let mut teams = Vec::new();
    for team in teams_in(&place.dir) {
        let name = team.team_name().to_owned();
        let (state, members) = match place.look_at(team).await? {
            Ok(client) => (runs(&client), Some(client.team().members().count())),
            Err(error) => (error.to_string(), None),
        };
        if as_json {
            teams.push(json!({ "team_name": name, "state": state, "members": members }));
        } else {
            let members = match members {
                None => String::new(),
                Some(1) => ", 1 member".to_owned(),
                Some(count) => format!(", {count} members"),
            };
            print_line(format!("{name}: {}{members}", clean(&state)));
        }
    }
    if as_json {
        print_json(&json!({ "teams": teams }));
    }
    Ok(std::process::ExitCode::SUCCESS)
}

fn runs(client: &TeamClient) -> String {
    client
        .host()
        .map_or("not running".to_owned(), |by| format!("running in {by}"))
}

async fn as_json(client: &TeamClient) -> anyhow::Result<()> {
    let mut members = Vec::new();
    for member in client.team().members() {
        members.push(json!({
            "name": member.name,
            "role": member.role,
            "status": client.status(&member.phase),
            "phase": client.describe(member),
            "incarnation": member.incarnation,
            "team": member.options.group,
            "agent": member.options.agent,
            "doing": client.doing(member),
            "model": client.team().model_of(member),
            "plan": member.gate.as_str(),
            "task": client.board().task_of(&member.name).map(|task| task.id),
            "jobs": client.jobs(&member.name).map(|job| json!({
                "id": job.id,
                "title": job.title,
                "started_at": job.started,
            })).collect::<Vec<_>>(),
            "unread": client.inbox(&member.name).await?.len(),
        }));
    }
    print_json(&json!({
        "team_name": client.team().name(),
        "runs_in": client.host(),
        "members": members,
        "requests": client.requests().iter().map(|request| request_json(request)).collect::<Vec<_>>(),
    }));
    Ok(())
}

async fn as_text(client: &TeamClient) -> anyhow::Result<()> {
    let style = Style::for_stdout();
    let mut runs = runs(client);
    if client.is_paused() {
        runs.push_str("; `teammate resume` continues");
    }
    print_line(format!(
        "Team '{}', {}",
        client.team().name(),
        style.dim(&runs)
    ));
    let wide = client
        .team()
        .members()
        .map(|m| m.name.as_str().len())
        .max()
        .unwrap_or(0);
    for member in client.team().members() {
        let unread = match client.inbox(&member.name).await?.len() {
            0 => String::new(),
            count => format!(", {count} unread"),
        };
        let team = match &member.options.group {
            Some(team) => format!(", team {team}"),
            None => String::new(),
        };
        let gap = " ".repeat(wide - member.name.as_str().len());
        let doing = client
            .doing(member)
            .map(|doing| format!(": {}", clean(doing)));
        print_line(format!(
            "  {}{gap}  {}{} ({}{team}){}{unread}",
            style.name(member.name.as_str()),
            clean(&client.describe(member)),
            doing.unwrap_or_default(),
            clean(&member.role),
            in_progress_text(client.board(), &member.name),
        ));
        for job in client.jobs(&member.name) {
            print_line(job_line(job));
        }
    }
    if client.board().progress().total() > 0 {
        print_line(format!("Tasks: {}", client.board().summary_line()));
    }
    let requests = client.requests();
    if !requests.is_empty() {
        print_line("Requests:");
    }
    for line in request_lines(&requests, now(), style) {
        print_line(line);
    }
    for line in client.damaged() {
        print_line(format!("{} {}", style.bad("damaged:"), clean(line)));
    }
    Ok(())
}
