//! Only the sandbox starts processes. Clippy refuses it elsewhere; the tests of other crates expect its warning, so the rule cannot be lost.

use std::{fs, path::Path};

use crate::tree::{files, root};

#[test]
fn the_ways_to_start_a_process_are_refused_by_clippy() {
    let rules = fs::read_to_string(root().join("clippy.toml")).unwrap();
    for way in [
        "std::process::Command::new",
        "std::os::unix::process::CommandExt::exec",
        "tokio::process::Command::new",
        "libc::fork",
        "libc::execve",
        "libc::posix_spawn",
        "teammate_sandbox::UserCommand::typed",
        "teammate_sandbox::UserCommand::configured",
    ] {
        assert!(rules.contains(&format!("path = \"{way}\"")), "{way}");
    }
}

#[test]
fn only_the_sandbox_and_what_is_not_shipped_is_without_that_rule() {
    let mut without = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        if entry.path().join("clippy.toml").exists() {
            without.push(entry.file_name().into_string().unwrap());
        }
    }
    without.sort();
    assert_eq!(without, ["teammate-sandbox", "teammate-testkit"]);
}

/// The files that lift it, with the one thing that each makes: a line that the user typed, at either prompt, or their editor or
/// pager; this program itself, in the background; and a line of the user's configuration, that prints a key, or that
/// alerts them to what needs them.
const LIFTED: [(&str, &str); 9] = [
    // The agent of plays, which runs within the walls.
    (
        "crates/teammate-protocols/src/acp/play_agent/children.rs",
        "Command::new(program)",
    ),
    (
        "crates/teammate-cli/src/commands/own_programs.rs",
        "UserCommand::typed(",
    ),
    (
        "crates/teammate-cli/src/commands/notify.rs",
        "UserCommand::configured(",
    ),
    (
        "crates/teammate-cli/src/commands/up/background.rs",
        "Command::new(program)",
    ),
    (
        "crates/teammate-cli/src/commands/repl/shell.rs",
        "UserCommand::typed(",
    ),
    (
        "crates/teammate/src/key_command.rs",
        "UserCommand::configured(",
    ),
    // The server of `up --try`, which the user has.
    (
        "crates/teammate-cli/src/commands/up/trial/server.rs",
        "Command::new(program)",
    ),
    // Its workers, which are this program itself.
    (
        "crates/teammate-cli/src/commands/up/trial/worker.rs",
        "Command::new(program)",
    ),
    // Git that talks to the remote that the user chose for the team's work.
    (
        "crates/teammate-git/src/transfer/remote.rs",
        "UserCommand::configured(",
    ),
];

#[test]
fn no_code_that_is_shipped_lifts_it_but_for_what_the_user_types_or_configures() {
    let code = files(&["crates"], &["rs"]).into_iter();
    for path in code.filter(|path| path.iter().nth(2).is_some_and(|folder| folder == "src")) {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        // A queue without a bound lifts another rule (`queues.rs`).
        let queues = text
            .matches("disallowed_methods, reason = \"said at")
            .count();
        let lifted = text.matches("disallowed_methods").count() - queues;
        let known = LIFTED.iter().find(|(file, _)| path == Path::new(file));
        assert_eq!(lifted, usize::from(known.is_some()), "{}", path.display());
        if let Some((_, makes)) = known {
            assert_eq!(text.matches("Command::").count(), 1, "{}", path.display());
            assert!(text.contains(makes), "{}", path.display());
        }
    }
}
