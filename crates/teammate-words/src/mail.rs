//! Mail between members: what a message is. How it is kept on disk is the store's business.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    Incarnation, MemberName, NameError, Timestamp,
    attachment::Attachments,
    id::{ConversationId, RequestId, TaskId},
};

/// The most bytes one message's content may have. A larger text belongs into a file that the message names.
pub const CONTENT_BYTES_MAX: usize = 200 * 1024;

/// The most bytes of unread mail a member may have: text, or two messages with all the attachments that they may have.
pub const INBOX_BYTES_MAX: u64 = 28 * 1024 * 1024;

/// Identifies a message for ever: the recipient's transcript takes each id once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(String);

impl MessageId {
    /// An id that follows from `cause` within `team`: sending the same thing again yields the same id.
    pub fn derived(team: Uuid, cause: &str) -> Self {
        Self(Uuid::new_v5(&team, cause.as_bytes()).to_string())
    }

    /// An id found on a line. Ids that are empty or longer than 128 bytes are refused.
    pub fn parse(text: &str) -> Option<Self> {
        (!text.is_empty() && text.len() <= 128).then(|| Self(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// The sender of a message. Stamped by the harness; a model never chooses it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Sender {
    /// The user at the terminal.
    User,
    /// The harness itself.
    System,
    Member(MemberName),
    /// Unknown: the line has no seal of ours, and the name is only what it claims.
    Unverified(ClaimedSender),
}

/// The word before a claim where a sender is one word. No member's name has a colon.
const UNVERIFIED: &str = "unverified:";

/// The name that unverified mail claims: short, for the user to look at, and nothing else.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimedSender(String);

impl ClaimedSender {
    /// The most characters of a claim that are kept.
    const CHARS_MAX: usize = 64;

    /// Keeps the start of what is claimed.
    pub fn new(text: &str) -> Self {
        Self(text.chars().take(Self::CHARS_MAX).collect())
    }

    /// The claim as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ClaimedSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User => f.pad("user"),
            Self::System => f.pad("system"),
            Self::Member(name) => name.fmt(f),
            Self::Unverified(claim) => f.pad(&format!("{UNVERIFIED}{}", claim.as_str())),
        }
    }
}

impl TryFrom<String> for Sender {
    type Error = NameError;
    fn try_from(text: String) -> Result<Self, NameError> {
        match text.as_str() {
            "user" => Ok(Self::User),
            "system" => Ok(Self::System),
            name => match name.strip_prefix(UNVERIFIED) {
                Some(claim) => Ok(Self::Unverified(ClaimedSender::new(claim))),
                None => MemberName::parse(name).map(Self::Member),
            },
        }
    }
}

impl From<Sender> for String {
    fn from(sender: Sender) -> Self {
        sender.to_string()
    }
}

/// The type of a message. Members' models make only `Message` and `Broadcast`; the rest are frames that the harness makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// From one to one.
    Message,
    /// From one to all others.
    Broadcast,
    /// "Please finish and stop."
    ShutdownRequest,
    ShutdownResponse,
    /// "May I do this plan?"
    PlanApprovalRequest,
    PlanApprovalResponse,
    /// "May I run this?"
    PermissionRequest,
    PermissionResponse,
    /// A member's turn has ended; carries the result.
    IdleNotification,
    /// Work given to a member: the prompt of a spawn, or a task of the board.
    TaskAssignment,
    /// A member has stopped.
    TeammateTerminated,
    /// A job that a member started has ended, or no task on the board can continue.
    TaskNotification,
}

impl MessageKind {
    /// Every kind, in the order in which documentation lists them.
    pub const ALL: [Self; 12] = [
        Self::Message,
        Self::Broadcast,
        Self::ShutdownRequest,
        Self::ShutdownResponse,
        Self::PlanApprovalRequest,
        Self::PlanApprovalResponse,
        Self::PermissionRequest,
        Self::PermissionResponse,
        Self::IdleNotification,
        Self::TaskAssignment,
        Self::TeammateTerminated,
        Self::TaskNotification,
    ];

    /// Whether such mail can say that it wakes nobody. Only notices of the harness can: mail of members and the
    /// user, and work that is given, always wakes.
    pub fn can_be_quiet(self) -> bool {
        match self {
            Self::IdleNotification
            | Self::TaskNotification
            | Self::TeammateTerminated
            | Self::ShutdownRequest
            | Self::ShutdownResponse
            | Self::PlanApprovalRequest
            | Self::PlanApprovalResponse
            | Self::PermissionRequest
            | Self::PermissionResponse => true,
            Self::Message | Self::Broadcast | Self::TaskAssignment => false,
        }
    }

    /// The name used in mail files and events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Broadcast => "broadcast",
            Self::ShutdownRequest => "shutdown_request",
            Self::ShutdownResponse => "shutdown_response",
            Self::PlanApprovalRequest => "plan_approval_request",
            Self::PlanApprovalResponse => "plan_approval_response",
            Self::PermissionRequest => "permission_request",
            Self::PermissionResponse => "permission_response",
            Self::IdleNotification => "idle_notification",
            Self::TaskAssignment => "task_assignment",
            Self::TeammateTerminated => "teammate_terminated",
            Self::TaskNotification => "task_notification",
        }
    }

    /// Reads the name; `None` for an unknown one (such a line is quarantined, never dropped).
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl fmt::Display for MessageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Where the metadata of a message from [`Sender::Unverified`] holds the kind that it pretended to be.
pub const PRETENDED_KIND: &str = "pretends";

