//! `teammate recover`: puts a team together whose journal is lost, after showing what it would be.

use std::process::ExitCode;

use clap::Args;
use teammate::{Recoverable, RecoveredMember, Recovery};

use super::{CliContext, CliResult, SharedOptions, Verb, ask_user, note, print_line};
use crate::{
    screen::{Style, clean_line},
    settings::user_dirs,
};

/// Put a team together whose journal is lost
///
/// The journal says who is in the team and what is on the board. It is kept twice; if it is lost in both places, this
/// shows what can be put together from members' conversations, their mail and the views, and does so after a yes.
/// Members are idle then. Requests, permissions, budgets, jobs and schedules are void. What is replaced is kept with
/// the ending .lost.
#[derive(Args)]
pub(crate) struct Recover {
    /// Do so without asking
    #[arg(long)]
    yes: bool,
}

impl Verb for Recover {
    const SHARED: SharedOptions = SharedOptions::OfPlace(&[]);

    async fn run(self, place: &CliContext) -> CliResult {
        let read_max = place.options.read_max()?;
        let recovery = match Recovery::look(place.team(), &user_dirs(), read_max).await? {
            Recoverable::Team(recovery) => recovery,
            Recoverable::Nothing(put_back) => {
                if let Some(put_back) = put_back {
                    note(&put_back);
                }
                print_line(
                    "There is nothing to recover: the team's journal is there. `teammate team` shows it.",
                );
                return Ok(ExitCode::SUCCESS);
            }
        };
        show(&recovery);
        let question = "Put the team together from this? [y/N] ";
        if !self.yes && !ask_user(question, "teammate recover --yes")? {
            print_line("Nothing was changed.");
            return Ok(ExitCode::SUCCESS);
        }
        recovery.adopt().await?;
        print_line(
            "The team is there again. Continue with `teammate resume`, or give it a job with `teammate run \"...\"`.",
        );
        Ok(ExitCode::SUCCESS)
    }
}

fn show(recovery: &Recovery) {
    print_line("The team's journal is lost. This can be put together from what is there:");
    list("Members", recovery.members().iter().map(member));
    let tasks = recovery.tasks().iter();
    list(
        "Tasks, not assigned, numbered anew",
        tasks.map(|task| format!("{} {}", task.id, task.subject)),
    );
    list("Left out", recovery.left_out().iter().cloned());
    print_line("\nKept: members, their conversations and unread mail; all are idle.");
    print_line(
        "Void: open requests, permissions and approvals of plans, checks of tasks, budgets and what was spent, jobs, schedules.\n",
    );
}

fn member(member: &RecoveredMember) -> String {
    let role = match member.role.as_str() {
        "" => String::new(),
        role => format!(" ({role})"),
    };
    let stopped = if member.is_stopped { ", stopped" } else { "" };
    format!("{}{role}{stopped}: {} entries", member.name, member.entries)
}

/// A list with a heading; nothing if it is empty.
fn list(heading: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        print_line(format!("\n{}", Style::for_stdout().bold(heading)));
    }
    for line in lines {
        print_line(format!("  {}", clean_line(&line)));
    }
}
