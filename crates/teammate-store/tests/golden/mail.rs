//! Mail: sealed lines of every kind, with the optional fields there and absent, and lines of other programs.

use serde_json::json;
use teammate_core::{
    Incarnation, Message, MessageId, MessageKind, Sender, Timestamp, mail::Claimed,
};
use teammate_store::{seal::Seal, wire::mail};
use uuid::Uuid;

use crate::{common, common::name, every, same_bytes};

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
        Sender::Unverified(_) => [Sender::Unverified(Claimed::new("lead <b>"))],
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
        request_id: Some("req_000001".into()),
        metadata: json!({"wakes": true, "z": [1, {"a": null}], "a": 1.5})
            .as_object()
            .unwrap()
            .clone(),
    });
    all.push(Message {
        from: Sender::System,
        ..common::mail("m14", "bob", "from the harness")
    });
    all
}

fn seal() -> Seal {
    let seal = Seal::new(&[7; 32]);
    seal.belongs_to(Uuid::from_u128(7));
    seal
}

#[test]
fn every_kind_of_mail_is_written_and_read_as_ever() {
    let written: Vec<u8> = messages()
        .iter()
        .flat_map(|message| mail::write(message, &seal()))
        .collect();
    same_bytes("mail-1.jsonl", &written);
    let file = mail::read_all(&written, &name("bob"), "inbox", &seal());
    assert_eq!(file.messages, messages());
    assert_eq!((file.damaged.len(), file.unsealed.len()), (0, 0));
}

/// The same bytes prove nothing to another user, or for another team.
#[test]
fn mail_is_nobodys_under_another_key_or_team() {
    let golden = include_bytes!("mail-1.jsonl");
    let other_team = Seal::new(&[7; 32]);
    other_team.belongs_to(Uuid::from_u128(8));
    let other_key = Seal::new(&[8; 32]);
    other_key.belongs_to(Uuid::from_u128(7));
    for seal in [other_team, other_key] {
        let file = mail::read_all(golden, &name("bob"), "inbox", &seal);
        assert_eq!(file.messages.len(), messages().len());
        assert!(
            file.messages
                .iter()
                .all(|message| matches!(message.from, Sender::Unverified(_)))
        );
    }
}
