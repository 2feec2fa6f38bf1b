//! Talks with the lead: a prompt that stays while the team works.

mod above;
mod attached;
mod command;
mod greeting;
mod input;
mod models;
mod printer;
mod question;
mod requests;
mod shell;
mod status;
mod tasks;
mod words;

use std::{
    io::IsTerminal as _,
    process::ExitCode,
    time::{Duration, Instant},
};

use teammate::{Conversation, Team, UserMessage, platform::TerminalState};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    task::{JoinHandle, JoinSet},
    time::timeout,
};

#[cfg(not(feature = "tui"))]
use self::printer::Printer;
#[cfg(feature = "tui")]
pub(super) use self::{command::speak, input::history as history_file, printer::Printer};
use self::{
    command::{AfterInput, ReplInput},
    input::{InputLine, InputLines},
    question::{BareAnswer, ShownQuestion},
    shell::ShellEnd,
};
use super::{
    CliContext, CliResult, not_continuing,
    notify::{self, OwnAlert},
};

/// A second Ctrl-C within this time leaves. Somebody who leaves within it, in any way, did not mean to end turns.
const DOUBLE_CTRL_C: Duration = Duration::from_secs(2);

/// How late a signal may be heard.
const SIGNAL_DELAY: Duration = Duration::from_secs(2);

/// Opens the team and talks until the user leaves. `first` is said to the lead before anything is typed.
pub(super) async fn run(
    place: CliContext,
    conversation: Conversation,
    first: Option<UserMessage>,
) -> CliResult {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let builder = place.options.builder(is_terminal)?;
    let team = builder.conversation(conversation).prepare().await?;
    let command = OwnAlert::configured(&place.options, team.workspace())?;
    let signals = Signals::new()?;
    let terminal = TerminalState::save();
    // Before the editor begins: between two lines it gives the terminal back as it found it.
    terminal.leave_keys_alone();
    let editor = is_terminal.then(input::terminal).and_then(Result::ok);
    if editor.is_none() {
        // A terminal that cannot edit lines is read like a pipe.
        terminal.restore();
    }
    let (lines, (print, printing)) = editor.unwrap_or_else(input::piped);
    greeting::print_banner(&place, &team, &print, is_terminal);
    let is_resumed = conversation == Conversation::Everything;
    for line in not_continuing::at_opening(&team, is_resumed).await {
        print.line(&format!("note: {}", crate::screen::clean(&line)));
    }
    let asked = ShownQuestion::default();
    let questions = team.question_reader();
    let screen = tokio::spawn(printer::print_events(
        team.events(),
        print.clone(),
        asked.clone(),
        questions,
    ));
    let mut alerting = JoinSet::new();
    if let Some(command) = command.filter(|_| is_terminal) {
        let print = print.clone();
        let say = move |how: &str| print.wrapped(how);
        alerting.spawn(notify::follow(team.changes(), team.name(), command, say));
    }
    match first {
        Some(message) => {
            print.line(&format!("> {}", crate::screen::clean(&message.text)));
            team.start_with(message).await?;
        }
        None => team.start().await?,
    }
    let mut talk = Session {
        team: &team,
        printer: &print,
        asked,
        last_interrupt: None,
        terminal: is_terminal.then_some(&terminal),
    };
    let left = talk.run(lines, signals).await;
    if talk.has_just_interrupted() {
        team.take_back_interrupt().await;
    }
    terminal.restore();
    alerting.shutdown().await;
    close(team, screen).await;
    drop(print);
    printing.finish().await;
    left.map(|()| ExitCode::SUCCESS)
}

/// Does what a typed line says, for another screen; the answer is printed.
#[cfg(feature = "tui")]
pub(super) async fn run_typed(team: &Team, line: &str, print: &Printer) {
    let typed = ReplInput::read(line, BareAnswer::Word);
    typed.run(team, &ShownQuestion::default(), print).await;
}

/// The commands, each with a line about it.
#[cfg(feature = "tui")]
pub(super) fn commands() -> Vec<(String, String)> {
    words::COMMANDS
        .iter()
        .map(|command| ((*command).to_owned(), command::about(command)))
        .collect()
}

