//! Finds out which programs of the repository git in a command would run. It only reports.

use std::{collections::BTreeSet, path::PathBuf};

use teammate_core::{
    permission::{Script, Word},
    port::ToolContext,
};
use teammate_git::{Programs, ProgramsError, TrustedPrograms};
use teammate_process::git::for_members;

use crate::display::one_line;

/// The most names that are shown, and the most characters of each.
const NAMES_MAX: usize = 12;
const NAME_CHARS_MAX: usize = 80;
/// The most repositories that are looked at for one command.
const LOOKS_MAX: usize = 8;

/// Programs that run git if it is among their words.
const RUNNERS: [&str; 14] = [
    "builtin", "command", "doas", "env", "exec", "ionice", "nice", "nohup", "setsid", "stdbuf",
    "sudo", "time", "timeout", "xargs",
];

/// Names of untrusted programs that git in it would run; none if there is no git in it.
pub(super) fn untrusted(
    text: &str,
    script: &Script,
    trusted: &TrustedPrograms,
    context: &ToolContext,
) -> Vec<String> {
    let uses = uses(text, script);
    if uses.is_empty() {
        return Vec::new();
    }
    let environment = for_members(&context.environment);
    let root = context.workspace.root.clone();
    let places: Vec<PathBuf> = std::iter::once(root.clone())
        .chain(
            goes_to(script)
                .map(|dir| root.join(dir))
                .filter(|dir| dir.is_dir()),
        )
        .collect();
    let looks = places
        .iter()
        .flat_map(|dir| uses.iter().map(move |options| (dir, options)));
    let mut names = BTreeSet::new();
    for (dir, options) in looks.take(LOOKS_MAX) {
        match Programs::read_with(dir, &environment, options) {
            Ok(programs) => {
                let found = trusted.untrusted(programs);
                names.extend(
                    found
                        .iter()
                        .map(|program| one_line(&program.name, NAME_CHARS_MAX)),
                );
            }
            // Then git does not run either.
            Err(ProgramsError::NoGit(_)) => {}
            Err(why) => {
                names.insert(format!("its configuration, which is not known: {why}"));
            }
        }
    }
    let more = names.len().saturating_sub(NAMES_MAX);
    let mut told: Vec<String> = names.into_iter().take(NAMES_MAX).collect();
    if more > 0 {
        told.push(format!("{more} more"));
    }
    told
}

/// The remark for the user beside the command.
pub(super) fn remark(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    format!(
        "\n[git in this command runs what the repository brings: {}. The user has not trusted that.]",
        names.join(", ")
    )
}

/// For each use of git the options that say where its repository is.
fn uses<'a>(text: &str, script: &'a Script) -> BTreeSet<Vec<&'a str>> {
    match script {
        Script::Unparsed { .. } => {
            let is_of_a_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
            let mut words = text.split(|c| !is_of_a_word(c));
            words.any(is_git).then(Vec::new).into_iter().collect()
        }
        Script::Parsed { commands, .. } => {
            commands.iter().filter_map(|words| options(words)).collect()
        }
    }
}

/// None if it does not run git.
fn options(words: &[Word]) -> Option<Vec<&str>> {
    let (first, rest) = words.split_first()?;
    let first = base_name(first.known()?);
    if !is_git(first) {
        let mut rest = rest.iter().filter_map(Word::known);
        let runs_git = RUNNERS.contains(&first) && rest.any(|word| is_git(base_name(word)));
        return runs_git.then(Vec::new);
    }
    let mut options = Vec::new();
    let mut rest = rest.iter().map_while(Word::known);
    while let Some(word) = rest.next().filter(|word| word.starts_with('-')) {
        match word {
            "-C" | "--git-dir" | "--work-tree" => {
                options.push(word);
                options.extend(rest.next());
            }
            "-c" | "--namespace" | "--config-env" | "--attr-source" => {
                rest.next();
            }
            _ if word.starts_with("--git-dir=") || word.starts_with("--work-tree=") => {
                options.push(word);
            }
            "--bare" => options.push(word),
            _ => {}
        }
    }
    Some(options)
}

fn is_git(program: &str) -> bool {
    program == "git" || program.starts_with("git-")
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Where it changes to.
fn goes_to(script: &Script) -> impl Iterator<Item = &str> {
    let commands = match script {
        Script::Unparsed { .. } => &[][..],
        Script::Parsed { commands, .. } => commands,
    };
    commands.iter().filter_map(|words| match &words[..] {
        [Word::Known(program), Word::Known(dir)] if program == "cd" || program == "pushd" => {
            Some(&**dir)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{super::parse, *};

    fn read(text: &str) -> Vec<Vec<String>> {
        let script = parse::read(text, "/w");
        let uses = uses(text, &script);
        let owned = |options: Vec<&str>| options.into_iter().map(str::to_owned).collect();
        uses.into_iter().map(owned).collect()
    }

    #[test]
    fn git_is_seen_with_its_repository() {
        let none: &[&str] = &[];
        for (text, options) in [
            ("git status", none),
            ("/usr/bin/git -p log", none),
            ("git -c a.b=c -C sub status", &["-C", "sub"]),
            (
                "git --git-dir=x --work-tree y diff",
                &["--git-dir=x", "--work-tree", "y"],
            ),
            ("true && env X=1 git status", none),
            ("ls | xargs git add", none),
            ("git-lfs pull", none),
            ("if [[ a ]]; then git $X; fi", none),
        ] {
            assert_eq!(read(text), [options], "{text}");
        }
        for text in [
            "grep -rn git docs",
            "cargo test",
            "cat .gitignore",
            "echo a-git",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
        assert_eq!(read("git add . && git -C a status").len(), 2);
    }
}
