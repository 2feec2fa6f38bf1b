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
enum WorktreesCommand {
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
            Some(action) => act(&client, action).await?,
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

async fn list(client: &TeamClient, as_json: bool) -> Result<(), TeamError> {
    let list = client.worktrees().list().await?;
    if as_json {
        print_json(&list.iter().map(json_of).collect());
    } else if list.is_empty() {
        print_line("No worktrees");
    }
    if !as_json {
        for status in list {
            print_line(clean(&status.to_string()));
        }
    }
    Ok(())
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

async fn act(client: &TeamClient, action: WorktreesCommand) -> Result<(), TeamError> {
    let worktrees = client.worktrees();
    match action {
        WorktreesCommand::Diff { name } => {
            let diff = worktrees.diff(&WorktreeName::parse(&name)?).await?;
            print_line(clean(diff.trim_end()));
        }
        WorktreesCommand::Merge { name } => {
            let merged = worktrees.merge(&WorktreeName::parse(&name)?).await?;
            print_line(clean(&merged.to_string()));
        }
        WorktreesCommand::Remove { name } => {
            let name = WorktreeName::parse(&name)?;
            if client.is_worktree_in_use(&name) {
                return Err(TeamError::WorktreeInUse(name));
            }
            let removed = worktrees.remove(&name, RemovalReason::Asked).await?;
            print_line(format!("Removed {name} and its branch {}", removed.branch));
        }
        WorktreesCommand::Keep { name } => {
            let kept = worktrees.keep(&WorktreeName::parse(&name)?).await?;
            print_line(clean(&format!("Kept {}", kept.path.display())));
        }
    }
    Ok(())
}
