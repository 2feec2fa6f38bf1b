//! The `teammate` program: reads the command line and hands over to one command.
//!
//! `commands/` has a file for each command; `commands/face` opens the full screen, of a team that
//! it runs or of another process's, and `commands/repl` the plain prompt; `commands/share` makes a
//! file that replays a run, of data that its script shows as text. `screen/` makes lines of the
//! view's news, `settings.rs` reads flags and configuration into the same fields
//! (`settings/values.rs`). `tests/e2e` runs the whole program.
//!
//! - **Only this crate has `anyhow` and reads flags and the configuration file.**
//! - **The workspace sets nothing**: a repository cannot choose endpoints or models.
//! - **Everything reaches the terminal through `screen/sink.rs`**, which passes text and our own
//!   colours only. (The prompt moves the cursor besides: `commands/repl/above.rs`.)

// A text that is cut at an offset of another one would end the face.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod bugs;
mod commands;
#[cfg(test)]
mod golden;
mod hint;
mod language;
mod next_steps;
mod screen;
mod settings;
mod user_dirs;

use std::process::ExitCode;

fn main() -> ExitCode {
    teammate::begin();
    bugs::install_hook();
    language::choose();
    match commands::Cli::read() {
        Ok(cli) => cli.run(),
        Err(code) => code,
    }
}
