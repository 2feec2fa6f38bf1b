//! Whether allow rules cover a shell command: a chain is as allowed as its least allowed part.

use super::{
    Rule, Script, ShellCommand, Word,
    programs::{Clarity, base_name, clarity},
    word::words_of,
};

/// Whether each command in it is covered by one of `rules`, and it does nothing besides.
pub(super) fn allow_matches(rules: &[&Rule], command: &ShellCommand) -> bool {
    let Script::Parsed {
        commands,
        files,
        inputs: _,
        texts: _,
        doubt: None,
    } = &command.script
    else {
        return false;
    };
    let Some(commands) = known(commands) else {
        return false;
    };
    let is_ruled = |words: &Vec<&str>| {
        clarity(words) == Clarity::Plain
            && rules
                .iter()
                .any(|rule| rule.words().is_some_and(|text| matches(text, words)))
    };
    // Harmless commands may accompany allowed ones; alone they need a rule like any other.
    commands.iter().any(is_ruled)
        && commands
            .iter()
            .all(|words| is_ruled(words) || is_harmless(words))
        && files.iter().all(Word::is_dev_null)
        && !runs_elsewhere(&commands)
}

fn known(commands: &[Vec<Word>]) -> Option<Vec<Vec<&str>>> {
    commands
        .iter()
        .map(|words| words.iter().map(Word::known).collect())
        .collect()
}

fn matches(pattern: &str, words: &[&str]) -> bool {
    let (wanted, has_more) = words_of(pattern);
    if has_more {
        words.starts_with(&wanted)
    } else {
        words == wanted
    }
}

/// Builtins that neither read nor write anything, and going to where one is.
fn is_harmless(words: &[&str]) -> bool {
    matches!(
        words,
        ["true" | "false" | ":" | "echo", ..] | ["pwd"] | ["cd", "."]
    )
}

/// Git takes programs to run from the repository it finds itself in, and a relative path is another file elsewhere: with
/// a rule for `cd`, too, where these run is part of what they do.
fn runs_elsewhere(commands: &[Vec<&str>]) -> bool {
    let moves = |words: &Vec<&str>| {
        matches!(words[..], ["cd" | "pushd" | "popd", ..]) && !is_harmless(words)
    };
    let minds = |words: &Vec<&str>| {
        words.first().is_some_and(|program| {
            base_name(program) == "git" || (program.contains('/') && !program.starts_with('/'))
        })
    };
    commands.iter().any(moves) && commands.iter().any(minds)
}
