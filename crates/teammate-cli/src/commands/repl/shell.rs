//! `!COMMAND`: what the user runs between two lines, without leaving. It is their own, outside of the sandbox; no member sees it.

use std::process::ExitStatus;

use teammate::{Team, platform::TerminalState, sandbox::UserCommand};

use super::printer::Printer;
use crate::screen::clean;

/// Runs it in the workspace. It has the terminal; what the team says meanwhile is printed afterwards.
pub(super) async fn run(team: &Team, command: &str, terminal: &TerminalState, print: &Printer) {
    #[expect(
        clippy::disallowed_methods,
        reason = "a line that was typed at the prompt of a terminal"
    )]
    let command = UserCommand::typed(command);
    let workspace = team.workspace().to_owned();
    let pause = print.pause();
    terminal.restore();
    let running = tokio::task::spawn_blocking(move || command.run(&workspace));
    let ended = running.await;
    terminal.leave_keys_alone();
    drop(pause);
    match ended {
        Ok(Ok(status)) => print_status(status, print),
        Ok(Err(error)) => print.answer(&clean(&format!("Not run: {error}"))),
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

fn print_status(status: ExitStatus, print: &Printer) {
    if !status.success() {
        print.answer(&format!("({status})"));
    }
}
