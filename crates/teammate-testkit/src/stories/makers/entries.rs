//! An entry of every form that a transcript can hold.

use serde_json::json;
use teammate_core::{
    Incarnation, Message, MessageId, MessageKind, Sender,
    attachment::{Attachment, Attachments, MediaType},
    block::Block,
    mail::Metadata,
    model::{Reply, StopReason, Usage, Wire},
    request::RequestId,
    team::{ConversationId, Term},
    tool::{CallId, Outcome, OutcomePart},
    transcript::{Compacted, EndReason, Entry, Handover},
};

use super::mail;

/// One entry of every form, as bob may have them.
pub fn every_entry() -> Vec<Entry> {
    let mut frame = mail("m2", "bob", "finished");
    frame.kind = MessageKind::IdleNotification;
    frame.from = Sender::System;
    frame.from_incarnation = Some(Incarnation(2));
    frame.to_incarnation = Some(Incarnation(3));
    frame.request_id = Some(RequestId::new(1));
    frame.wakes = Some(false);
    let others = json!({"z": [1, {"a": null}], "a": 1.5});
    frame.metadata = Metadata::of_others(others.as_object().unwrap().clone());
    let reply = |blocks, stop| Reply {
        blocks,
        stop,
        usage: Usage {
            input: 1,
            output: 2,
            cache_read: 3,
            cache_write: 4,
            ..Usage::default()
        },
        model: "claude".into(),
        wire: Wire::Anthropic,
    };
    vec![
        Entry::Heard(vec![
            mail("m1", "bob", "hi\n\u{1b} \"there\"\u{2028}"),
            frame,
        ]),
        Entry::Answered(reply(
            vec![
                block(r#"{"type":"thinking","thinking":"hm","signature":"Zm9v\u002b="}"#),
                block(
                    r#"{"type":"tool_use","id":"t1","name":"bash","input":{"n": 1e2,  "s":"\u00e9","big":12345678901234567890123}}"#,
                ),
                block("{\n  \"type\": \"text\",\r\n  \"text\": \"a\"\n}"),
            ],
            StopReason::ToolUse,
        )),
        Entry::ToolOutcomes(vec![
            (CallId::new("t1".into()), Outcome::ok("fine")),
            (
                CallId::new("t2".into()),
                Outcome {
                    parts: vec![
                        OutcomePart::Text("see".into()),
                        OutcomePart::Image {
                            media_type: "image/png",
                            base64: "aGk=".into(),
                        },
                    ],
                    is_error: true,
                    ran: None,
                    change: None,
                    merge: None,
                    refused: None,
                },
            ),
        ]),
        Entry::Answered(reply(Vec::new(), StopReason::Other("tired".into()))),
        Entry::Prompted("go on".into()),
        Entry::TurnEnded(EndReason::Done),
        Entry::TurnEnded(EndReason::Interrupted),
        Entry::TurnEnded(EndReason::Failed {
            what: "no key".into(),
        }),
        Entry::TurnEnded(EndReason::Limit {
            what: "50 rounds".into(),
        }),
        Entry::MemoryReset,
        Entry::Shortened {
            calls: vec![CallId::new("t1".into()), CallId::new("t2".into())],
            mail: Vec::new(),
            before: 170_000,
        },
        Entry::SummaryFailed {
            model: "claude".into(),
            usage: Usage {
                input: 5,
                ..Usage::default()
            },
        },
        Entry::Compacted(Compacted {
            summary: "all is\n\"well\"".into(),
            recap: "You are bob.".into(),
            mail_bytes_max: 200_000,
            before: 171_000,
            model: "claude".into(),
            usage: Usage {
                input: 1,
                output: 2,
                cache_read: 3,
                cache_write: 4,
                ..Usage::default()
            },
        }),
        Entry::Conversation(ConversationId::FIRST.next()),
        Entry::Heard(vec![picture()]),
        Entry::ToolOutcomes(vec![(
            CallId::new("t3".into()),
            Outcome {
                parts: vec![OutcomePart::Document {
                    media_type: "application/pdf",
                    name: "a.pdf".into(),
                    base64: "aGk=".into(),
                }],
                is_error: false,
                ran: None,
                change: None,
                merge: None,
                refused: None,
            },
        )]),
        Entry::Shortened {
            calls: vec![CallId::new("t3".into())],
            mail: vec![MessageId::parse("m3").unwrap()],
            before: 9_000,
        },
        Entry::HandedOver(Handover {
            session: "s1".into(),
            again: false,
        }),
        Entry::HandedOver(Handover {
            session: "s1".into(),
            again: true,
        }),
        Entry::Taken { term: Term(2) },
    ]
}

fn block(json: &str) -> Block {
    Block::from_json(json.to_owned()).unwrap()
}

/// A message of the user with a picture.
fn picture() -> Message {
    let file = Attachment::new("a.png", MediaType::Png, "aGk=".to_owned());
    let mut message = mail("m3", "bob", "see");
    (message.from, message.from_incarnation) = (Sender::User, None);
    message.metadata.attachments = Attachments::try_from(vec![file]).unwrap();
    message
}
