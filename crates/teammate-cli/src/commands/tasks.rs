//! `teammate tasks`: the task board, from any terminal, whether the team runs or not.

mod args;

use std::io::IsTerminal as _;

use clap::Args;
use serde_json::{Value, json};
use teammate::{
    TaskReport, TaskSummary, TeamClient,
    board::{TaskAction, TaskId},
    handle::ActOnTask,
    json::task_json,
    platform::{now, terminal_width},
};

pub(crate) use self::args::{TasksCommand, TasksRequest};
use super::{CliContext, CliResult, SharedOptions, Verb, note, print_json, print_line};
use crate::screen::{Style, board_lines, report_lines, task_line};

/// Show the task board, or change it: add, assign, reopen, complete, ...
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Tasks {
    #[command(subcommand)]
    verb: Option<TasksCommand>,

    /// Also show deleted tasks
    #[arg(long)]
    all: bool,

    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  teammate tasks add \"Write the parser\" --check \"cargo test -p parser\"
  teammate tasks add \"Document it\" --blocked-by 1
  teammate tasks assign 2 alice
  teammate tasks show 2";

impl Verb for Tasks {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        let want = match self.verb {
            None => {
                list(&client, self.all, self.json);
                return Ok(std::process::ExitCode::SUCCESS);
            }
            Some(verb) => verb.into_request(|name| client.member(name))?,
        };
        match want {
            TasksRequest::See(id) => print_report(&client, &client.task(id).await?, self.json),
            TasksRequest::Ask(ask) => {
                let completes = matches!(ask, TaskAction::Complete(..));
                let line = client.ask(ActOnTask(ask)).await?;
                print_task(&client, &line, self.json);
                // The user may complete a task with uncommitted files, but gets a note about them.
                if completes {
                    let files = client.uncommitted(line.task.id).await;
                    left_behind(line.task.id, &files)
                        .iter()
                        .for_each(|text| note(text));
                }
            }
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

fn list(client: &TeamClient, all: bool, as_json: bool) {
    let lines = if all {
        client.all_tasks()
    } else {
        client.tasks()
    };
    if as_json {
        let progress = client.board().progress();
        return print_json(&json!({
            "team_name": client.team().name(),
            "runs_in": client.host(),
            "progress": {
                "pending": progress.pending, "in_progress": progress.in_progress,
                "completed": progress.completed, "failed": progress.failed,
            },
            "tasks": lines.iter().map(summary_json).collect::<Vec<_>>(),
        }));
    }
    let stdout = std::io::stdout();
    let width = stdout
        .is_terminal()
        .then(|| terminal_width(&stdout))
        .flatten();
    for line in board_lines(client.board(), &lines, Style::for_stdout(), width) {
        print_line(line);
    }
}

fn print_report(client: &TeamClient, report: &TaskReport, as_json: bool) {
    if !as_json {
        for line in report_lines(report, client.board(), Style::for_stdout(), now()) {
            print_line(line);
        }
        return;
    }
    let mut value = task_json(&report.task);
    value["outlook"] = report.status_text.as_str().into();
    value["remark"] = report.task.last_failure.as_str().into();
    let history = report.history.iter();
    value["history"] = history
        .map(|(at, what)| json!({ "at": at.as_seconds(), "what": what }))
        .collect();
    print_json(&value);
}

fn print_task(client: &TeamClient, line: &TaskSummary, as_json: bool) {
    if as_json {
        return print_json(&summary_json(line));
    }
    print_line(task_line(line));
    if client.host().is_none() {
        print_line("Saved. The team is not running; it acts on this after `teammate resume`");
    }
}

/// Uncommitted files that stay in the worktree of a completed task.
pub(crate) fn left_behind(id: TaskId, files: &[String]) -> Option<String> {
    let number = id.number();
    (!files.is_empty()).then(|| {
        format!(
            "not committed in .team/worktrees/task-{number}, so a merge leaves it out: {}",
            files.join(", ")
        )
    })
}

fn summary_json(line: &TaskSummary) -> Value {
    let mut value = task_json(&line.task);
    value["outlook"] = line.status_text.as_str().into();
    value
}
