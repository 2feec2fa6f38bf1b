//! `!COMMAND`: what the user runs between two lines, without leaving. It is their own, outside of the sandbox; no member sees it.

use std::{os::unix::process::ExitStatusExt as _, path::Path, process::ExitStatus, time::Duration};
use teammate_view::t;

use teammate::{platform::TerminalState, sandbox::UserCommand};
use tokio::{signal::unix::SignalKind, time::timeout};

use super::printer::Printer;
use crate::{commands::signals::Signals, screen::clean};

/// How late a signal may be heard.
const SIGNAL_DELAY: Duration = Duration::from_secs(2);

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
    let lent = terminal.lend();
    let running = tokio::task::spawn_blocking(move || command.run(&workspace));
    let ended = running.await;
    drop((lent, pause));
    match ended {
        Ok(Ok(status)) => {
            print_status(status, print);
            ShellEnd::of(status)
        }
        Ok(Err(error)) => {
            print.answer(&clean(&t!("Not run: {error}", error)));
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

    /// Ctrl-C was for the program that had the terminal, not for the team.
    pub(super) async fn forget_interrupt(self, signals: &mut Signals) {
        let delay = match self {
            Self::Interrupted => SIGNAL_DELAY,
            Self::Other => Duration::ZERO,
        };
        let _ = timeout(delay, signals.interrupt.recv()).await;
    }
}

fn print_status(status: ExitStatus, print: &Printer) {
    if !status.success() {
        print.answer(&format!("({status})"));
    }
}
