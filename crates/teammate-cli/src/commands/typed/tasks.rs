//! `/tasks`: the subcommands of `teammate tasks`.

use clap::Parser;
use teammate::{TeamHandle, board::TaskAction, handle::ActOnTask, platform::now};

use super::{TypedCall, TypedCommand, in_lines, words::split};
use crate::{
    commands::tasks::{TasksCommand, TasksRequest, left_behind},
    screen::{board_lines, clean, report_lines, task_line},
};

pub(super) const TASKS: TypedCommand = TypedCommand {
    word: "/tasks",
    usage: "[WORD]",
    about: "the task board; show, add, assign, reopen, ... (/tasks help)",
    run: |call| in_lines(run(call)),
};

/// The task board: without a subcommand, all of it.
#[derive(Parser)]
#[command(name = "/tasks", no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(subcommand)]
    verb: Option<TasksCommand>,
}

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let style = call.style;
    let Some(verb) = Words::try_parse_from(split(call.words)?)?.verb else {
        let tasks = call.team.tasks().await?;
        return Ok(board_lines(call.state.board(), &tasks, style, call.width).join("\n"));
    };
    let lines = match verb.into_request(|name| call.member(name))? {
        TasksRequest::See(id) => {
            let report = call.team.task(id).await?;
            report_lines(&report, call.state.board(), style, now())
        }
        TasksRequest::Ask(ask) => act(call.team, ask).await?,
    };
    Ok(lines.join("\n"))
}

async fn act(team: &TeamHandle, ask: TaskAction) -> anyhow::Result<Vec<String>> {
    let completes = matches!(ask, TaskAction::Complete(..));
    let line = team.ask(ActOnTask(ask)).await?;
    let mut lines = vec![task_line(&line)];
    if completes {
        let id = line.task.id;
        let files = team.uncommitted(id).await?;
        lines.extend(left_behind(id, &files).map(|text| clean(&text).into_owned()));
    }
    Ok(lines)
}
