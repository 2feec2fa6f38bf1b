//! Mailboxes: a durable log for each member, drained by its one reader.

use std::future::ready;

use crate::{
    MemberName,
    mail::{Message, MessageKind},
    port::{BoxFuture, FileError},
};

/// A batch of mail taken out of the inbox but not yet in the transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    pub id: BatchId,
    /// Its messages, in order of arrival. Ids that the transcript holds already are still among them.
    pub messages: Vec<Message>,
    /// Lines that were no messages. They are quarantined.
    pub damaged: Vec<DamagedLine>,
    /// Lines that are among the messages as [`Sender::Unverified`](crate::Sender::Unverified), because nothing proves that
    /// the team's own mail wrote them. They are quarantined, too.
    pub unsealed: Vec<UnverifiedLine>,
    /// Where mail is missing, was changed or was moved, in sentences for the user. What is left is among the messages.
    pub gaps: Vec<String>,
}

/// Identifies a claimed batch of one mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BatchId(pub u64);

/// A line that was not a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedLine {
    /// The fault of the line.
    pub why: String,
    /// Where it is kept, for the user.
    pub kept_in: String,
}

/// A line that something else than the team's own mail put into a mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnverifiedLine {
    /// The kind that it pretends to be; `None` for plain mail.
    pub pretends: Option<MessageKind>,
    /// The sender that it claims.
    pub claims: String,
    /// Where it is kept, for the user.
    pub kept_in: String,
}

/// Durable mailboxes, one per member.
pub trait Mailbox: Send + Sync {
    /// Puts a message into its recipient's mailbox. When this returns `Ok` the message survives a power cut.
    /// Sending the same id again is harmless: it is heard once.
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>>;

    /// Takes everything out of the inbox. Batches that were claimed but not settled (a crash came between) come
    /// first. Only the owner calls this.
    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>>;

    /// Forgets a claimed batch: its messages are in the transcript, durably.
    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>>;

    /// Looks without taking: what `claim` would give now.
    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>>;

    /// How much mail has ever been stored for `owner`, in a measure of the store's own that grows with each message and never
    /// shrinks; `None` where the store cannot say. What was read before a `take` is in what it gives.
    fn end<'a>(&'a self, _owner: &'a MemberName) -> BoxFuture<'a, Result<Option<u64>, MailError>> {
        Box::pin(ready(Ok(None)))
    }

    /// Resolves when mail may have arrived for `owner` since this was last awaited. A doorbell: it carries nothing
    /// and may ring for nothing.
    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()>;
}

/// Why mail could not be sent or taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    #[error(
        "the message has {bytes} bytes, at most {max} are allowed; write it to a file and send the path"
    )]
    TooLarge { bytes: usize, max: usize },
    /// The recipient has too much unread mail.
    #[error("{to}'s mailbox is full ({bytes} bytes unread); wait until it has been read")]
    Full {
        to: MemberName,
        /// How much is in it.
        bytes: u64,
    },
    /// Somebody else holds the mailbox's lock.
    #[error("{owner}'s mailbox is locked by another process; nothing was sent, try again")]
    Locked { owner: MemberName },
    /// The write may or may not have reached the disk. Send the same message again.
    #[error("it is not known whether the mail to {to} was stored ({why}); send it again")]
    Unknown { to: MemberName, why: FileError },
    /// The mailbox cannot be used.
    #[error("{owner}'s mailbox failed: {why}; nothing was lost")]
    Broken { owner: MemberName, why: FileError },
}
