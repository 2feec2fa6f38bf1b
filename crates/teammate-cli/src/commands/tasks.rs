//! `teammate tasks`: the task board, from any terminal, whether the team runs or not.

mod verb;

use std::io::IsTerminal as _;

use clap::Args;
use serde_json::{Value, json};
use teammate::{
    Outside, TaskLine, TaskReport,
    board::{TaskAsk, TaskId},
    json::task_json,
    platform::{now, terminal_width},
};

pub(crate) use self::verb::{Verb, Want};
use super::{Ended, Place, note, say, say_json};
use crate::screen::{Style, board_lines, report_lines, task_line};

/// Show the task board, or put a task on it, assign one, reopen one, ...
#[derive(Args)]
pub(crate) struct Tasks {
    #[command(subcommand)]
    verb: Option<Verb>,

    /// Deleted ones, too
    #[arg(long)]
    all: bool,

    /// As JSON
    #[arg(long, global = true)]
    json: bool,
}

impl Tasks {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let mut outside = place.look().await?;
        let want = match self.verb {
            None => {
                list(&outside, self.all, self.json);
                return Ok(std::process::ExitCode::SUCCESS);
            }
            Some(verb) => verb.wants(|name| outside.member(name))?,
        };
        match want {
            Want::See(id) => see(&outside, &outside.task(id).await?, self.json),
            Want::Ask(ask) => {
                let completes = matches!(ask, TaskAsk::Complete(..));
                let line = outside.ask_board(ask).await?;
                tell(&outside, &line, self.json);
                // The person's word is final, but what it leaves behind is said.
                if completes {
                    let files = outside.uncommitted(line.task.id).await;
                    left_behind(line.task.id, &files)
                        .iter()
                        .for_each(|text| note(text));
                }
            }
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

fn list(outside: &Outside, all: bool, as_json: bool) {
    let lines = if all {
        outside.all_tasks()
    } else {
        outside.tasks()
    };
    if as_json {
        let progress = outside.board().progress();
        return say_json(&json!({
            "team_name": outside.team().name(),
            "runs_in": outside.runs_in(),
            "progress": {
                "pending": progress.pending, "in_progress": progress.in_progress,
                "completed": progress.completed, "failed": progress.failed,
            },
            "tasks": lines.iter().map(as_value).collect::<Vec<_>>(),
        }));
    }
    let stdout = std::io::stdout();
    let width = stdout
        .is_terminal()
        .then(|| terminal_width(&stdout))
        .flatten();
    for line in board_lines(outside.board(), &lines, Style::for_stdout(), width) {
        say(line);
    }
}

fn see(outside: &Outside, report: &TaskReport, as_json: bool) {
    if !as_json {
        for line in report_lines(report, outside.board(), Style::for_stdout(), now()) {
            say(line);
        }
        return;
    }
    let mut value = task_json(&report.task);
    value["outlook"] = report.outlook.as_str().into();
    value["remark"] = report.task.remark.as_str().into();
    let history = report.history.iter();
    value["history"] = history
        .map(|(at, what)| json!({ "at": at.as_seconds(), "what": what }))
        .collect();
    say_json(&value);
}

fn tell(outside: &Outside, line: &TaskLine, as_json: bool) {
    if as_json {
        return say_json(&as_value(line));
    }
    say(task_line(line));
    if outside.runs_in().is_none() {
        say("The team does not run; it takes this up when it is opened: `teammate resume`");
    }
}

/// Files that stay in the worktree of a completed task because nobody has committed them.
pub(crate) fn left_behind(id: TaskId, files: &[String]) -> Option<String> {
    let number = id.number();
    (!files.is_empty()).then(|| {
        format!(
            "not committed in .team/worktrees/task-{number}, so a merge leaves it out: {}",
            files.join(", ")
        )
    })
}

fn as_value(line: &TaskLine) -> Value {
    let mut value = task_json(&line.task);
    value["outlook"] = line.outlook.as_str().into();
    value
}
