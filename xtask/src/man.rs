//! `cargo xtask man DIR`: writes the manual pages. The program makes them, since the command line is known to it alone.

use std::process::{Command, ExitCode};

/// How it is called.
pub(crate) const USAGE: &str = "man DIR";

/// Builds the program and has it write the pages.
pub(crate) fn run(args: &[&str]) -> ExitCode {
    let [dir] = args else {
        eprintln!("usage: cargo xtask {USAGE}");
        return ExitCode::from(2);
    };
    let written = Command::new("cargo")
        .args(["run", "--quiet", "--package", "teammate-cli", "--", "man"])
        .arg(dir)
        .status();
    match written {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo cannot be run: {error}");
            ExitCode::FAILURE
        }
    }
}
