//! The mail about a request. It informs; it decides nothing.

use super::{Principal, Request};
use crate::{
    Incarnation, MemberName, MessageKind, mail::Metadata, message_cause::MessageCause, mode::Mode,
    tool::ToolNames,
};

/// Mail about a request, ready to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestNotice {
    pub cause: MessageCause<'static>,
    pub to: MemberName,
    /// The incarnation that it is for, if only one.
    pub to_incarnation: Option<Incarnation>,
    /// The type of the mail.
    pub kind: MessageKind,
    /// The one who did what it reports.
    pub from: Principal,
    pub content: String,
    /// Whether it wakes its recipient.
    pub wakes: bool,
    pub(super) approve: Option<bool>,
}

impl RequestNotice {
    /// The answer, for programs.
    pub fn metadata(&self) -> Metadata {
        let approve = self
            .approve
            .map(|approve| ("approve".to_owned(), approve.into()));
        Metadata::of_others(approve)
    }
}

impl Request {
    /// The mail that follows from its making; it calls tools by `names`.
    pub fn opened_notice(&self, names: &ToolNames) -> Option<RequestNotice> {
        self.payload.rules().opened(self, names)
    }

    /// The mail about its end, in a team with this ceiling.
    pub fn settled_notice(&self, ceiling: Mode, names: &ToolNames) -> Option<RequestNotice> {
        self.payload.rules().settled(self, ceiling, names)
    }
}
