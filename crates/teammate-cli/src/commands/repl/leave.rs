//! Leaving: where this process runs the team and members work, the user says what becomes of them.

use super::{command::AfterInput, session::Session, talk_team::TalkTeam};

/// How a talk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// A team that this process runs is closed.
    ToClose,
    /// It goes on in the background.
    HandOver,
}

impl Session<'_> {
    /// What the user wants to do, or a question first.
    pub(super) fn ask_how_to_leave(&mut self, next: AfterInput) -> AfterInput {
        // A second Ctrl-D is an answer, too. Who has just interrupted all turns, or goes on elsewhere in this terminal, has said
        // what is wanted.
        let is_answered =
            self.is_leaving || self.has_just_interrupted() || self.place.next.is_chosen();
        if next != AfterInput::Leave || is_answered || !self.has_work_under_way() {
            return next;
        }
        self.is_leaving = true;
        self.printer.wrapped(
            "Members work. Leave how? [p] pause the team (Enter)  [b] let it go on in the background  [s] stay",
        );
        AfterInput::Stay
    }

    /// The line that answers it.
    pub(super) fn leaves_how(&mut self, line: &str) -> AfterInput {
        self.is_leaving = false;
        match line.trim().to_ascii_lowercase().as_str() {
            "" | "p" | "pause" | "/quit" | "/exit" | "q" | "quit" | "exit" => AfterInput::Leave,
            "b" | "background" => AfterInput::HandOver,
            "s" | "stay" => AfterInput::Stay,
            _ => {
                self.printer
                    .answer("Stayed. Nothing was sent; the next line is as usual");
                AfterInput::Stay
            }
        }
    }

    /// Whether somebody sits here, and the team of this process would go on.
    fn has_work_under_way(&self) -> bool {
        let TalkTeam::Host(team) = self.team else {
            return false;
        };
        self.terminal.is_some()
            && (team.roster().iter().any(|member| member.is_busy) || !team.questions().is_empty())
    }
}