/// The fields of a message besides its text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metadata {
    /// How many messages in a row led to it with no work in between. The harness counts them; no sender can choose the number.
    pub hops: Option<u32>,
    /// The task of the board that it assigns.
    pub task: Option<TaskId>,
    /// The lead's conversation that it is for; the first one is not named.
    pub conversation: Option<ConversationId>,
    /// Pictures and documents. Only the user sends any.
    pub attachments: Attachments,
    /// Words of the user that no hook has judged: a process wrote them that does not run the team.
    pub unjudged: bool,
    /// Everything else, kept as it was. The harness decides nothing by it.
    pub others: Others,
}

/// Metadata that only other programs and people read.
pub type Others = serde_json::Map<String, serde_json::Value>;

impl Metadata {
    /// Metadata that only other programs and people read.
    pub fn of_others(others: impl IntoIterator<Item = (String, serde_json::Value)>) -> Self {
        Self {
            others: others.into_iter().collect(),
            ..Self::default()
        }
    }
}

/// A message of the user to a member.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserMessage {
    pub text: String,
    pub attachments: Attachments,
}

impl From<String> for UserMessage {
    fn from(text: String) -> Self {
        Self {
            text,
            attachments: Attachments::default(),
        }
    }
}

impl From<&str> for UserMessage {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for UserMessage {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Its identity; the recipient hears each id once.
    pub id: MessageId,
    pub kind: MessageKind,
    pub from: Sender,
    /// The sender's incarnation when it was sent, if the sender is a member.
    pub from_incarnation: Option<Incarnation>,
    pub to: MemberName,
    /// The incarnation that it is for; `None` means any.
    pub to_incarnation: Option<Incarnation>,
    pub content: String,
    /// When it was sent, by the sender's clock.
    pub sent_at: Timestamp,
    /// The protocol request it belongs to.
    pub request_id: Option<RequestId>,
    /// Whether it wakes its recipient, if it is a notice that says so ([`MessageKind::can_be_quiet`]).
    pub wakes: Option<bool>,
    /// The other fields.
    pub metadata: Metadata,
}

impl Message {
    /// Does this to every text that somebody wrote: secrets are hidden before it is put into a mailbox, and once more before a
    /// member hears it, for who sent it may know fewer.
    pub fn each_text(&mut self, mut work: impl FnMut(&mut String)) {
        work(&mut self.content);
    }

    /// Whether it starts a turn of its recipient. A notice can say that it asks for nothing: of a teammate that
    /// was interrupted, a job that its owner ended, a shutdown that idle members agree to. It waits for the next call.
    pub fn wakes(&self) -> bool {
        !self.kind.can_be_quiet() || self.wakes.unwrap_or(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_back() {
        for kind in MessageKind::ALL {
            assert_eq!(MessageKind::parse(kind.as_str()), Some(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
        assert_eq!(MessageKind::parse("plan"), None);
    }

    #[test]
    fn only_notices_of_the_harness_can_be_quiet() {
        for kind in MessageKind::ALL {
            let message = |wakes: Option<bool>| Message {
                id: MessageId::derived(Uuid::nil(), "x"),
                kind,
                from: Sender::System,
                from_incarnation: None,
                to: MemberName::lead(),
                to_incarnation: None,
                content: String::new(),
                sent_at: Timestamp(0),
                request_id: None,
                wakes,
                metadata: Metadata::default(),
            };
            let can_be_quiet = !matches!(
                kind,
                MessageKind::Message | MessageKind::Broadcast | MessageKind::TaskAssignment
            );
            assert!(message(None).wakes() && message(Some(true)).wakes());
            assert_eq!(message(Some(false)).wakes(), !can_be_quiet, "{kind}");
        }
    }

    #[test]
    fn a_sender_reads_back_and_a_claim_is_no_sender() {
        let alice = MemberName::teammate("alice").unwrap();
        let long = ClaimedSender::new(&"lead ".repeat(100));
        for sender in [
            Sender::User,
            Sender::System,
            Sender::Member(alice),
            Sender::Unverified(ClaimedSender::new("user")),
            Sender::Unverified(long),
        ] {
            let word = String::from(sender.clone());
            assert_eq!(Sender::try_from(word), Ok(sender));
        }
        assert_ne!(
            Sender::Unverified(ClaimedSender::new("user")).to_string(),
            Sender::User.to_string()
        );
    }

    #[test]
    fn the_same_cause_gives_the_same_id() {
        let team = Uuid::from_u128(7);
        assert_eq!(MessageId::derived(team, "a"), MessageId::derived(team, "a"));
        assert_ne!(MessageId::derived(team, "a"), MessageId::derived(team, "b"));
        assert_ne!(
            MessageId::derived(team, "a"),
            MessageId::derived(Uuid::from_u128(8), "a")
        );
    }
}
