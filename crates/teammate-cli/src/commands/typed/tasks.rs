//! `/tasks`: the subcommands of `teammate tasks`.

use anyhow::bail;
use clap::Parser;
use teammate::{TeamHandle, board::TaskAction, handle::ActOnTask, platform::now};

use super::{TypedCall, TypedCommand, in_lines};
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
    let Some(words) = words(call.words) else {
        bail!("A quotation mark is not closed");
    };
    let style = call.style;
    let Some(verb) = Words::try_parse_from(words)?.verb else {
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

/// Splits as a shell would: blanks part words, quotation marks keep them together. `None` if one is not closed.
fn words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            // Within a word it is an apostrophe.
            None if (c == '"' || c == '\'')
                && word.as_ref().is_none_or(|word| word.ends_with('=')) =>
            {
                word.get_or_insert_default();
                quote = Some(c);
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_as_people_expect() {
        let split = |text| words(text).map(|words| words.join("|"));
        assert_eq!(split(" show  #3 ").unwrap(), "show|#3");
        assert_eq!(split("add Don't stop").unwrap(), "add|Don't|stop");
        assert_eq!(
            split("add X --check \"cargo test -p 'a'\" --description='a b' ''").unwrap(),
            "add|X|--check|cargo test -p 'a'|--description=a b|"
        );
        assert_eq!(split("add \"not closed"), None);
    }
}
