//! Talking with the lead: a prompt that stays while the team works.

mod above;
mod greeting;
mod input;
mod question;
mod requests;
mod show;
mod slash;
mod status;
mod tasks;
mod words;

use std::{
    io::IsTerminal as _,
    process::ExitCode,
    time::{Duration, Instant},
};

use teammate::{Conversation, Team, platform::TerminalState};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    task::JoinHandle,
};

use self::{
    input::{Line, Lines},
    question::{Asked, Bare},
    show::Print,
    slash::{Next, Typed},
};
use super::{Ended, Place, standing};

/// A second Ctrl-C within this time leaves. Somebody who leaves within it, in any way, did not mean to end turns.
const TWICE: Duration = Duration::from_secs(2);

/// Opens the team and talks until the person leaves.
pub(super) async fn run(place: Place, conversation: Conversation) -> Ended {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let builder = place.options.builder(is_terminal)?;
    let team = builder.conversation(conversation).prepare().await?;
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
    greeting::greet(&place, &team, &print, is_terminal);
    let is_resumed = conversation == Conversation::Everything;
    for line in standing::at_opening(&team, is_resumed).await {
        print.line(&format!("note: {}", crate::screen::clean(&line)));
    }
    let asked = Asked::default();
    let questions = team.open_questions();
    let screen = tokio::spawn(show::follow(
        team.events(),
        print.clone(),
        asked.clone(),
        questions,
    ));
    team.start().await?;
    let mut talk = Talk {
        team: &team,
        print: &print,
        asked,
        last_interrupt: None,
        waits: !is_terminal,
    };
    let left = talk.until_left(lines, signals).await;
    if talk.has_just_interrupted() {
        team.take_back_interrupt().await;
    }
    terminal.restore();
    close(team, screen).await;
    drop(print);
    printing.finish().await;
    left.map(|()| ExitCode::SUCCESS)
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
}

/// A conversation.
struct Talk<'a> {
    team: &'a Team,
    print: &'a Print,
    asked: Asked,
    /// Nothing else was typed since.
    last_interrupt: Option<Instant>,
    /// Each line's work is finished before the next is read: for scripts.
    waits: bool,
}

impl Talk<'_> {
    async fn until_left(&mut self, mut lines: Lines, mut signals: Signals) -> anyhow::Result<()> {
        let closing = self.team.asked_to_close();
        tokio::pin!(closing);
        loop {
            let line = tokio::select! {
                line = lines.next() => line,
                () = &mut closing => return self.is_paused(),
                _ = signals.interrupt.recv() => match self.interrupt().await {
                    Next::Stay => continue,
                    Next::Leave => return Ok(()),
                },
                _ = signals.terminate.recv() => return Ok(()),
            };
            let mut next = match line {
                Some(Line::Text(text)) => self.take(&text).await,
                Some(Line::Interrupt) => self.interrupt().await,
                Some(Line::Cleared) => {
                    self.last_interrupt = None;
                    Next::Stay
                }
                Some(Line::End) | None => Next::Leave,
            };
            while self.waits {
                tokio::select! {
                    biased;
                    () = &mut closing => return self.is_paused(),
                    () = self.team.settled() => break,
                    _ = signals.interrupt.recv() => next = self.interrupt().await,
                    _ = signals.terminate.recv() => return Ok(()),
                }
                if next == Next::Leave {
                    break;
                }
            }
            match next {
                Next::Stay => lines.go_on(),
                Next::Leave => return Ok(()),
            }
        }
    }

    async fn take(&mut self, text: &str) -> Next {
        let open = self.team.questions();
        let asks = open.iter().any(|question| question.permission().is_some());
        let plan = open.iter().find(|question| question.plan().is_some());
        let bare = match (self.asked.typed(asks), plan) {
            (Bare::Word, Some(plan)) => Bare::Plan(plan.id),
            (bare, _) => bare,
        };
        let typed = Typed::read(text, bare);
        let next = typed.run(self.team, &self.asked, self.print).await;
        if next == Next::Stay {
            self.last_interrupt = None;
        }
        next
    }

    fn is_paused(&self) -> anyhow::Result<()> {
        self.print
            .words("The team was paused from another terminal; `teammate resume` goes on");
        Ok(())
    }

    async fn interrupt(&mut self) -> Next {
        let is_again = self.has_just_interrupted();
        self.last_interrupt = Some(Instant::now());
        if is_again {
            return Next::Leave;
        }
        self.team.interrupt_all().await;
        self.print
            .words("(Ctrl-C once more leaves; then turns go on next time)");
        Next::Stay
    }

    fn has_just_interrupted(&self) -> bool {
        self.last_interrupt
            .is_some_and(|moment| moment.elapsed() < TWICE)
    }
}