async fn close(team: Team, screen: JoinHandle<()>) {
    team.close().await;
    // The feed has ended, so this does.
    let _ = screen.await;
}

/// What ends this from outside, or Ctrl-C where the terminal makes a signal of it. Made before the prompt comes: one that nobody
/// takes kills.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Ctrl-C was for the program that had the terminal, not for the team.
    async fn forget_interrupt(&mut self, end: ShellEnd) {
        let delay = match end {
            ShellEnd::Interrupted => SIGNAL_DELAY,
            ShellEnd::Other => Duration::ZERO,
        };
        let _ = timeout(delay, self.interrupt.recv()).await;
    }
}

/// A conversation.
struct Session<'a> {
    team: &'a Team,
    printer: &'a Printer,
    asked: ShownQuestion,
    /// Nothing else was typed since.
    last_interrupt: Option<Instant>,
    /// Without one each line's work is finished before the next is read: for scripts.
    terminal: Option<&'a TerminalState>,
}

impl Session<'_> {
    async fn run(&mut self, mut lines: InputLines, mut signals: Signals) -> anyhow::Result<()> {
        let closing = self.team.close_requested();
        tokio::pin!(closing);
        loop {
            let line = tokio::select! {
                line = lines.next() => line,
                () = &mut closing => return self.print_paused(),
                _ = signals.interrupt.recv() => match self.interrupt().await {
                    AfterInput::Stay => continue,
                    AfterInput::Leave => return Ok(()),
                },
                _ = signals.terminate.recv() => return Ok(()),
            };
            let mut next = match line {
                Some(InputLine::Text(text)) => self.handle_line(&text, &mut signals).await,
                Some(InputLine::Interrupt) => self.interrupt().await,
                Some(InputLine::Cleared) => {
                    self.last_interrupt = None;
                    AfterInput::Stay
                }
                Some(InputLine::End) | None => AfterInput::Leave,
            };
            while self.terminal.is_none() {
                tokio::select! {
                    biased;
                    () = &mut closing => return self.print_paused(),
                    () = self.team.wait_done() => break,
                    _ = signals.interrupt.recv() => next = self.interrupt().await,
                    _ = signals.terminate.recv() => return Ok(()),
                }
                if next == AfterInput::Leave {
                    break;
                }
            }
            match next {
                AfterInput::Stay => lines.resume(),
                AfterInput::Leave => return Ok(()),
            }
        }
    }

    async fn handle_line(&mut self, text: &str, signals: &mut Signals) -> AfterInput {
        let open = self.team.questions();
        let asks = open.iter().any(|question| question.permission().is_some());
        let plan = open.iter().find(|question| question.plan().is_some());
        let bare = match (self.asked.meaning_of_bare(asks), plan) {
            (BareAnswer::Word, Some(plan)) => BareAnswer::Plan(plan.id),
            (bare, _) => bare,
        };
        let typed = ReplInput::read(text, bare);
        let next = match (typed, self.terminal) {
            (ReplInput::Shell(command), Some(terminal)) => {
                let end = shell::run(self.team, command, terminal, self.printer).await;
                signals.forget_interrupt(end).await;
                AfterInput::Stay
            }
            (typed, _) => typed.run(self.team, &self.asked, self.printer).await,
        };
        if next == AfterInput::Stay {
            self.last_interrupt = None;
        }
        next
    }

    fn print_paused(&self) -> anyhow::Result<()> {
        self.printer
            .wrapped("The team was paused from another terminal. `teammate resume` continues");
        Ok(())
    }

    async fn interrupt(&mut self) -> AfterInput {
        let is_again = self.has_just_interrupted();
        self.last_interrupt = Some(Instant::now());
        if is_again {
            return AfterInput::Leave;
        }
        self.team.interrupt_all().await;
        self.printer
            .wrapped("(Ctrl-C once more to leave; unfinished turns go on next time)");
        AfterInput::Stay
    }

    fn has_just_interrupted(&self) -> bool {
        self.last_interrupt
            .is_some_and(|moment| moment.elapsed() < DOUBLE_CTRL_C)
    }
}
