//! Output of commands that hold nothing open, and questions at the terminal.

use std::io;

use super::failure::lost;
use crate::screen::{clean_json, redraw, write, write_clean};

/// Prints a line for the user or program that called. If the reader has gone (`teammate log | head`) the
/// program is done; only commands that hold nothing open print this way.
pub(crate) fn print_line(line: impl std::fmt::Display) {
    written(write(&mut std::io::stdout(), &format!("{line}\n")));
}

/// Prints a text in place of everything on the terminal.
pub(crate) fn print_in_place(text: &str) {
    written(redraw(&format!("{text}\n")));
}

fn written(how: io::Result<()>) {
    match how {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            lost(&error);
            std::process::exit(1)
        }
    }
}

/// Prints JSON that no terminal obeys.
pub(crate) fn print_json(value: &serde_json::Value) {
    print_line(clean_json(&value.to_string()));
}

/// All of standard input.
pub(super) fn read_stdin() -> anyhow::Result<String> {
    let mut text = String::new();
    std::io::Read::read_to_string(&mut std::io::stdin(), &mut text)?;
    Ok(text)
}

/// Asks at the terminal; anything but yes is no. `unattended` is the command to name if there is no terminal.
pub(super) fn ask_user(question: &str, unattended: &str) -> anyhow::Result<bool> {
    let stdin = std::io::stdin();
    if !std::io::IsTerminal::is_terminal(&stdin) {
        anyhow::bail!(
            "cannot ask here: standard input is no terminal. To say yes without a question: {unattended}"
        );
    }
    write_clean(&mut std::io::stdout(), question);
    let mut answer = String::new();
    stdin.read_line(&mut answer)?;
    Ok(matches!(
        answer.trim().to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
}
