//! The talk that the user goes on with when they leave a prompt: chosen there, and carried out when it has ended.

use std::process::ExitCode;

use teammate::{Conversation, TeamPlace};

/// The talk that the user goes on with when they leave a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NextTalk {
    /// Another team, as if the program were started for it.
    Team(TeamPlace),
    /// Another conversation of this team.
    Conversation(Conversation),
}

/// How a talk has ended.
#[derive(Debug)]
pub(super) enum TalkEnd {
    /// The user has left, or the team was closed.
    Left(ExitCode),
    /// The user goes on with something else.
    GoesOn(NextTalk),
}

impl TalkEnd {
    /// The end of leaving with this code: the next talk that the user wants, but not after a failure, which they should see.
    pub(super) fn of(code: ExitCode, next: Option<NextTalk>) -> Self {
        match next {
            Some(next) if code == ExitCode::SUCCESS => Self::GoesOn(next),
            Some(_) | None => Self::Left(code),
        }
    }
}
