//! What stories are made of: messages, events, and an entry of every form.

mod entries;

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

use teammate_core::{
    Incarnation, MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    attachment::{ATTACHMENTS_BYTES_MAX, ATTACHMENTS_MAX, Attachment, Attachments, MediaType},
    mail::Metadata,
    port::Batch,
    team::TeamEvent,
};

pub use entries::every_entry;

/// A member's name.
pub fn name(text: &str) -> MemberName {
    MemberName::parse(text).unwrap()
}

/// Mail of alice.
pub fn mail(id: &str, to: &str, content: &str) -> Message {
    Message {
        id: MessageId::parse(id).unwrap(),
        kind: MessageKind::Message,
        from: Sender::Member(name("alice")),
        from_incarnation: None,
        to: name(to),
        to_incarnation: None,
        content: content.into(),
        sent_at: Timestamp(1_732_230_000_500),
        wakes: None,
        request_id: None,
        metadata: Metadata::default(),
    }
}

/// The user's message to bob with so many pictures of so many bytes.
pub fn attached(id: &str, count: usize, bytes: usize) -> Message {
    let file = |at: usize| Attachment::new(&format!("{at}.png"), MediaType::Png, "A".repeat(bytes));
    let mut message = mail(id, "bob", "see");
    (message.from, message.from_incarnation) = (Sender::User, None);
    let files: Vec<_> = (0..count).map(file).collect();
    message.metadata.attachments = Attachments::try_from(files).unwrap();
    message
}

/// The same, as large as a message can be.
pub fn largest(id: &str) -> Message {
    attached(id, ATTACHMENTS_MAX, ATTACHMENTS_BYTES_MAX / ATTACHMENTS_MAX)
}

/// The ids in batches, in order.
pub fn ids(batches: &[Batch]) -> Vec<String> {
    batches
        .iter()
        .flat_map(|batch| &batch.messages)
        .map(|message| message.id.to_string())
        .collect()
}

/// The events of one record.
pub fn working(n: u64) -> Vec<TeamEvent> {
    vec![TeamEvent::Working {
        member: name("alice"),
        incarnation: Incarnation(u32::try_from(n).unwrap()),
    }]
}

/// Polls a future once and drops it: somebody who gives up.
pub fn give_up<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    match future.as_mut().poll(&mut context) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
