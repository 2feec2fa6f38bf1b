//! Talking with the lead: a prompt that stays while the team works.

mod input;
mod question;
mod requests;
mod show;
mod slash;
mod tasks;

use std::{
    io::IsTerminal as _,
    process::ExitCode,
    time::{Duration, Instant},
};

use teammate::{Team, platform::TerminalState, request::KindName};
use tokio::{
    signal::unix::{SignalKind, signal},
    task::JoinHandle,
};

use self::{
    input::{Line, Lines},
    question::Asked,
    show::Print,
    slash::{Next, Typed},
};
use super::{Ended, Place, standing};

/// A second Ctrl-C within this time leaves.
const TWICE: Duration = Duration::from_secs(2);

/// Opens the team and talks until the person leaves. `is_resumed`: the person has asked for it to go on.
pub(super) async fn run(place: Place, is_resumed: bool) -> Ended {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let team = place.options.builder(is_terminal)?.prepare().await?;
    let _restore = TerminalState::save();
    let (lines, (print, printing)) = if is_terminal {
        input::terminal()?
    } else {
        input::piped()
    };
    greet(&place, &team, &print, is_terminal);
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
    let left = talk.until_left(lines).await;
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

fn greet(place: &Place, team: &Team, print: &Print, is_terminal: bool) {
    for notice in team.notices() {
        print.line(&format!("note: {}", crate::screen::clean(notice)));
    }
    if is_terminal {
        let model = place
            .options
            .model()
            .map(|model| model.to_string())
            .unwrap_or_default();
        print.words(&format!(
            "Talking with the lead ({model}). /help lists what else there is, /quit leaves."
        ));
    }
}

/// A conversation.
struct Talk<'a> {
    team: &'a Team,
    print: &'a Print,
    asked: Asked,
    last_interrupt: Option<Instant>,
    /// Each line's work is finished before the next is read: for scripts.
    waits: bool,
}

impl Talk<'_> {
    async fn until_left(&mut self, mut lines: Lines) -> anyhow::Result<()> {
        let mut terminate = signal(SignalKind::terminate())?;
        // Between two lines the terminal is not raw, and Ctrl-C is a signal.
        let mut interrupts = signal(SignalKind::interrupt())?;
        let closing = self.team.asked_to_close();
        tokio::pin!(closing);
        loop {
            let line = tokio::select! {
                line = lines.next() => line,
                () = &mut closing => return self.is_paused(),
                _ = interrupts.recv() => match self.interrupt().await {
                    Next::Stay => continue,
                    Next::Leave => return Ok(()),
                },
                _ = terminate.recv() => return Ok(()),
            };
            let mut next = match line {
                Some(Line::Text(text)) => self.take(&text).await,
                Some(Line::Interrupt) => self.interrupt().await,
                Some(Line::End) | None => Next::Leave,
            };
            while self.waits {
                tokio::select! {
                    biased;
                    () = &mut closing => return self.is_paused(),
                    () = self.team.settled() => break,
                    _ = interrupts.recv() => next = self.interrupt().await,
                    _ = terminate.recv() => return Ok(()),
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
        self.last_interrupt = None;
        let open = self.team.questions();
        let is_any = open
            .iter()
            .any(|question| question.kind_name() == KindName::Permission);
        let typed = Typed::read(text, self.asked.typed(is_any));
        typed.run(self.team, &self.asked, self.print).await
    }

    fn is_paused(&self) -> anyhow::Result<()> {
        self.print
            .words("The team was paused from another terminal; `teammate resume` goes on");
        Ok(())
    }

    async fn interrupt(&mut self) -> Next {
        let again = self.last_interrupt.replace(Instant::now());
        if again.is_some_and(|moment| moment.elapsed() < TWICE) {
            return Next::Leave;
        }
        self.team.interrupt_all().await;
        self.print.words("(Ctrl-C once more leaves)");
        Next::Stay
    }
}
