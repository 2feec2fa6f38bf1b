//! `teammate worktrees`: lists, merges, keeps and removes the members' worktrees.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use teammate::{RemovalReason, TeamClient, TeamError, WorktreeName, WorktreeStatus};

use super::{CliContext, CliResult, print_json, print_line};
use crate::screen::clean;

/// List the git worktrees that members work in, or merge, keep or remove one
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Worktrees {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    action: Option<WorktreesCommand>,
}

#[derive(Subcommand)]
pub(super) enum WorktreesCommand {
    /// Show a worktree's changes, committed or not
    Diff {
        /// The worktree, as `teammate worktrees` lists it
        name: String,
    },
    /// Merge a worktree's branch into the current branch; a conflict changes nothing
    Merge {
        /// The worktree, as `teammate worktrees` lists it
        name: String,
    },
    /// Remove a worktree and its branch, unless work would be lost
    Remove {
        /// The worktree, as `teammate worktrees` lists it
        name: String,
    },
    /// Keep a worktree when the team cleans up
    Keep {
        /// The worktree, as `teammate worktrees` lists it
        name: String,
    },
}

impl Worktrees {
    pub(crate) async fn run(self, place: &CliContext) -> CliResult {
        let client = place.look().await?;
        match self.action {
            None => list(&client, self.json).await?,
            Some(action) => print_line(act(&client, action).await?),
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

async fn list(client: &TeamClient, as_json: bool) -> Result<(), TeamError> {
    let list = client.worktrees().list().await?;
    if as_json {
        print_json(&list.iter().map(json_of).collect());
    } else {
        lines(&list).iter().for_each(print_line);
    }
    Ok(())
}

/// A line for each, or that there are none.
pub(super) fn lines(list: &[WorktreeStatus]) -> Vec<String> {
    if list.is_empty() {
        return vec!["No worktrees".to_owned()];
    }
    let lines = list.iter();
    lines
        .map(|status| clean(&status.to_string()).into_owned())
        .collect()
}

fn json_of(status: &WorktreeStatus) -> Value {
    json!({
        "name": status.worktree.name.as_str(),
        "path": status.worktree.path.display().to_string(),
        "branch": status.worktree.branch,
        "ahead": status.ahead,
        "behind": status.behind,
        "uncommitted": status.uncommitted,
        "is_there": status.is_there,
        "is_kept": status.is_kept,
    })
}

/// Does it; returns what came of it.
pub(super) async fn act(
    client: &TeamClient,
    action: WorktreesCommand,
) -> Result<String, TeamError> {
    let worktrees = client.worktrees();
    Ok(match action {
        WorktreesCommand::Diff { name } => {
            let diff = worktrees.diff(&WorktreeName::parse(&name)?).await?;
            clean(diff.trim_end()).into_owned()
        }
        WorktreesCommand::Merge { name } => {
            let merged = worktrees.merge(&WorktreeName::parse(&name)?).await?;
            clean(&merged.to_string()).into_owned()
        }
        WorktreesCommand::Remove { name } => {
            let name = WorktreeName::parse(&name)?;
            if client.is_worktree_in_use(&name) {
                return Err(TeamError::WorktreeInUse(name));
            }
            let removed = worktrees.remove(&name, RemovalReason::Asked).await?;
            format!("Removed {name} and its branch {}", removed.branch)
        }
        WorktreesCommand::Keep { name } => {
            let kept = worktrees.keep(&WorktreeName::parse(&name)?).await?;
            clean(&format!("Kept {}", kept.path.display())).into_owned()
        }
    })
}
