//! The `teammate` program: reads the command line and hands over to one command.

// A text that is cut at an offset of another one would end the face.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod bugs;
mod commands;
#[cfg(test)]
mod golden;
mod hint;
mod next_steps;
mod screen;
mod settings;
mod user_dirs;

use std::process::ExitCode;

fn main() -> ExitCode {
    teammate::begin();
    bugs::install_hook();
    match commands::Cli::read() {
        Ok(cli) => cli.run(),
        Err(code) => code,
    }
}
