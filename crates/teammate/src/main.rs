//! The `teammate` program: reads the command line and hands over to one command.

mod commands;
mod screen;
mod settings;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    teammate::keep_if_asked();
    commands::Cli::parse().run()
}
