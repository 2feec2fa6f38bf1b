//! Whether a deny rule catches a shell command: it does if any part of it may be meant.
//!
//! Programs are compared by the last part of their path, through `sudo`, `env`, `xargs` and their like, and in the text
//! that a shell is given; in text that could not be read, by its looks. It does not know what variables hold
//! nor what scripts do.

use super::{
    Script, ShellCommand, Word,
    cover::words_of,
    indirect::{base_name, is_indirect},
};

/// Options of git itself, before its command, that take a value.
const GIT_VALUES: [&str; 6] = [
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--config-env",
];

/// What can stand between two commands.
const SEPARATORS: [char; 9] = [';', '|', '&', '\n', '(', ')', '{', '}', '`'];

/// Words after which a command comes.
const KEYWORDS: [&str; 8] = ["!", "do", "elif", "else", "if", "then", "until", "while"];

/// Whether `pattern`, of a deny rule, catches the command.
pub(super) fn catches(pattern: &str, command: &ShellCommand) -> bool {
    pattern == command.text.trim()
        || match &command.script {
            Script::NotUnderstood { .. } => in_text(pattern, &command.text),
            Script::Understood { commands, .. } => commands
                .iter()
                .any(|words| in_command(pattern, words) || in_scripts(pattern, words)),
        }
}

/// A command, and those that it may run with its own arguments.
fn in_command(pattern: &str, words: &[Word]) -> bool {
    let last = if may_run_arguments(words) {
        words.len()
    } else {
        1
    };
    (0..last).any(|from| is_meant(pattern, &words[from..]))
}

/// What a shell or its like is given as one word is a script.
fn in_scripts(pattern: &str, words: &[Word]) -> bool {
    may_run_arguments(words)
        && words
            .iter()
            .filter_map(Word::known)
            .any(|word| word.contains(char::is_whitespace) && in_text(pattern, word))
}

fn may_run_arguments(words: &[Word]) -> bool {
    match words.first() {
        None => false,
        Some(Word::Unknown) => true,
        Some(Word::Known(_)) => {
            is_indirect(&words.iter().filter_map(Word::known).collect::<Vec<_>>())
        }
    }
}

/// Looks at text that is not understood, as if there were neither quotes nor variables.
fn in_text(pattern: &str, text: &str) -> bool {
    let text = text.replace("\\\n", "").replace('\r', "\n");
    text.split(SEPARATORS).any(|part| {
        let part = part.replace(['\'', '"', '\\'], "");
        let words: Vec<Word> = part
            .split_whitespace()
            .skip_while(|word| is_assignment(word) || KEYWORDS.contains(word))
            .map(|word| Word::Known(word.to_owned()))
            .collect();
        // Behind a redirection a command may go on, or begin.
        let last = if part.contains(['<', '>']) {
            words.len()
        } else {
            1
        };
        (0..last).any(|from| in_command(pattern, words.get(from..).unwrap_or_default()))
    })
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_+".contains(c);
        !name.is_empty() && name.chars().all(is_name)
    })
}

/// Whether these words may be what the pattern says. The program must be known, of the rest an unknown word may be any.
fn is_meant(pattern: &str, words: &[Word]) -> bool {
    let (wanted, has_more) = words_of(pattern);
    if wanted.is_empty() {
        return true;
    }
    let (Some((program, wanted)), Some((Word::Known(given), arguments))) =
        (wanted.split_first(), words.split_first())
    else {
        return false;
    };
    if !base_name(program).eq_ignore_ascii_case(base_name(given)) {
        return false;
    }
    let begins = |arguments: &[Word]| {
        let is_unsure = arguments.contains(&Word::Unknown);
        let meets = wanted
            .iter()
            .zip(arguments)
            .all(|(wanted, word)| word.known().is_none_or(|word| word == *wanted));
        meets
            && (wanted.len() == arguments.len()
                || is_unsure
                || (has_more && wanted.len() < arguments.len()))
    };
    begins(arguments) || (base_name(given) == "git" && begins(after_git_options(arguments)))
}

fn after_git_options(mut arguments: &[Word]) -> &[Word] {
    while let Some((first, rest)) = arguments.split_first() {
        match first.known() {
            Some(option) if GIT_VALUES.contains(&option) => {
                arguments = rest.get(1..).unwrap_or_default();
            }
            Some(option) if option.starts_with('-') => arguments = rest,
            Some(_) | None => break,
        }
    }
    arguments
}
