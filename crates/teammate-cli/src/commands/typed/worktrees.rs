//! `/worktrees`: the git worktrees that members work in.

use super::{TypedCall, TypedCommand};
use crate::screen::clean;

pub(super) const WORKTREES: TypedCommand = TypedCommand {
    word: "/worktrees",
    usage: "",
    about: "the git worktrees that members work in",
    run: |call| Box::pin(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let list = call.team.look().await?.worktrees().list().await?;
    if list.is_empty() {
        return Ok("No worktrees".to_owned());
    }
    let lines = list
        .iter()
        .map(|status| format!("  {}", clean(&status.to_string())));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
