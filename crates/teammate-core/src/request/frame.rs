//! Frames: the mail that follows from a request. It tells; nothing is decided by it.

use super::{Party, Request};
use crate::{
    Incarnation, MemberName, MessageKind, mail::Metadata, permission::Mode, team::MessageCause,
    tool::ToolNames,
};

/// Mail about a request, ready to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// What it follows from.
    pub cause: MessageCause<'static>,
    /// For whom.
    pub to: MemberName,
    /// The life it is meant for, if only one.
    pub to_life: Option<Incarnation>,
    /// What kind of mail.
    pub kind: MessageKind,
    /// Whose doing it tells of.
    pub from: Party,
    /// The text.
    pub content: String,
    /// Whether it wakes its recipient.
    pub wakes: bool,
    pub(super) approve: Option<bool>,
}

impl Frame {
    /// What an answer says, for programs.
    pub fn metadata(&self) -> Metadata {
        let approve = self
            .approve
            .map(|approve| ("approve".to_owned(), approve.into()));
        approve.into_iter().collect()
    }
}

impl Request {
    /// The mail that follows from its making; it calls tools by `names`.
    pub fn opened_frame(&self, names: &ToolNames) -> Option<Frame> {
        self.kind.rules().opened(self, names)
    }

    /// The mail that follows from its end, in a team where nobody may do more than `ceiling` without asking.
    pub fn settled_frame(&self, ceiling: Mode, names: &ToolNames) -> Option<Frame> {
        self.kind.rules().settled(self, ceiling, names)
    }
}
