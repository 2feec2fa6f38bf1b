//! `/worktrees`: the git worktrees that members work in, and what can be done with one.

use clap::Parser;

use super::{TypedCall, TypedCommand, in_lines};
use crate::commands::worktrees::{WorktreesCommand, act, lines, list};

pub(super) const WORKTREES: TypedCommand = TypedCommand {
    word: "/worktrees",
    usage: "[WORD NAME]",
    about: "the members' git worktrees; diff, merge, remove or keep one",
    run: |call| in_lines(run(call)),
};

/// The worktrees: without a subcommand, all of them.
#[derive(Parser)]
#[command(name = "/worktrees", no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(subcommand)]
    action: Option<WorktreesCommand>,
}

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let client = call.team.look().await?;
    Ok(
        match Words::try_parse_from(call.words.split_whitespace())?.action {
            None => {
                let listed = list(&client).await?;
                [listed.missing, lines(&listed.all)].concat().join("\n")
            }
            Some(action) => act(&client, action).await?,
        },
    )
}
