//! `/team`: the members and what each one is doing.

use teammate::{Team, TeamClient};

use super::{TypedCall, TypedCommand, in_lines};
use crate::{
    commands::{needs::view, team::counts_line},
    screen::{Style, clean, in_progress_text, job_line},
};

pub(super) const TEAM: TypedCommand = TypedCommand {
    word: "/team",
    usage: "",
    about: "the members and what each one is doing",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let look = call.team.look().await?;
    let counts = view(&look).await?.counts();
    let members = match call.team.hosted() {
        Some(team) => of_host(team, call.style),
        None => of_client(&look, call.style),
    };
    let mut lines = vec![format!("  {}", counts_line(&counts))];
    lines.extend(members);
    let board = call.state.board();
    if board.progress().total() > 0 {
        lines.push(format!("  Tasks: {}", board.summary_line()));
    }
    Ok(lines.join("\n"))
}

fn of_host(team: &Team, style: Style) -> Vec<String> {
    let (board, jobs) = (team.board(), team.jobs());
    let mut lines = Vec::new();
    for member in team.roster() {
        let rest = in_progress_text(&board, &member.name);
        let name = style.name(member.name.as_str());
        let (role, status) = (clean(&member.role), clean(&member.status));
        lines.push(format!("  {name} ({role}): {status}{rest}"));
        let mine = jobs.iter().filter(|job| job.owner == member.name);
        lines.extend(mine.map(job_line));
    }
    lines
}

fn of_client(client: &TeamClient, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    for member in client.team().members() {
        let rest = in_progress_text(client.board(), &member.name);
        let name = style.name(member.name.as_str());
        let status = client.describe(member);
        let (role, status) = (clean(&member.role), clean(&status));
        let worker = client.worker_of(&member.name);
        let worker = worker.map_or_else(String::new, |worker| format!(", on worker {worker}"));
        lines.push(format!("  {name} ({role}{worker}): {status}{rest}"));
        lines.extend(client.jobs(&member.name).map(job_line));
    }
    lines
}
