//! Frames: the mail that follows from a request. It tells; nothing is decided by it.

use super::{Party, Request, RequestId};
use crate::{
    Incarnation, MemberName, MessageId, MessageKind, mail::Metadata, permission::Mode, team::Team,
    tool::ToolNames,
};

/// The cause of the mail that tells how a request ended.
pub(super) const SETTLED: &str = "settled";

/// Mail about a request, ready to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// What it follows from; its id is made of the request and this.
    pub(super) cause: &'static str,
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
    pub(super) wakes: bool,
    pub(super) approve: Option<bool>,
}

impl Frame {
    /// Whether it wakes its recipient, and what an answer says, for programs.
    pub fn metadata(&self) -> Metadata {
        let mut metadata = Metadata::from_iter([("wakes".to_owned(), self.wakes.into())]);
        if let Some(approve) = self.approve {
            metadata.insert("approve".to_owned(), approve.into());
        }
        metadata
    }
}

impl Team {
    /// The id of a frame: the same however often it is sent.
    pub fn frame_id(&self, request: &Request, frame: &Frame) -> MessageId {
        self.request_mail_id(request.id, frame.cause)
    }

    /// The id of the mail that brings the answer to a request.
    pub fn answer_id(&self, request: RequestId) -> MessageId {
        self.request_mail_id(request, SETTLED)
    }

    fn request_mail_id(&self, request: RequestId, cause: &str) -> MessageId {
        MessageId::derived(self.id(), &format!("request/{}/{cause}", request.number()))
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
