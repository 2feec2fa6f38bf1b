//! Leaving: where this process runs the team and members work, the user says what becomes of them.

use std::time::Instant;

use super::{
    command::AfterInput,
    left::{LeftTeam, TalkLeft},
    session::PromptSession,
};
use teammate_view::t;

impl PromptSession<'_> {
    /// Asks the user how to leave, or takes what they want to do.
    pub(super) fn ask_how_to_leave(&mut self, next: AfterInput) -> AfterInput {
        // Who has just interrupted all turns has said what is wanted.
        let is_answered = self.interrupt.has_just_interrupted(Instant::now());
        match next {
            AfterInput::Leave(left)
                if left.may_go_on() && !is_answered && self.has_work_under_way() =>
            {
                self.leaving = Some(left);
                self.printer.wrapped(
                    t("Members work. Leave how? [p] pause the team (Enter)  [b] let it go on in the background  [s] stay"),
                );
                AfterInput::Stay
            }
            AfterInput::Leave(_) | AfterInput::Stay => next,
        }
    }

    /// The line that answers it.
    pub(super) fn leaves_how(&mut self, left: TalkLeft, line: &str) -> AfterInput {
        match line.trim().to_ascii_lowercase().as_str() {
            "" | "p" | "pause" | "/quit" | "/exit" | "q" | "quit" | "exit" => {
                AfterInput::Leave(left)
            }
            "b" | "background" => AfterInput::Leave(TalkLeft {
                team: LeftTeam::HandedOver,
                ..left
            }),
            "s" | "stay" => AfterInput::Stay,
            _ => {
                self.printer
                    .answer(t("Stayed. Nothing was sent; the next line is as usual"));
                AfterInput::Stay
            }
        }
    }

    /// Whether somebody sits here, and the team of this process would go on.
    fn has_work_under_way(&self) -> bool {
        let Some(team) = self.team.hosted() else {
            return false;
        };
        self.terminal.is_some() && team.changes().borrow().has_work_under_way()
    }
}
