//! `/team`: the members and what each one is doing.

use teammate::TeamClient;
use teammate_view::t;

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
    let mut lines = vec![format!("  {}", counts_line(&counts))];
    lines.extend(member_lines(&look, call.style));
    let board = call.state.board();
    if board.progress().total() > 0 {
        lines.push(t!("  Tasks: {tasks}", tasks = board.summary_line()));
    }
    Ok(lines.join("\n"))
}

fn member_lines(client: &TeamClient, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    for member in client.team().members() {
        let rest = in_progress_text(client.board(), &member.name);
        let name = style.name(member.name.as_str());
        let status = client.describe(member);
        let (role, status) = (clean(&member.role), clean(&status));
        let worker = client.worker_of(&member.name);
        let worker = worker.map_or_else(String::new, |worker| t!(", on worker {worker}", worker));
        lines.push(format!("  {name} ({role}{worker}): {status}{rest}"));
        lines.extend(client.jobs(&member.name).map(job_line));
    }
    lines
}
