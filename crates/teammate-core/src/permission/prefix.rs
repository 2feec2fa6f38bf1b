//! The prefix of a command that an "always" may offer: a program and a subcommand behind which more words only say on what,
//! and how. The table is a list of what is harmless, so a program that is not in it has no prefix.
//!
//! Not in it, on purpose: what runs its arguments (shells, interpreters, `sudo`, `env`, `xargs`, `cargo run`, `go run`); what
//! does one thing for each word (`make`, `gradle`, `mvn`), since the rule would cover other things; what throws work away or
//! sends it elsewhere (`git checkout`, `git push`); what brings programs (`cargo install`, `npm install`, `pip`).

use super::{Script, ShellCommand, Word};

/// A program, and its subcommands.
const PREFIXES: &[(&str, &[&str])] = &[
    (
        "cargo",
        &[
            "bench", "build", "check", "clippy", "fmt", "metadata", "test", "tree",
        ],
    ),
    (
        "git",
        &[
            "add",
            "blame",
            "commit",
            "describe",
            "diff",
            "grep",
            "log",
            "ls-files",
            "ls-tree",
            "rev-list",
            "rev-parse",
            "show",
            "status",
        ],
    ),
    ("go", &["build", "fmt", "list", "test", "vet"]),
    ("npm", SCRIPTS),
    ("pnpm", SCRIPTS),
    ("yarn", SCRIPTS),
];

/// Scripts of a package whose names say what they do.
const SCRIPTS: &[&str] = &[
    "test",
    "run build",
    "run check",
    "run format",
    "run lint",
    "run test",
    "run typecheck",
];

/// Signs that the shell reads as something else than words: chains, pipes, redirections, substitutions, patterns. The parser
/// knows better where they are only text; a prefix can do without those lines.
const SIGNS: [char; 18] = [
    ';', '&', '|', '<', '>', '$', '`', '\\', '(', ')', '{', '}', '[', ']', '*', '?', '\n', '\r',
];

/// The program and subcommand of a line that is one simple command; the words behind them can be others.
pub(super) fn of_command(command: &ShellCommand) -> Option<String> {
    let Script::Parsed {
        commands,
        files,
        inputs,
        texts,
        doubt: None,
    } = &command.script
    else {
        return None;
    };
    let ([words], [], [], []) = (&commands[..], &files[..], &inputs[..], &texts[..]) else {
        return None;
    };
    if command.text.contains(SIGNS) {
        return None;
    }
    let words: Vec<&str> = words.iter().map(Word::known).collect::<Option<_>>()?;
    // As they are written, too: nothing is quoted or put together.
    let written: Vec<&str> = command.text.split_whitespace().collect();
    let (program, subcommands) = PREFIXES
        .iter()
        .find(|(program, _)| words.first() == Some(program))?;
    subcommands
        .iter()
        .map(|subcommand| format!("{program} {subcommand}"))
        .find(|prefix| {
            let prefix: Vec<&str> = prefix.split(' ').collect();
            words.starts_with(&prefix) && written.starts_with(&prefix)
        })
}
