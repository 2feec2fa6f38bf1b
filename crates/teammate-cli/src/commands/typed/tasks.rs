//! `/tasks` at the prompt: the subcommands of `teammate tasks`, for the team that runs here.

use clap::Parser;
use teammate::{
    Team, TeamError,
    board::TaskAction,
    platform::{now, terminal_width},
};

use super::printer::Printer;
use crate::{
    commands::tasks::{TasksCommand, TasksRequest, left_behind},
    screen::{Style, board_lines, clean, report_lines, task_line},
};

/// The task board: without a subcommand, all of it.
#[derive(Parser)]
#[command(name = "/tasks", no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(subcommand)]
    verb: Option<TasksCommand>,
}

pub(super) async fn run(team: &Team, text: &str, print: &Printer) {
    let words = match words(text) {
        Some(words) => Words::try_parse_from(words),
        None => return print.answer("A quotation mark is not closed"),
    };
    match words {
        Ok(words) => match answer(team, words.verb).await {
            Ok(lines) => print.answer(&lines.join("\n")),
            Err(error) => print.answer(&clean(&error.to_string())),
        },
        Err(error) => print.answer(clean(&error.to_string()).trim_end()),
    }
}

async fn answer(team: &Team, verb: Option<TasksCommand>) -> Result<Vec<String>, TeamError> {
    let style = Style::for_stdout();
    let Some(verb) = verb else {
        let width = terminal_width(std::io::stdout());
        return Ok(board_lines(&team.board(), &team.tasks(), style, width));
    };
    match verb.into_request(|name| team.member(name))? {
        TasksRequest::See(id) => Ok(report_lines(
            &team.task(id).await?,
            &team.board(),
            style,
            now(),
        )),
        TasksRequest::Ask(ask) => {
            let completes = matches!(ask, TaskAction::Complete(..));
            let line = team.act_on_task(ask).await?;
            let mut lines = vec![task_line(&line)];
            if completes {
                let id = line.task.id;
                let left = left_behind(id, &team.uncommitted(id).await);
                lines.extend(left.map(|text| clean(&text).into_owned()));
            }
            Ok(lines)
        }
    }
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
