//! `tasks`: the task board, whether the team runs or not.

mod args;

use clap::Args;
use serde_json::{Value, json};
use teammate::{
    TaskReport, TaskSummary, TeamClient,
    board::{TaskAction, TaskId},
    handle::ActOnTask,
    json::task_json,
    platform::now,
};

use self::args::{TasksCommand, TasksRequest};
use super::verb::{TeamVerb, VerbCall, VerbOutput};
use crate::screen::{board_lines, report_lines, task_line};

/// Show the task board, or change it: add, assign, reopen, complete, ...
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Tasks {
    #[command(subcommand)]
    verb: Option<TasksCommand>,

    /// Also show deleted tasks
    #[arg(long)]
    all: bool,
}

const AFTER_HELP: &str = "\
Examples:
  teammate tasks add \"Write the parser\" --check \"cargo test -p parser\"
  teammate tasks add \"Document it\" --blocked-by 1
  teammate tasks assign 2 alice
  teammate tasks show 2";

impl TeamVerb for Tasks {
    const WORD: &str = "/tasks";
    const USAGE: &str = "[WORD]";
    const ABOUT: &str = "the task board; show, add, assign, reopen, ... (/tasks help)";

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let want = match self.verb {
            None => return list(&*call.team.look().await?, self.all, call),
            Some(verb) => verb.into_request(|name| call.member(name))?,
        };
        match want {
            TasksRequest::See(id) => {
                let look = call.team.look().await?;
                let report = look.task(id).await?;
                let lines = report_lines(&report, look.board(), call.style, now());
                VerbOutput::of(report_json(&report), lines)
            }
            TasksRequest::Ask(ask) => act(ask, call).await,
        }
    }
}

fn list(client: &TeamClient, all: bool, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
    let tasks = match all {
        true => client.all_tasks(),
        false => client.tasks(),
    };
    let progress = client.board().progress();
    let json = json!({
        "team_name": client.team().name(),
        "runs_in": client.host(),
        "progress": {
            "pending": progress.pending, "in_progress": progress.in_progress,
            "completed": progress.completed, "failed": progress.failed,
        },
        "tasks": tasks.iter().map(summary_json).collect::<Vec<_>>(),
    });
    let lines = board_lines(client.board(), &tasks, call.style, call.width);
    VerbOutput::of(json, lines)
}

async fn act(ask: TaskAction, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
    let completes = matches!(ask, TaskAction::Complete(..));
    let task = call.team.ask(ActOnTask(ask)).await?;
    let mut lines = vec![task_line(&task)];
    lines.extend(call.if_saved().await);
    let mut output = VerbOutput::of(summary_json(&task), lines)?;
    // The user may complete a task with uncommitted files, but gets a note about them.
    if completes && let Ok(look) = call.team.look().await {
        let id = task.task.id;
        let files = look.uncommitted(id).await;
        output.notes.extend(left_behind(id, &files));
    }
    Ok(output)
}

/// Uncommitted files that stay in the worktree of a completed task.
fn left_behind(id: TaskId, files: &[String]) -> Option<String> {
    let number = id.number();
    (!files.is_empty()).then(|| {
        format!(
            "not committed in .team/worktrees/task-{number}, so a merge leaves it out: {}",
            files.join(", ")
        )
    })
}

fn report_json(report: &TaskReport) -> Value {
    let mut value = task_json(&report.task);
    value["outlook"] = report.status_text.as_str().into();
    value["remark"] = report.task.last_failure.as_str().into();
    let history = report.history.iter();
    value["history"] = history
        .map(|(at, what)| json!({ "at": at.as_seconds(), "what": what }))
        .collect();
    value
}

fn summary_json(line: &TaskSummary) -> Value {
    let mut value = task_json(&line.task);
    value["outlook"] = line.status_text.as_str().into();
    value
}
