//! `teammate worktrees`: what members have done in worktrees of their own, and what becomes of it.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use teammate::{Outside, Removal, TeamError, WorktreeName, WorktreeStatus};

use super::{Ended, Place, say, say_json};
use crate::screen::clean;

/// Show the git worktrees that members work in, and bring their work home
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Worktrees {
    /// As JSON
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Show what was changed in one, committed or not
    Diff {
        /// Which
        name: String,
    },
    /// Merge its branch into the current one, wholly or not at all
    Merge {
        /// Which
        name: String,
    },
    /// Remove it and its branch, unless something would be lost
    Remove {
        /// Which
        name: String,
    },
    /// Have it kept when the team cleans up
    Keep {
        /// Which
        name: String,
    },
}

impl Worktrees {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let outside = place.look().await?;
        match self.action {
            None => list(&outside, self.json).await?,
            Some(action) => act(&outside, action).await?,
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

async fn list(outside: &Outside, as_json: bool) -> Result<(), TeamError> {
    let list = outside.worktrees().list().await?;
    if as_json {
        say_json(&list.iter().map(json_of).collect());
    } else if list.is_empty() {
        say("No worktrees");
    }
    if !as_json {
        for status in list {
            say(clean(&status.to_string()));
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

async fn act(outside: &Outside, action: Action) -> Result<(), TeamError> {
    let worktrees = outside.worktrees();
    match action {
        Action::Diff { name } => {
            let diff = worktrees.diff(&WorktreeName::parse(&name)?).await?;
            say(clean(diff.trim_end()));
        }
        Action::Merge { name } => {
            let merged = worktrees.merge(&WorktreeName::parse(&name)?).await?;
            say(clean(&merged.to_string()));
        }
        Action::Remove { name } => {
            let name = WorktreeName::parse(&name)?;
            if outside.is_in_use(&name) {
                return Err(TeamError::InUse(name));
            }
            let removed = worktrees.remove(&name, Removal::Asked).await?;
            say(format!("Removed {name} and its branch {}", removed.branch));
        }
        Action::Keep { name } => {
            let kept = worktrees.keep(&WorktreeName::parse(&name)?).await?;
            say(clean(&format!("Kept {}", kept.path.display())));
        }
    }
    Ok(())
}
