//! Questions of the set-up at the terminal: one of several, a text, a secret that is not shown.

use std::io::{BufRead as _, IsTerminal as _, Read as _};
use teammate_view::t;

use anyhow::bail;
use teammate::platform::TerminalState;

use crate::{commands::print_line, screen::write_clean};

/// Whether somebody can be asked.
pub(super) fn is_possible() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// What somebody types; empty for what is usual.
///
/// Errors: the terminal was closed.
pub(super) fn text(question: &str) -> anyhow::Result<String> {
    write_clean(&mut std::io::stdout(), question);
    let mut answer = String::new();
    if std::io::stdin().lock().read_line(&mut answer)? == 0 {
        bail!("nothing was set up");
    }
    Ok(answer.trim().to_owned())
}

/// Yes unless it is no.
pub(super) fn yes(question: &str) -> anyhow::Result<bool> {
    let answer = text(&format!("{question} [Y/n] "))?.to_ascii_lowercase();
    Ok(!matches!(answer.as_str(), "n" | "no"))
}

/// No unless it is yes.
pub(super) fn only_yes(question: &str) -> anyhow::Result<bool> {
    let answer = text(&format!("{question} [y/N] "))?.to_ascii_lowercase();
    Ok(matches!(answer.as_str(), "y" | "yes"))
}

/// One of these by its number; `usual` is taken by Enter alone.
pub(super) fn one_of(question: &str, rows: &[String], usual: usize) -> anyhow::Result<usize> {
    for (number, row) in (1..).zip(rows) {
        print_line(format!("  {number}  {row}"));
    }
    loop {
        let answer = text(&format!("{question} [{}] ", usual + 1))?;
        match answer.parse::<usize>() {
            Ok(number @ 1..) if number <= rows.len() => return Ok(number - 1),
            Err(_) if answer.is_empty() => return Ok(usual),
            Ok(_) | Err(_) => print_line(t!("Type a number from 1 to {count}", count = rows.len())),
        }
    }
}

/// A text that nobody sees while it is typed or pasted.
///
/// Errors: it was given up.
pub(super) fn secret(question: &str) -> anyhow::Result<String> {
    write_clean(&mut std::io::stdout(), question);
    let typed = {
        // Given back at the end of the block, also if reading fails.
        let terminal = TerminalState::save();
        terminal.leave_keys_alone();
        typed_line()
    };
    print_line("");
    match typed? {
        Some(text) => Ok(text.trim().to_owned()),
        None => bail!("nothing was set up"),
    }
}

/// The keys up to Enter; nothing if Ctrl-C or Ctrl-D was one of them.
fn typed_line() -> anyhow::Result<Option<String>> {
    let mut line: Vec<u8> = Vec::new();
    for key in std::io::stdin().lock().bytes() {
        match key? {
            b'\r' | b'\n' => return Ok(Some(String::from_utf8_lossy(&line).into_owned())),
            3 | 4 => return Ok(None),
            // Backspace, and Ctrl-U.
            8 | 127 => drop(line.pop()),
            21 => line.clear(),
            byte => line.push(byte),
        }
    }
    Ok(None)
}
