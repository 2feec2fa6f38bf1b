//! A talk: line by line, until the user leaves or the team is closed.

use std::time::{Duration, Instant};
use teammate_view::t;

use teammate::{TeamHandle, contained::may_fail_here, handle::Interrupt, platform::TerminalState};

use super::{
    command::{AfterInput, ReplInput, TypedAt},
    input::{InputLine, InputLines},
    left::TalkLeft,
    printer::Printer,
    shell,
};
use crate::{
    commands::{
        CliContext,
        shown_question::{BareAnswer, ShownQuestion},
        signals::Signals,
    },
    screen::clean,
};

/// A second Ctrl-C within this time leaves. Somebody who leaves within it, in any way, did not mean to end turns.
const DOUBLE_CTRL_C: Duration = Duration::from_secs(2);

/// A conversation.
pub(super) struct PromptSession<'a> {
    pub(super) team: &'a TeamHandle,
    pub(super) place: &'a CliContext,
    pub(super) printer: &'a Printer,
    pub(super) asked: &'a ShownQuestion,
    /// Nothing else was typed since.
    pub(super) last_interrupt: Option<Instant>,
    /// How the user leaves once the next line has said what becomes of members that work.
    pub(super) leaving: Option<TalkLeft>,
    /// Without one each line's work is finished before the next is read: for scripts.
    pub(super) terminal: Option<&'a TerminalState>,
}

impl PromptSession<'_> {
    pub(super) async fn run(
        &mut self,
        lines: &mut InputLines,
        signals: &mut Signals,
    ) -> anyhow::Result<TalkLeft> {
        let closing = self.team.ends();
        tokio::pin!(closing);
        loop {
            let line = tokio::select! {
                line = lines.next() => line,
                () = &mut closing => return self.print_paused(),
                _ = signals.interrupt.recv() => match self.interrupt().await {
                    AfterInput::Stay => continue,
                    AfterInput::Leave(left) => return Ok(left),
                },
                _ = signals.terminate.recv() => return Ok(TalkLeft::TO_CLOSE),
            };
            let mut next = self.follow(line, signals).await;
            while self.terminal.is_none() {
                tokio::select! {
                    biased;
                    () = &mut closing => return self.print_paused(),
                    () = self.wait_done() => break,
                    _ = signals.interrupt.recv() => next = self.interrupt().await,
                    _ = signals.terminate.recv() => return Ok(TalkLeft::TO_CLOSE),
                }
                if let AfterInput::Leave(_) = next {
                    break;
                }
            }
            match next {
                AfterInput::Stay => lines.resume(),
                AfterInput::Leave(left) => return Ok(left),
            }
        }
    }

    /// Does what the user wants by a line, or by a key in place of one.
    async fn follow(&mut self, line: Option<InputLine>, signals: &mut Signals) -> AfterInput {
        match (line, self.leaving.take()) {
            (Some(InputLine::Text(text)), Some(left)) => self.leaves_how(left, &text),
            (Some(InputLine::Text(text)), None) => {
                let next = self.handle_line(&text, signals).await;
                self.ask_how_to_leave(next)
            }
            (Some(InputLine::Interrupt), leaving) => {
                self.leaving = leaving;
                self.interrupt().await
            }
            (Some(InputLine::Cleared), leaving) => {
                self.leaving = leaving;
                self.last_interrupt = None;
                AfterInput::Stay
            }
            (Some(InputLine::Broken(typed)), leaving) => {
                self.leaving = leaving;
                self.edit_no_more(&typed);
                AfterInput::Stay
            }
            // A second Ctrl-D is an answer, too.
            (Some(InputLine::End) | None, Some(left)) => AfterInput::Leave(left),
            (Some(InputLine::End), None) => {
                self.ask_how_to_leave(AfterInput::Leave(TalkLeft::TO_CLOSE))
            }
            (None, None) => AfterInput::Leave(TalkLeft::TO_CLOSE),
        }
    }

    /// Waits until the members of this process have nothing to do; does not wait for those of another.
    async fn wait_done(&self) {
        if let Some(team) = self.team.hosted() {
            team.wait_done().await;
        }
    }

    async fn handle_line(&mut self, text: &str, signals: &mut Signals) -> AfterInput {
        may_fail_here("prompt");
        let state = match self.team.state().await {
            Ok(state) => state,
            Err(error) => {
                self.printer.answer(&clean(&error.to_string()));
                return AfterInput::Stay;
            }
        };
        let asks = state.questions().any(|open| open.permission().is_some());
        let plan = state.questions().find(|open| open.plan().is_some());
        let bare = match (self.asked.meaning_of_bare(asks), plan) {
            (BareAnswer::Word, Some(plan)) => BareAnswer::Plan(plan.id),
            (bare, _) => bare,
        };
        let typed = ReplInput::read(text, bare);
        let at = TypedAt {
            place: self.place,
            asked: self.asked,
            printer: self.printer,
            is_terminal: self.terminal.is_some(),
            state: state.clone(),
        };
        let next = match (typed, self.terminal) {
            (ReplInput::Shell(command), Some(terminal)) => {
                let end = shell::run(self.team.workspace(), command, terminal, self.printer).await;
                end.forget_interrupt(signals).await;
                AfterInput::Stay
            }
            (typed, _) => typed.run(self.team, at).await,
        };
        if next == AfterInput::Stay {
            self.last_interrupt = None;
        }
        next
    }

    /// A bug has ended the line editor, which was said: the terminal edits lines by itself.
    fn edit_no_more(&self, typed: &str) {
        if let Some(terminal) = self.terminal {
            terminal.take_keys_back();
        }
        self.printer.wrapped(
            t("The team works on, and lines are read without the editor: /help lists the commands, /quit or Ctrl-D leaves"),
        );
        if !typed.trim().is_empty() {
            self.printer
                .wrapped(&t!("Not sent: {why}", why = clean(typed)));
        }
    }

    fn print_paused(&self) -> anyhow::Result<TalkLeft> {
        self.printer.wrapped(match self.team.hosted() {
            Some(_) => t("The team was paused from another terminal. `teammate resume` continues"),
            None => t("The process that ran the team has ended. `teammate resume` continues"),
        });
        Ok(TalkLeft::TO_CLOSE)
    }

    async fn interrupt(&mut self) -> AfterInput {
        let is_again = self.has_just_interrupted();
        self.last_interrupt = Some(Instant::now());
        if is_again {
            return AfterInput::Leave(TalkLeft::TO_CLOSE);
        }
        let interrupted = self.team.ask(Interrupt { member: None }).await;
        match (interrupted, self.team.hosted()) {
            (Err(error), _) => self.printer.answer(&clean(&error.to_string())),
            (Ok(()), Some(_)) => self.printer.wrapped(t(
                "(Ctrl-C once more to leave; unfinished turns go on next time)",
            )),
            (Ok(()), None) => self.printer.wrapped(t(
                "(Interrupted all turns; Ctrl-C once more to leave: the team goes on)",
            )),
        }
        AfterInput::Stay
    }

    /// Whether all turns were interrupted a moment ago.
    pub(super) fn has_just_interrupted(&self) -> bool {
        self.last_interrupt
            .is_some_and(|moment| moment.elapsed() < DOUBLE_CTRL_C)
    }
}
