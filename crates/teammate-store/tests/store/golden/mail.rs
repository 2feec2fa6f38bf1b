//! Mail: sealed lines of every kind, with the optional fields there and absent, and lines of other programs.

use serde_json::json;
use teammate_core::{
    Incarnation, Message, MessageId, MessageKind, Sender, Timestamp,
    attachment::{Attachment, Attachments, MediaType},
    mail::{ClaimedSender, Metadata},
    request::RequestId,
};
use teammate_store::wire::{chain::Log, mail};
use uuid::Uuid;

use super::{every, same_bytes};
use crate::{
    common,
    common::{inbox, name, other_seal, sealed_file},
};

pub(crate) fn kinds() -> Vec<MessageKind> {
    let all = every! { MessageKind:
        MessageKind::Message => [MessageKind::Message],
        MessageKind::Broadcast => [MessageKind::Broadcast],
        MessageKind::ShutdownRequest => [MessageKind::ShutdownRequest],
        MessageKind::ShutdownResponse => [MessageKind::ShutdownResponse],
        MessageKind::PlanApprovalRequest => [MessageKind::PlanApprovalRequest],
        MessageKind::PlanApprovalResponse => [MessageKind::PlanApprovalResponse],
        MessageKind::PermissionRequest => [MessageKind::PermissionRequest],
        MessageKind::PermissionResponse => [MessageKind::PermissionResponse],
        MessageKind::IdleNotification => [MessageKind::IdleNotification],
        MessageKind::TaskAssignment => [MessageKind::TaskAssignment],
        MessageKind::TeammateTerminated => [MessageKind::TeammateTerminated],
        MessageKind::TaskNotification => [MessageKind::TaskNotification],
    };
    assert_eq!(all, MessageKind::ALL);
    all
}

pub(crate) fn senders() -> Vec<Sender> {
    every! { Sender:
        Sender::User => [Sender::User],
        Sender::System => [Sender::System],
        Sender::Member(_) => [Sender::Member(name("alice"))],
        Sender::Unverified(_) => [Sender::Unverified(ClaimedSender::new("lead <b>"))],
    }
}

/// A plain message of each kind, and one with all that a message may have.
pub(crate) fn messages() -> Vec<Message> {
    let mut all: Vec<_> = (1..)
        .zip(kinds())
        .map(|(at, kind)| Message {
            kind,
            ..common::mail(&format!("m{at}"), "bob", "hi\n\u{1b} \"there\"\u{2028} ñ")
        })
        .collect();
    all.push(Message {
        id: MessageId::derived(Uuid::from_u128(7), "user/1"),
        kind: MessageKind::PlanApprovalResponse,
        from: Sender::User,
        from_incarnation: Some(Incarnation(2)),
        to: name("bob"),
        to_incarnation: Some(Incarnation(3)),
        content: String::new(),
        sent_at: Timestamp(0),
        request_id: Some(RequestId::new(1)),
        wakes: Some(true),
        metadata: Metadata::of_others(
            json!({"z": [1, {"a": null}], "a": 1.5})
                .as_object()
                .unwrap()
                .clone(),
        ),
    });
    all.push(Message {
        from: Sender::System,
        ..common::mail("m14", "bob", "from the harness")
    });
    all
}

/// A message of the user with an attachment of each type.
pub(crate) fn attached() -> Message {
    let files = MediaType::ALL.map(|kind| Attachment::new("a \"b\".x", kind, "aGk=".to_owned()));
    let mut message = Message {
        from: Sender::User,
        from_incarnation: None,
        ..common::mail("m15", "bob", "see @a.png")
    };
    message.metadata.attachments = Attachments::try_from(files.to_vec()).unwrap();
    message
}

#[test]
fn attachments_are_written_and_read_as_ever() {
    let written = sealed_file(&inbox(), &[mail::to_json(&attached())]);
    same_bytes("mail-attached-2.jsonl", &written);
    let golden = include_bytes!("../../golden/mail-attached-2.jsonl");
    let file = mail::read_all(golden, &name("bob"), "inbox", &inbox());
    assert_eq!(file.messages, [attached()]);
}

#[test]
fn every_kind_of_mail_is_written_and_read_as_ever() {
    let objects: Vec<String> = messages().iter().map(mail::to_json).collect();
    same_bytes("mail-2.jsonl", &sealed_file(&inbox(), &objects));
    let golden = include_bytes!("../../golden/mail-2.jsonl");
    let file = mail::read_all(golden, &name("bob"), "inbox", &inbox());
    assert_eq!(file.messages, messages());
    assert_eq!((file.damaged.len(), file.unsealed.len()), (0, 0));
    assert_eq!(file.gaps, [""; 0]);
}

/// The same bytes prove nothing with another key, and those of the first envelope prove nothing any more. They stay readable.
#[test]
fn mail_of_another_key_or_of_the_first_envelope_is_readable_and_proves_nothing() {
    let bob = name("bob");
    let other_key = Log::inbox(other_seal(), &bob);
    for (golden, log) in [
        (&include_bytes!("../../golden/mail-2.jsonl")[..], other_key),
        (&include_bytes!("../../golden/mail-1.jsonl")[..], inbox()),
    ] {
        let file = mail::read_all(golden, &bob, "inbox", &log);
        let is_unverified = |message: &Message| matches!(message.from, Sender::Unverified(_));
        assert_eq!(file.messages.len(), messages().len());
        assert!(file.messages.iter().all(is_unverified));
        let read = golden
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| mail::read_unproven(line, &bob, "inbox").unwrap());
        assert_eq!(read.collect::<Vec<_>>(), messages());
    }
}
