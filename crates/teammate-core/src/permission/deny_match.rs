//! Whether a deny rule catches a shell command: it does if any part of it may be meant.
//!
//! Programs are compared by the last part of their path, through `sudo`, `env`, `xargs` and their like, in the text that a
//! shell is given, and by the looks of what only the shell will expand; in text that could not be read, by its looks
//! alone. It does not know what variables hold nor what scripts do.

use super::{
    Script, ShellCommand, Word,
    programs::{Clarity, base_name, clarity, git_options, reads_commands},
};
use crate::permission::word::words_of;

mod looks;

/// Characters that can stand between two commands.
const SEPARATORS: [char; 7] = [';', '|', '&', '\n', '(', ')', '`'];

/// Words after which a command comes.
const KEYWORDS: [&str; 10] = [
    "!", "do", "elif", "else", "if", "then", "until", "while", "{", "}",
];

/// Whether `pattern`, of a deny rule, catches the command.
pub(super) fn deny_matches(pattern: &str, command: &ShellCommand) -> bool {
    pattern == command.text.trim()
        || match &command.script {
            Script::Unparsed { .. } => in_text(pattern, &command.text),
            Script::Parsed {
                commands, texts, ..
            } => in_commands(pattern, commands, texts),
        }
}

fn in_commands(pattern: &str, commands: &[Vec<Word>], texts: &[String]) -> bool {
    // A shell that reads its commands may read what any of the others prints.
    let is_read = commands.iter().any(|words| reads_commands(&known(words)));
    let runs = |words: &Vec<Word>| is_read || may_run_arguments(words);
    commands
        .iter()
        .any(|words| in_command(pattern, words, runs(words)))
        || (commands.iter().any(runs) && texts.iter().any(|text| in_text(pattern, text)))
}

/// A command and, if it may run its own arguments, those.
fn in_command(pattern: &str, words: &[Word], runs_arguments: bool) -> bool {
    let words = looks::spread(words);
    if !runs_arguments {
        return could_match(pattern, &words);
    }
    (0..words.len()).any(|from| could_match(pattern, &words[from..]))
        || words
            .iter()
            .flat_map(scripts_in)
            .any(|script| in_text(pattern, script))
}

fn may_run_arguments(words: &[Word]) -> bool {
    match words.first() {
        None => false,
        Some(Word::Unknown(_)) => true,
        Some(Word::Known(_)) => clarity(&known(words)) == Clarity::RunsArguments,
    }
}

fn known(words: &[Word]) -> Vec<&str> {
    words.iter().filter_map(Word::known).collect()
}

/// A command given to a shell (or similar) in one word: `'touch x'`, `-Stouch x`, `--to-command=touch`,
/// `alias.x=!touch`.
fn scripts_in(word: &Word) -> impl Iterator<Item = &str> {
    let (Word::Known(text) | Word::Unknown(text)) = word;
    let whole = text.contains(char::is_whitespace).then_some(text.as_str());
    let value = match text.split_once('=') {
        Some((name, value)) if name.starts_with("--") || name.contains('.') => Some(value),
        Some(_) | None if text.starts_with('-') => text.get(2..),
        Some(_) | None => None,
    };
    // `env -iS`, where the letter comes later.
    let split = text.strip_prefix('-').and_then(|text| text.split_once('S'));
    let value = value.map(|value| value.trim_start_matches('!'));
    whole
        .into_iter()
        .chain(value)
        .chain(split.map(|(_, script)| script))
}

/// Looks at text that is not understood, as if there were no quotes.
fn in_text(pattern: &str, text: &str) -> bool {
    let text = text
        .replace("\\\n", "")
        .replace('\r', "\n")
        .replace(">&", ">")
        .replace("<&", "<")
        .replace("&>", ">");
    text.split(SEPARATORS).any(|part| {
        let part = looks::without_quotes(part)
            .replace('<', " < ")
            .replace('>', " > ");
        let words: Vec<Word> = part
            .split_whitespace()
            .skip_while(|word| is_assignment(word) || KEYWORDS.contains(word))
            .map(looks::word)
            .collect();
        // Behind a redirection a command may go on, or begin.
        let is_redirected = part.contains(['<', '>']);
        let runs_arguments = is_redirected || may_run_arguments(&words);
        in_command(pattern, &words, runs_arguments)
    })
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_+".contains(c);
        !name.is_empty() && name.chars().all(is_name)
    })
}

/// Whether these words may be what the pattern says. The program must be in sight, of the rest an unknown word may be any.
fn could_match(pattern: &str, words: &[Word]) -> bool {
    let (wanted, has_more) = words_of(pattern);
    if wanted.is_empty() {
        return true;
    }
    let (Some((program, wanted)), Some((given, arguments))) =
        (wanted.split_first(), words.split_first())
    else {
        return false;
    };
    let program = base_name(program);
    let is_program = match given {
        Word::Known(given) => program.eq_ignore_ascii_case(base_name(given)),
        Word::Unknown(written) => looks::may_be(written, program),
    };
    let begins = |arguments: &[Word]| {
        let is_unsure = arguments.iter().any(|word| word.known().is_none());
        let meets = wanted
            .iter()
            .zip(arguments)
            .all(|(wanted, word)| word.known().is_none_or(|word| word == *wanted));
        meets
            && (wanted.len() == arguments.len()
                || is_unsure
                || (has_more && wanted.len() < arguments.len()))
    };
    is_program
        && (begins(arguments)
            || (program.eq_ignore_ascii_case("git") && begins(after_git_options(arguments))))
}

fn after_git_options(arguments: &[Word]) -> &[Word] {
    let written: Vec<&str> = arguments
        .iter()
        .map(|word| word.known().unwrap_or_default())
        .collect();
    &arguments[git_options(&written)..]
}
