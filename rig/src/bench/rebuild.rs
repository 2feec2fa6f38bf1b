//! Builds the program as it is packaged, and the benchmarks with it and with the same features, and hands over.

use std::process::{Command, ExitCode};

/// Builds and hands over.
pub(crate) fn run(args: &[&str]) -> ExitCode {
    let root = xtask::root();
    let build = Command::new("cargo")
        .current_dir(&root)
        .args(["build", "--profile", "dist", "--workspace", "--bins"])
        .args(["--features", "rig/bench", "--example", "hostile_server"])
        .status();
    if !build.is_ok_and(|status| status.success()) {
        return ExitCode::FAILURE;
    }
    let measured = Command::new(root.join("target/dist/rig"))
        .arg("bench")
        .args(args)
        .status();
    match measured {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("the benchmarks cannot be run: {error}");
            ExitCode::FAILURE
        }
    }
}
