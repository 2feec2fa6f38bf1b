//! The events at which hooks run, under the names that hook files of other programs use where they have such an event.

use std::fmt;

/// An event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HookEvent {
    /// The team was opened; no member works yet.
    SessionStart,
    /// The team is being closed; no member works any more.
    SessionEnd,
    /// The user says something to a member.
    UserPromptSubmit,
    /// A call was read, and nobody has been asked about it.
    PreToolUse,
    /// A call worked.
    PostToolUse,
    /// A call ran and failed.
    PostToolUseFailure,
    /// A model is about to be asked.
    ModelCallBefore,
    /// A model has answered, or failed.
    ModelCallAfter,
    /// A teammate is about to be spawned, or a subagent to begin.
    SubagentStart,
    /// The turn of a teammate or a subagent is about to end.
    SubagentStop,
    /// The lead's turn is about to end.
    Stop,
    /// A teammate is about to be idle.
    TeammateIdle,
    /// A task is about to be put on the board.
    TaskCreated,
    /// A task is about to be completed, or its owner ends its turn with it.
    TaskCompleted,
    /// A member is about to send a message.
    MailSent,
    /// The user is about to be asked about a call.
    PermissionAsked,
    /// Such a question has its answer.
    PermissionSettled,
    /// A conversation is about to be summarized.
    PreCompact,
}

/// The power of a hook over an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// The event does not happen, and the reason is read by those who wanted it.
    Refuses,
    /// The member goes on with the reason.
    HoldsBack,
    /// It has happened; the model reads the reason.
    FeedsBack,
    /// Nothing.
    Watches,
}

impl HookEvent {
    /// All of them with their names, in the order of the documentation.
    pub const ALL: [(Self, &'static str); 18] = [
        (Self::SessionStart, "SessionStart"),
        (Self::SessionEnd, "SessionEnd"),
        (Self::UserPromptSubmit, "UserPromptSubmit"),
        (Self::PreToolUse, "PreToolUse"),
        (Self::PostToolUse, "PostToolUse"),
        (Self::PostToolUseFailure, "PostToolUseFailure"),
        (Self::ModelCallBefore, "ModelCallBefore"),
        (Self::ModelCallAfter, "ModelCallAfter"),
        (Self::SubagentStart, "SubagentStart"),
        (Self::SubagentStop, "SubagentStop"),
        (Self::Stop, "Stop"),
        (Self::TeammateIdle, "TeammateIdle"),
        (Self::TaskCreated, "TaskCreated"),
        (Self::TaskCompleted, "TaskCompleted"),
        (Self::MailSent, "MailSent"),
        (Self::PermissionAsked, "PermissionAsked"),
        (Self::PermissionSettled, "PermissionSettled"),
        (Self::PreCompact, "PreCompact"),
    ];

    /// The event of this name.
    pub fn parse(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, known)| *known == name)
            .map(|(event, _)| event)
    }

    /// The power of a hook over it.
    pub fn control(self) -> Control {
        match self {
            Self::UserPromptSubmit
            | Self::PreToolUse
            | Self::ModelCallBefore
            | Self::SubagentStart
            | Self::TaskCreated
            | Self::TaskCompleted
            | Self::MailSent
            | Self::PermissionAsked
            | Self::PreCompact => Control::Refuses,
            Self::SubagentStop | Self::Stop | Self::TeammateIdle => Control::HoldsBack,
            Self::PostToolUse | Self::PostToolUseFailure => Control::FeedsBack,
            Self::SessionStart
            | Self::SessionEnd
            | Self::ModelCallAfter
            | Self::PermissionSettled => Control::Watches,
        }
    }

    /// Whether a member reads the `additionalContext` of an answer.
    pub(super) fn takes_context(self) -> bool {
        match self {
            Self::SessionStart
            | Self::UserPromptSubmit
            | Self::PostToolUse
            | Self::PostToolUseFailure => true,
            Self::SessionEnd
            | Self::PreToolUse
            | Self::ModelCallBefore
            | Self::ModelCallAfter
            | Self::SubagentStart
            | Self::SubagentStop
            | Self::Stop
            | Self::TeammateIdle
            | Self::TaskCreated
            | Self::TaskCompleted
            | Self::MailSent
            | Self::PermissionAsked
            | Self::PermissionSettled
            | Self::PreCompact => false,
        }
    }

    /// Whether what is printed that is no JSON is such a context, too.
    pub(super) fn takes_plain_context(self) -> bool {
        matches!(self, Self::SessionStart | Self::UserPromptSubmit)
    }

    /// Whether `continue: false` ends the member's turn.
    pub(super) fn can_halt(self) -> bool {
        match self {
            // There is no turn, or none that it would be about.
            Self::SessionStart
            | Self::SessionEnd
            | Self::UserPromptSubmit
            | Self::TaskCreated
            | Self::PermissionSettled => false,
            Self::PreToolUse
            | Self::PostToolUse
            | Self::PostToolUseFailure
            | Self::ModelCallBefore
            | Self::ModelCallAfter
            | Self::SubagentStart
            | Self::SubagentStop
            | Self::Stop
            | Self::TeammateIdle
            | Self::TaskCompleted
            | Self::MailSent
            | Self::PermissionAsked
            | Self::PreCompact => true,
        }
    }

    /// The name.
    pub fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|(event, _)| *event == self);
        known.map_or("", |(_, name)| name)
    }
}

impl fmt::Display for HookEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_has_one_name() {
        for (event, name) in HookEvent::ALL {
            assert_eq!(event.name(), name);
            assert_eq!(HookEvent::parse(name), Some(event));
        }
        assert_eq!(HookEvent::parse("Notification"), None);
    }
}
