//! The terminal or pipe that the prompt is on: where lines come from, and go to.

use std::{io::IsTerminal as _, path::Path, sync::Arc, time::Instant};
use teammate_view::t;

use teammate::{
    Secrets, TeamHandle, TeamState, UserMessage,
    contained::{BUGS_MAX, contained, contained_call},
    platform::{TerminalState, lines_typed_ahead},
};
use teammate_view::{InterruptKey, Motion};
use tokio::task::JoinHandle;

use super::{
    draft::LeadDraft,
    input::{self, InputLines},
    left::TalkLeft,
    offered::PromptOffers,
    printer::{Printer, PrinterThread},
    screen::PromptScreen,
    session::PromptSession,
};
use crate::{
    commands::{CliContext, facts::Facts, shown_question::ShownQuestion, signals::Signals},
    screen::{DivertedErrors, clean, divert_errors},
};

/// Whether both ends are a terminal's.
pub(super) fn is_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// A prompt, from its beginning to its end.
pub(super) struct LinePrompt {
    pub(super) printer: Printer,
    pub(super) asked: ShownQuestion,
    pub(super) is_terminal: bool,
    offered: PromptOffers,
    signals: Signals,
    terminal: TerminalState,
    lines: InputLines,
    printing: PrinterThread,
    /// Lines of others come above the prompt.
    errors: Option<DivertedErrors>,
}

/// The parts that show the team's facts.
pub(super) struct PromptFacts {
    pump: JoinHandle<()>,
    screen: JoinHandle<()>,
}

impl PromptFacts {
    /// Waits until all of a feed that has ended is shown.
    pub(super) async fn rest(self) {
        let _ = (self.pump.await, self.screen.await);
    }

    /// Shows nothing more.
    pub(super) async fn cut(self) {
        self.pump.abort();
        self.rest().await;
    }
}

impl LinePrompt {
    /// Errors: signals cannot be heard.
    pub(super) fn open(
        workspace: &Path,
        team: &TeamState,
        secrets: &Arc<Secrets>,
    ) -> std::io::Result<Self> {
        let is_terminal = is_terminal();
        let offered = PromptOffers::new(workspace);
        let signals = Signals::new()?;
        let terminal = TerminalState::save();
        // Enter ended these lines: for the editor it would begin a new line in one message.
        let typed_ahead = match is_terminal {
            true => lines_typed_ahead(),
            false => Vec::new(),
        };
        // Before the editor begins: between two lines it gives the terminal back as it found it.
        terminal.leave_keys_alone();
        let edit = || {
            input::terminal(
                LeadDraft::of(team, secrets.clone()),
                offered.clone(),
                typed_ahead,
            )
        };
        let editor = is_terminal.then(|| contained_call("the line editor", edit));
        let editor = editor.and_then(|made| made.ok()?.ok());
        if editor.is_none() {
            // A terminal that cannot edit lines is read like a pipe.
            terminal.restore();
        }
        let (lines, (printer, printing)) = editor.unwrap_or_else(input::piped);
        let errors = is_terminal.then(|| {
            let above = printer.clone();
            let print = move |text: &str| above.wrapped(text.trim_end());
            divert_errors(Box::new(print))
        });
        Ok(Self {
            printer,
            asked: ShownQuestion::default(),
            is_terminal,
            offered,
            signals,
            terminal,
            lines,
            printing,
            errors,
        })
    }

    /// Shows what happens from now on.
    pub(super) fn show(&self, facts: Facts, motion: Motion) -> PromptFacts {
        let screen = PromptScreen::new(
            facts.first,
            self.printer.clone(),
            self.asked.clone(),
            self.offered.clone(),
            motion,
        );
        PromptFacts {
            pump: facts.pump,
            screen: tokio::spawn(screen.show_facts(facts.next)),
        }
    }

    /// Shows a note, at a terminal broken between words.
    pub(super) fn note(&self, text: &str) {
        let text = t!("note: {text}", text = clean(text));
        match self.is_terminal {
            true => self.printer.wrapped(&text),
            false => self.printer.line(&text),
        }
    }

    /// Shows the words of the command line as if they were typed.
    pub(super) fn says(&self, message: &UserMessage) {
        self.printer.line(&format!("> {}", clean(&message.text)));
    }

    /// Talks until the user leaves. A bug ends what was done about one line.
    pub(super) async fn talk(
        &mut self,
        place: &CliContext,
        team: &TeamHandle,
    ) -> anyhow::Result<TalkLeft> {
        for _ in 0..BUGS_MAX {
            let mut talk = PromptSession {
                team,
                place,
                printer: &self.printer,
                asked: &self.asked,
                interrupt: InterruptKey::default(),
                leaving: None,
                terminal: self.is_terminal.then_some(&self.terminal),
            };
            let run = talk.run(&mut self.lines, &mut self.signals);
            let Ok(left) = contained("what the prompt did", run).await else {
                self.printer.wrapped(
                    t("The team works on, and so does the prompt. What you typed last may not have been done"),
                );
                self.lines.resume();
                continue;
            };
            if talk.interrupt.has_just_interrupted(Instant::now())
                && let Some(team) = team.hosted()
            {
                team.take_back_interrupt().await;
            }
            self.terminal.restore();
            return left;
        }
        Ok(self.wait(team).await)
    }

    /// The prompt has too many bugs: the team works on without one, until a signal or another terminal ends this.
    async fn wait(&mut self, team: &TeamHandle) -> TalkLeft {
        self.terminal.restore();
        self.printer.wrapped(
            t("The prompt has ended, and the team works on: talk with it from another terminal. Ctrl-C ends this"),
        );
        tokio::select! {
            () = team.ends() => {}
            _ = self.signals.interrupt.recv() => {}
            _ = self.signals.terminate.recv() => {}
        }
        TalkLeft::TO_CLOSE
    }

    /// Prints what is left to be printed.
    pub(super) async fn close(self) {
        drop((self.errors, self.printer));
        self.printing.finish().await;
    }
}
