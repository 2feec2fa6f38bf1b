//! `/help`: every command of the prompt, from the one table, and those that people wrote down.

use super::{COMMANDS, QUIT, TypedCall, TypedCommand, custom, in_lines};
use teammate_view::t;

use crate::screen::fit;

pub(super) const HELP: TypedCommand = TypedCommand {
    word: "/help",
    usage: "",
    about: "this; ? alone does the same",
    run: |call| in_lines(run(call)),
};

/// Before the commands.
const WORDS: [(&str, &str); 3] = [
    ("TEXT", "send TEXT to the lead"),
    ("@NAME TEXT", "send TEXT to a teammate"),
    (
        "... @FILE ...",
        "show a picture or PDF with the text; @\"a b.png\" with blanks",
    ),
];

/// After them.
const REST: [(&str, &str); 5] = [
    (
        "y, a, p, t, n",
        "answer the question on the screen: yes, always, always for its\n\
         prefix or its tool where that is offered, no",
    ),
    (
        "!COMMAND",
        "run COMMAND yourself, outside of the sandbox; no member sees it",
    ),
    (QUIT, "leave; unfinished turns go on next time"),
    (
        "Alt-Enter",
        "begins a new line, as Ctrl-J and \\ before Enter; Tab completes,\n\
         Ctrl-R searches what was typed before",
    ),
    (
        "Ctrl-C",
        "clears the line; on an empty one it interrupts all turns, and\n\
         twice within 2 s leaves: turns go on next time",
    ),
];

/// Where what a command does begins.
const COLUMN: usize = 17;

/// The columns of a terminal.
const WIDTH: usize = 80;

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let custom = custom::rows(call.team.workspace());
    Ok(help(&custom))
}

/// The rows, with those of commands that people wrote down.
fn help(custom: &[(String, String)]) -> String {
    let usage = |command: &TypedCommand| format!("{} {}", command.word, command.usage);
    let own = WORDS.map(|(word, about)| row(word, t(about)));
    let commands = COMMANDS.iter();
    let commands = commands.map(|command| row(usage(command).trim_end(), t(command.about)));
    let custom = custom.iter();
    let custom = custom.map(|(word, about)| row(word, &fit(about, Some(WIDTH - COLUMN))));
    let rest = REST.map(|(word, about)| row(word, t(about)));
    let own = own.into_iter().chain(commands).chain(custom);
    let rows: Vec<String> = own.chain(rest).collect();
    rows.join("\n")
}

fn row(word: &str, about: &str) -> String {
    let about = about.replace('\n', &format!("\n{}", " ".repeat(COLUMN)));
    if word.len() + 4 > COLUMN {
        return format!("  {word}\n{}{about}", " ".repeat(COLUMN));
    }
    format!("  {word:<width$}{about}", width = COLUMN - 2)
}

/// The line of the help about a command.
pub(super) fn about(word: &str) -> &'static str {
    let command = COMMANDS.iter().find(|command| command.word == word);
    let quit = REST.iter().find(|(known, _)| *known == word);
    let about = command.map(|command| command.about);
    t(about.or(quit.map(|(_, about)| *about)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, help};

    #[test]
    fn every_row_fits_a_terminal() {
        let custom = ("/review".to_owned(), "long ".repeat(50));
        for line in help(&[custom]).lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }
}
