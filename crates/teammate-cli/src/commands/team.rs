//! `teammate team`: the roster.

use clap::Args;
use serde_json::json;
use teammate::{Outside, json::request_json, platform::now, teams_in};

use super::{Ended, Place, say, say_json};
use crate::{
    screen::{Style, clean, in_hand, job_line, request_lines},
    settings::user_dirs,
};

/// Show the team: who is there and what they do
#[derive(Args)]
pub(crate) struct Team {
    /// As JSON
    #[arg(long)]
    json: bool,

    /// List all teams of the directory
    #[arg(long)]
    all: bool,
}

impl Team {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        if self.all {
            return all(place, self.json).await;
        }
        let outside = place.look().await?;
        if self.json {
            as_json(&outside).await?;
        } else {
            as_text(&outside).await?;
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

/// All teams of the directory. One that cannot be opened is listed with the reason.
async fn all(place: &Place, as_json: bool) -> Ended {
    let read_max = place.options.read_max()?;
    let mut teams = Vec::new();
    for team in teams_in(&place.dir) {
        let name = team.team_name().to_owned();
        let looked = Outside::look_reading_at_most(team, &user_dirs(), read_max).await;
        let (state, members) = match looked {
            Ok(outside) => (runs(&outside), Some(outside.team().members().count())),
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
            say(format!("{name}: {}{members}", clean(&state)));
        }
    }
    if as_json {
        say_json(&json!({ "teams": teams }));
    }
    Ok(std::process::ExitCode::SUCCESS)
}

fn runs(outside: &Outside) -> String {
    outside
        .runs_in()
        .map_or("not running".to_owned(), |by| format!("running in {by}"))
}

async fn as_json(outside: &Outside) -> anyhow::Result<()> {
    let mut members = Vec::new();
    for member in outside.team().members() {
        members.push(json!({
            "name": member.name,
            "role": member.role,
            "status": outside.status(&member.phase),
            "phase": outside.describe(member),
            "incarnation": member.incarnation,
            "team": member.terms.team,
            "agent": member.terms.agent,
            "doing": outside.doing(member),
            "model": outside.team().model_of(member),
            "plan": member.gate.word(),
            "task": outside.board().held_by(&member.name).map(|task| task.id),
            "jobs": outside.jobs(&member.name).map(|job| json!({
                "id": job.id,
                "title": job.title,
                "started_at": job.started,
            })).collect::<Vec<_>>(),
            "unread": outside.inbox(&member.name).await?.len(),
        }));
    }
    say_json(&json!({
        "team_name": outside.team().name(),
        "runs_in": outside.runs_in(),
        "members": members,
        "requests": outside.requests().iter().map(|request| request_json(request)).collect::<Vec<_>>(),
    }));
    Ok(())
}

async fn as_text(outside: &Outside) -> anyhow::Result<()> {
    let style = Style::for_stdout();
    let runs = runs(outside);
    say(format!(
        "Team '{}', {}",
        outside.team().name(),
        style.dim(&runs)
    ));
    let wide = outside
        .team()
        .members()
        .map(|m| m.name.as_str().len())
        .max()
        .unwrap_or(0);
    for member in outside.team().members() {
        let unread = match outside.inbox(&member.name).await?.len() {
            0 => String::new(),
            count => format!(", {count} unread"),
        };
        let team = match &member.terms.team {
            Some(team) => format!(", team {team}"),
            None => String::new(),
        };
        let gap = " ".repeat(wide - member.name.as_str().len());
        let doing = outside
            .doing(member)
            .map(|doing| format!(": {}", clean(doing)));
        say(format!(
            "  {}{gap}  {}{} ({}{team}){}{unread}",
            style.name(member.name.as_str()),
            clean(&outside.describe(member)),
            doing.unwrap_or_default(),
            clean(&member.role),
            in_hand(outside.board(), &member.name),
        ));
        for job in outside.jobs(&member.name) {
            say(job_line(job));
        }
    }
    if outside.board().progress().total() > 0 {
        say(format!("Tasks: {}", outside.board().in_a_line()));
    }
    let requests = outside.requests();
    if !requests.is_empty() {
        say("Requests:");
    }
    for line in request_lines(&requests, now(), style) {
        say(line);
    }
    for line in outside.damaged() {
        say(format!("{} {}", style.bad("damaged:"), clean(line)));
    }
    Ok(())
}
