//! Frames: the mail that follows from a request. It tells; nothing is decided by it.

use super::{Principal, Request};
use crate::{
    Incarnation, MemberName, MessageKind, mail::Metadata, permission::Mode, team::MessageCause,
    tool::ToolNames,
};

/// Mail about a request, ready to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestNotice {
    /// What it follows from.
    pub cause: MessageCause<'static>,
    /// For whom.
    pub to: MemberName,
    /// The life it is meant for, if only one.
    pub to_incarnation: Option<Incarnation>,
    /// What kind of mail.
    pub kind: MessageKind,
    /// Whose doing it tells of.
    pub from: Principal,
    /// The text.
    pub content: String,
    /// Whether it wakes its recipient.
    pub wakes: bool,
    pub(super) approve: Option<bool>,
}

impl RequestNotice {
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
    pub fn opened_notice(&self, names: &ToolNames) -> Option<RequestNotice> {
        self.payload.rules().opened(self, names)
    }

    /// The mail that follows from its end, in a team where nobody may do more than `ceiling` without asking.
    pub fn settled_notice(&self, ceiling: Mode, names: &ToolNames) -> Option<RequestNotice> {
        self.payload.rules().settled(self, ceiling, names)
    }
}
