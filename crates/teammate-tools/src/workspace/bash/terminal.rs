//! The wishes of a command for a person at a terminal, in words for the member: seen in its processes or in what it printed,
//! and what helps. Nothing here decides how the command ends.

use std::collections::BTreeSet;
use teammate_process::{WaitingProcess, WaitsFor};

/// How much of the end of what was printed is looked at, in bytes.
const END_BYTES: usize = 2000;
/// How many processes are named.
const NAMED_MAX: usize = 4;

/// Messages of programs that found no terminal or an empty input, in small letters.
const MISSED: &[&str] = &[
    "empty commit message",
    "eof when reading a line",
    "terminal prompts disabled",
    "unable to read askpass response",
    "not a tty",
    "not a terminal",
    "no tty present",
    "terminal is required",
    "interactive terminal",
    "inappropriate ioctl for device",
    "/dev/tty",
    "error opening terminal",
];

/// Questions with the answers they take, in small letters, wherever they stand in the last line.
const CHOICES: &[&str] = &[
    "[y/n]",
    "(y/n)",
    "(yes/no)",
    "[yes/no]",
    "(yes/no/[fingerprint])",
];

/// The ways to answer for a person, by program.
const INSTEAD: &[(&[&str], &str)] = &[
    (
        &["git"],
        "git takes a message by `-m` or `-F` and keeps the one there is with `--no-edit`",
    ),
    (&["apt", "apt-get", "dnf", "yum", "zypper"], "`-y` says yes"),
    (&["pacman"], "`--noconfirm` says yes"),
    (&["npm", "pnpm", "yarn", "npx"], "`-y` takes the defaults"),
    (&["pip", "pip3"], "`-y` says yes, `--no-input` asks nothing"),
    (&["ssh", "scp", "sftp"], "`-o BatchMode=yes` asks nothing"),
    (&["docker", "podman", "kubectl"], "leave `-t` out"),
    (&["rm", "cp", "mv", "ln"], "`-f` asks nothing"),
    (
        &["gh"],
        "it takes answers by flags such as `--title`, `--body`, `--yes`",
    ),
    (
        &["terraform", "tofu"],
        "`-input=false` asks nothing, `-auto-approve` says yes",
    ),
    (
        &["vi", "vim", "nvim", "view", "nano", "emacs", "ed", "ex"],
        "change files with the file tools",
    ),
    (&["less", "more", "most", "man"], "`cat` prints all of it"),
];

/// The advice where no program is known.
const ANY: &str =
    "give answers by flags (`-y`, `-m`, `--no-edit`) or by a pipe (`printf 'y\\n' | program`)";

/// Lines on processes that waited for what nobody gives them; empty if there are none.
pub(super) fn waited(waiting: &[WaitingProcess], script: &str) -> String {
    let mut seen = BTreeSet::new();
    let mut text = String::new();
    for WaitingProcess {
        program, waits_for, ..
    } in waiting
        .iter()
        .filter(|it| seen.insert(&it.program))
        .take(NAMED_MAX)
    {
        let line = match waits_for {
            WaitsFor::OwnErrors => format!(
                "[{program} waited for a person at a terminal. Commands have no terminal and an empty input: {}.]\n",
                instead([&**program]).unwrap_or(ANY)
            ),
            WaitsFor::Terminal => format!(
                "[{program} waited for input from a terminal that the command made, where nobody sits: {}.]\n",
                instead([&**program]).unwrap_or_else(|| advice(script))
            ),
            WaitsFor::NamedPipe => format!(
                "[{program} waited for another program to open the other side of a named pipe.]\n"
            ),
            WaitsFor::FileLock => {
                format!("[{program} waited for a lock on a file, which another process holds.]\n")
            }
        };
        text.push_str(&line);
    }
    text
}

/// A line where what a command printed ends with a question, or says that there was nobody to ask; empty if it does not.
pub(super) fn asked(printed: &str, has_failed: bool, script: &str) -> String {
    let end = printed.len().saturating_sub(END_BYTES);
    let end = printed
        .get(printed.ceil_char_boundary(end)..)
        .unwrap_or_default();
    let end = end.to_lowercase();
    let is_missed = has_failed && MISSED.iter().any(|words| end.contains(words));
    if !is_missed && !ends_with_question(&end, has_failed) {
        return String::new();
    }
    let advice = advice(script);
    format!(
        "[It asked, and nobody could answer: commands have no terminal and an empty input; {advice}.]\n"
    )
}

/// Whether a text ends in the midst of a line that asks. Some ask so and do not mind the missing answer.
fn ends_with_question(end: &str, has_failed: bool) -> bool {
    let last = end.trim_end().lines().next_back().unwrap_or_default();
    let is_open = !end.ends_with('\n') && last.ends_with(['?', ':']);
    CHOICES.iter().any(|choice| last.contains(choice)) || (has_failed && is_open)
}

fn advice(script: &str) -> &'static str {
    let is_part = |c: char| c.is_alphanumeric() || "._-/".contains(c);
    let words = script.split(|c: char| !is_part(c));
    instead(words.map(|word| word.rsplit('/').next().unwrap_or(word))).unwrap_or(ANY)
}

fn instead<'a>(programs: impl IntoIterator<Item = &'a str>) -> Option<&'static str> {
    let known = |program| {
        let found = INSTEAD.iter().find(|(names, _)| names.contains(&program));
        found.map(|(_, what)| *what)
    };
    programs.into_iter().find_map(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_without_an_answer_is_named_with_the_flag_that_answers_it() {
        for (script, printed, has_failed, wanted) in [
            (
                "git commit",
                "Aborting commit due to empty commit message.\n",
                true,
                Some("`-m`"),
            ),
            (
                "apt-get install x",
                "Do you want to continue? [Y/n] Abort.\n",
                true,
                Some("`-y`"),
            ),
            (
                "rm -i a",
                "rm: remove regular file 'a'? ",
                true,
                Some("`-f`"),
            ),
            ("./setup", "Name: ", true, Some("by a pipe")),
            ("./setup", "Name: ", false, None),
            ("yes-no", "Go on (yes/no)", false, Some("by a pipe")),
            ("make", "error: not found:\n", true, None),
            ("git status", "nothing to commit\n", false, None),
            // It has not failed of that.
            ("tty", "not a tty\n", false, None),
        ] {
            let text = asked(printed, has_failed, script);
            match wanted {
                Some(words) => assert!(text.contains(words), "{script}: {text}"),
                None => assert_eq!(text, "", "{script}"),
            }
        }
    }

    #[test]
    fn only_the_end_of_what_was_printed_counts() {
        let printed = format!("not a tty\n{}", "ä".repeat(END_BYTES));
        assert_eq!(asked(&printed, true, "x"), "");
    }
}
