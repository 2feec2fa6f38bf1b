//! `cargo xtask bench`, `cargo xtask doors`, `cargo xtask torture`, `cargo xtask wild`: builds the package `rig`, with the program
//! that it tries, and hands over.

use std::process::ExitCode;

use xtask::{
    built,
    command::{Ended, command, run},
    root,
};

/// How its commands are called.
pub(crate) const USAGE: &str = "bench ... | doors ... | torture ... | wild ...";

/// Hands over, with the command's name before its arguments.
pub(crate) fn run_command(name: &str, args: &[&str]) -> ExitCode {
    let root = root();
    let Ok(built) = built::programs(&root, &["--quiet"]) else {
        return ExitCode::FAILURE;
    };
    match run(command(&root, built.join("rig"), &[name]).args(args)) {
        Ended::Passed(_) => ExitCode::SUCCESS,
        Ended::Skipped(_) | Ended::Failed(_) => ExitCode::FAILURE,
    }
}
