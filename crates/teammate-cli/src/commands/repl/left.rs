//! How a talk ended: what becomes of the team, and what the user goes on with.

use crate::commands::next_talk::NextTalk;

/// How a talk ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TalkLeft {
    pub(super) team: LeftTeam,
    /// The talk that the user goes on with.
    pub(super) next: Option<NextTalk>,
}

/// The fate of a team that this process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeftTeam {
    /// It is closed.
    ToClose,
    /// It goes on in the background.
    HandedOver,
}

impl TalkLeft {
    /// The team is to be closed, and the user goes on with nothing.
    pub(super) const TO_CLOSE: Self = Self {
        team: LeftTeam::ToClose,
        next: None,
    };

    /// The team is to be closed, and the user goes on with this.
    pub(super) fn going_on(next: NextTalk) -> Self {
        Self {
            next: Some(next),
            ..Self::TO_CLOSE
        }
    }

    /// Whether the team could as well go on without this process: another conversation of it cannot.
    pub(super) fn may_go_on(&self) -> bool {
        match self.next {
            Some(NextTalk::Team(_)) | None => true,
            Some(NextTalk::Conversation(_)) => false,
        }
    }
}
