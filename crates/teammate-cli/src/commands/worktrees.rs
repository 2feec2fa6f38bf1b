//! `worktrees`: lists, merges, keeps and removes the members' worktrees.

use std::sync::Arc;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use teammate::{
    GuardedFile, RemovalReason, TeamClient, TeamError, WorktreeName, WorktreeStatus,
    carried_work::WorkCarrier,
};

use super::verb::{TeamVerb, VerbCall, VerbOutput};
use crate::screen::clean;

/// List the git worktrees that members work in, or merge, keep or remove one
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Worktrees {
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

        /// Merge this file too, which decides what programs do later, if its content is still this
        #[arg(long, value_name = "FILE@CONTENT", value_parser = guarded_file)]
        carry: Vec<GuardedFile>,
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

impl TeamVerb for Worktrees {
    const WORD: &str = "/worktrees";
    const USAGE: &str = "[WORD NAME]";
    const ABOUT: &str = "the members' git worktrees; diff, merge, remove or keep one";

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let client = call.team.look().await?;
        match self.action {
            None => list(&client).await,
            Some(action) => VerbOutput::of((), vec![act(&client, action).await?]),
        }
    }
}

/// The worktrees here; with the newest work of members on workers, as far as it can be fetched.
async fn list(client: &TeamClient) -> anyhow::Result<VerbOutput> {
    let mut missing = Vec::new();
    match client.work_carrier().await {
        Ok(None) => {}
        Ok(Some(carrier)) => {
            let failed = client.fetch_work(&carrier).await;
            missing.extend(
                failed
                    .iter()
                    .map(|(member, why)| format!("the newest work of {member} is not here: {why}")),
            );
        }
        Err(why) => missing.push(format!("work of members elsewhere is not here: {why}")),
    }
    let all = client.worktrees().list().await?;
    let text = |status: &WorktreeStatus| clean(&status.to_string()).into_owned();
    Ok(VerbOutput {
        json: all.iter().map(json_of).collect(),
        lines: match all.is_empty() {
            true => vec!["No worktrees".to_owned()],
            false => all.iter().map(text).collect(),
        },
        notes: missing,
    })
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
        "missing": status.missing,
    })
}

fn guarded_file(text: &str) -> Result<GuardedFile, String> {
    GuardedFile::parse(text)
        .ok_or_else(|| "name a file and its content as the refusal does".to_owned())
}

/// The worktrees here, of which what is looked at is fetched first where members run on workers.
///
/// Errors: it cannot be fetched here; nothing old is compared or merged.
async fn fetched(client: &TeamClient) -> anyhow::Result<Arc<dyn teammate::Worktrees>> {
    let carrier: Option<WorkCarrier> = client.work_carrier().await?;
    Ok(match carrier {
        Some(carrier) => client.worktrees_fetched(&carrier),
        None => client.worktrees(),
    })
}

/// Does it; returns what came of it.
async fn act(client: &TeamClient, action: WorktreesCommand) -> anyhow::Result<String> {
    let worktrees = client.worktrees();
    Ok(match action {
        WorktreesCommand::Diff { name } => {
            let name = WorktreeName::parse(&name)?;
            let diff = fetched(client).await?.diff(&name).await?;
            clean(diff.trim_end()).into_owned()
        }
        WorktreesCommand::Merge { name, carry } => {
            let name = WorktreeName::parse(&name)?;
            let merged = fetched(client).await?.merge_with(&name, carry).await?;
            clean(&merged.to_string()).into_owned()
        }
        WorktreesCommand::Remove { name } => {
            let name = WorktreeName::parse(&name)?;
            if client.is_worktree_in_use(&name) {
                return Err(TeamError::WorktreeInUse(name).into());
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
