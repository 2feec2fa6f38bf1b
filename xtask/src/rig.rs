//! `cargo xtask bench`, `cargo xtask doors`, `cargo xtask torture`: builds the package `rig`, with the program that it tries,
//! and hands over.

use std::process::ExitCode;

use xtask::{
    command::{Ended, command, run},
    root,
};

/// How its commands are called.
pub(crate) const USAGE: &str = "bench ... | doors ... | torture ...";

/// Hands over, with the command's name before its arguments.
pub(crate) fn run_command(name: &str, args: &[&str]) -> ExitCode {
    let root = root();
    // Of the whole workspace and with examples, so that no package is built with other features than for the tests.
    let everything = ["build", "--quiet", "--workspace", "--bins", "--examples"];
    let build = run(&mut command(&root, "cargo", &everything));
    if !matches!(build, Ended::Passed(_)) {
        return ExitCode::FAILURE;
    }
    match run(command(&root, root.join("target/debug/rig"), &[name]).args(args)) {
        Ended::Passed(_) => ExitCode::SUCCESS,
        Ended::Skipped(_) | Ended::Failed(_) => ExitCode::FAILURE,
    }
}
