//! `teammate team`: the roster.

use clap::Args;
use serde_json::json;
use teammate::Outside;
use teammate_store::views::request_json;

use super::{Ended, Place, say, say_json, tasks::now};
use crate::screen::{Style, clean, in_hand, job_line, request_lines};

/// Show the team: who is there and what they do
#[derive(Args)]
pub(crate) struct Team {
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Team {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let outside = place.look().await?;
        if self.json {
            as_json(&outside).await?;
        } else {
            as_text(&outside).await?;
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
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
    let runs = outside
        .runs_in()
        .map_or("not running".to_owned(), |by| format!("running in {by}"));
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
