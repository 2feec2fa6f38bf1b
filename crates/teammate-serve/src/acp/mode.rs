//! The modes of a session: the permission modes of a team, and one more in which nothing but looking is done.

use serde_json::{Value, json};
use teammate::Mode;

/// The rights of a session's members without a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditorMode {
    /// Looking; the rest is asked.
    Ask,
    /// Writing files of the workspace, too.
    AcceptEdits,
    /// Looking; what would be asked is refused.
    Plan,
    /// Everything; deny rules still hold.
    Run,
}

impl EditorMode {
    const ALL: [Self; 4] = [Self::Ask, Self::AcceptEdits, Self::Plan, Self::Run];

    /// By its id.
    pub(crate) fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.id() == id)
    }

    /// The editor's word for the team's own mode.
    pub(crate) fn of(mode: Mode) -> Self {
        match mode {
            Mode::Ask => Self::Ask,
            Mode::AcceptEdits => Self::AcceptEdits,
            Mode::Bypass => Self::Run,
        }
    }

    /// The team's mode.
    pub(crate) fn of_team(self) -> Mode {
        match self {
            Self::Ask | Self::Plan => Mode::Ask,
            Self::AcceptEdits => Mode::AcceptEdits,
            Self::Run => Mode::Bypass,
        }
    }

    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::AcceptEdits => "accept-edits",
            Self::Plan => "plan",
            Self::Run => "run",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Ask => "Ask",
            Self::AcceptEdits => "Accept edits",
            Self::Plan => "Plan",
            Self::Run => "Run",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Ask => "Looking is free; writing files and running commands is asked",
            Self::AcceptEdits => "Writing files in the workspace is free, too",
            Self::Plan => "Looking is free; what would be asked is refused, so that a plan is made",
            Self::Run => "Nothing is asked; deny rules still hold",
        }
    }

    /// All of them, with this one chosen, in the protocol's words.
    pub(crate) fn choices(self) -> Value {
        let all = Self::ALL.map(
            |mode| json!({ "id": mode.id(), "name": mode.name(), "description": mode.about() }),
        );
        json!({ "currentModeId": self.id(), "availableModes": all })
    }
}
