//! Only the sandbox starts processes. Clippy refuses it elsewhere; the tests of other crates expect its warning, so the rule cannot be lost.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test may")]

mod tree;

use std::{fs, path::Path};

use tree::{files, root};

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

#[test]
fn no_code_that_is_shipped_lifts_it_but_where_the_user_types_a_command() {
    let prompt = Path::new("crates/teammate-cli/src/commands/repl/shell.rs");
    let code = files(&["crates"], &["rs"]).into_iter();
    for path in code.filter(|path| path.iter().nth(2).is_some_and(|folder| folder == "src")) {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        let lifted = text.matches("disallowed_methods").count();
        let is_prompt = path == prompt;
        assert_eq!(lifted, usize::from(is_prompt), "{}", path.display());
        // The one thing that is lifted there.
        assert!(!is_prompt || !text.contains("Command::new"));
    }
}
