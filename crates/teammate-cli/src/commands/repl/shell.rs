//! `!COMMAND`: what the user runs between two lines, without leaving. It is their own, outside of the sandbox; no member sees it.

use std::{os::unix::process::ExitStatusExt as _, path::Path, process::ExitStatus};

use teammate::{platform::TerminalState, sandbox::UserCommand};
use tokio::signal::unix::SignalKind;

use super::printer::Printer;
use crate::screen::clean;

/// The exit code of a shell whose command Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShellEnd {
    /// By Ctrl-C, which this program hears, too, perhaps somewhat later.
    Interrupted,
    Other,
}

/// Runs it in the workspace. It has the terminal; what the team says meanwhile is printed afterwards.
pub(super) async fn run(
    workspace: &Path,
    command: &str,
    terminal: &TerminalState,
    print: &Printer,
) -> ShellEnd {
    #[expect(
        clippy::disallowed_methods,
        reason = "a line that was typed at the prompt of a terminal"
    )]
    let command = UserCommand::typed(command);
    let workspace = workspace.to_owned();
    let pause = print.pause();
    terminal.restore();
    let running = tokio::task::spawn_blocking(move || command.run(&workspace));
    let ended = running.await;
    terminal.leave_keys_alone();
    drop(pause);
    match ended {
        Ok(Ok(status)) => {
            print_status(status, print);
            ShellEnd::of(status)
        }
        Ok(Err(error)) => {
            print.answer(&clean(&format!("Not run: {error}")));
            ShellEnd::Other
        }
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

impl ShellEnd {
    fn of(status: ExitStatus) -> Self {
        let by_signal = status.signal() == Some(SignalKind::interrupt().as_raw_value());
        if by_signal || status.code() == Some(INTERRUPTED) {
            Self::Interrupted
        } else {
            Self::Other
        }
    }
}

fn print_status(status: ExitStatus, print: &Printer) {
    if !status.success() {
        print.answer(&format!("({status})"));
    }
}
