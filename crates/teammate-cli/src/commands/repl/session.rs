//! A talk: line by line, until the user leaves or the team is closed.

use std::time::Instant;

use teammate::{
    MemberName, TeamHandle, contained::may_fail_here, handle::Interrupt, platform::TerminalState,
};
use teammate_view::{InterruptKey, InterruptPress, t};

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

/// The key that interrupts here, by its name.
const INTERRUPT_KEY: &str = "Ctrl-C";

/// A conversation.
pub(super) struct PromptSession<'a> {
    pub(super) team: &'a TeamHandle,
    pub(super) place: &'a CliContext,
    pub(super) printer: &'a Printer,
    pub(super) asked: &'a ShownQuestion,
    pub(super) interrupt: InterruptKey,
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
                self.interrupt.goes_on();
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
            self.interrupt.goes_on();
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

    /// The key to interrupt. Scripts have no second one: theirs interrupts at once.
    async fn interrupt(&mut self) -> AfterInput {
        let at_work = match self.terminal {
            Some(_) => self.at_work().await,
            None => None,
        };
        match self.interrupt.press(Instant::now(), at_work.is_some()) {
            InterruptPress::Asks => {
                let names = at_work.iter().flatten().map(MemberName::as_str);
                let question = InterruptKey::question(INTERRUPT_KEY, names);
                self.printer.wrapped(&format!("({question})"));
            }
            InterruptPress::Interrupts => {
                let interrupted = self.team.ask(Interrupt { member: None }).await;
                let pauses = self.team.hosted().is_some();
                match interrupted {
                    Err(error) => self.printer.answer(&clean(&error.to_string())),
                    Ok(()) => {
                        let done = InterruptKey::done(INTERRUPT_KEY, pauses);
                        self.printer.wrapped(&format!("({done})"));
                    }
                }
            }
            InterruptPress::Leaves => return AfterInput::Leave(TalkLeft::TO_CLOSE),
        }
        AfterInput::Stay
    }

    /// The members in a turn, if there is work under way. A team that cannot be read is not asked about.
    async fn at_work(&self) -> Option<Vec<MemberName>> {
        let team = self.team.state().await.ok()?;
        let busy = team.members().filter(|member| member.phase.is_busy());
        let names = busy.map(|member| member.name.clone()).collect();
        team.has_work_under_way().then_some(names)
    }
}
