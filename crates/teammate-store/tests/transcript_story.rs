//! The story of a transcript, told in every world: one owner, nothing forgotten.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::{Files, World, mail, name, sealed_transcript, worlds};
use serde_json::json;
use teammate_core::{
    Incarnation, Message, MessageId, MessageKind, Sender,
    attachment::{Attachment, Attachments, MediaType},
    block::Block,
    mail::Metadata,
    model::{Reply, StopReason, Usage, Wire},
    port::{TranscriptError, TranscriptStore},
    request::RequestId,
    team::{ConversationId, Term},
    tool::{CallId, Outcome, OutcomePart},
    transcript::{Compacted, EndReason, Entry, Handover},
};
use teammate_store::wire;

fn block(json: &str) -> Block {
    Block::from_json(json.to_owned()).unwrap()
}

/// One entry of every form.
fn every_form() -> Vec<Entry> {
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
        Entry::Heard(vec![attached()]),
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

/// A message of the user with a picture.
fn attached() -> Message {
    let file = Attachment::new("a.png", MediaType::Png, "aGk=".to_owned());
    let mut message = mail("m3", "bob", "see");
    (message.from, message.from_incarnation) = (Sender::User, None);
    message.metadata.attachments = Attachments::try_from(vec![file]).unwrap();
    message
}

#[tokio::test]
async fn every_entry_reads_back_as_it_was() {
    for World {
        name: world,
        transcripts,
        ..
    } in worlds()
    {
        let bob = name("bob");
        assert_eq!(transcripts.peek(&bob).await.unwrap(), [], "{world}");
        let mut open = transcripts.open(&bob).await.unwrap();
        assert_eq!((open.entries.len(), open.repairs.len()), (0, 0), "{world}");
        for entry in every_form() {
            open.log.append(&entry).await.unwrap();
        }
        assert_eq!(
            transcripts.peek(&bob).await.unwrap(),
            every_form(),
            "{world}"
        );
        drop(open);
        let open = transcripts.open(&bob).await.unwrap();
        assert_eq!(open.entries, every_form(), "{world}");
        assert_eq!(open.repairs, [""; 0], "{world}");
    }
}

#[tokio::test]
async fn there_is_one_owner_at_a_time() {
    for World {
        name: world,
        transcripts,
        ..
    } in worlds()
    {
        let bob = name("bob");
        let first = transcripts.open(&bob).await.unwrap();
        match transcripts.open(&bob).await {
            Err(TranscriptError::Owned { by, .. }) => {
                assert_eq!(by, format!("process {}", std::process::id()), "{world}");
            }
            Err(error) => panic!("{world}: {error}"),
            Ok(_) => panic!("{world}: two owners"),
        }
        drop(first);
        transcripts.open(&bob).await.unwrap();
    }
}

/// A command that begins while a loop ends holds a copy of the lock until it runs its own program.
#[tokio::test]
async fn an_owner_that_is_just_letting_go_is_waited_for() {
    let files = Files::real();
    let transcripts = files.transcripts();
    let bob = name("bob");
    let first = transcripts.open(&bob).await.unwrap();
    let opening = tokio::spawn(async move { transcripts.open(&bob).await.map(|_| ()) });
    // It finds the lock held before it is let go.
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    drop(first);
    opening.await.unwrap().unwrap();
}

#[test]
fn the_lines_of_version_1_stay_readable() {
    let golden = include_str!("golden/transcript-1.jsonl");
    let mut written = wire::entry::header(&name("bob")) + "\n";
    for entry in every_form() {
        written += &(wire::entry::to_json(&entry) + "\n");
    }
    let file = wire::entry::read_all(golden.as_bytes());
    assert_eq!(written, golden);
    assert_eq!((file.entries, file.damaged), (every_form(), Vec::new()));
}

#[tokio::test]
async fn a_torn_end_is_cut_and_kept() {
    let files = Files::real();
    let bob = name("bob");
    let path = files.dir.transcript(&bob);
    let whole = sealed_transcript(&every_form());
    files.transcripts().open(&bob).await.unwrap();
    files.disk.write(&path, &whole[..whole.len() - 5]).unwrap();

    assert_eq!(
        files.transcripts().peek(&bob).await.unwrap().len(),
        every_form().len() - 1
    );
    let mut open = files.transcripts().open(&bob).await.unwrap();
    assert_eq!(open.entries.len(), every_form().len() - 1);
    assert!(
        open.repairs[0].contains("transcript.bad.jsonl"),
        "{:?}",
        open.repairs
    );
    let last = every_form().pop().unwrap();
    open.log.append(&last).await.unwrap();
    drop(open);
    let open = files.transcripts().open(&bob).await.unwrap();
    assert_eq!((open.entries, open.repairs), (every_form(), Vec::new()));
}

#[tokio::test]
async fn a_damaged_line_costs_itself_only() {
    let files = Files::real();
    let bob = name("bob");
    files.transcripts().open(&bob).await.unwrap();
    let golden = String::from_utf8(sealed_transcript(&every_form())).unwrap();
    for at in 0..golden.lines().count() {
        let lines: Vec<_> = golden
            .lines()
            .enumerate()
            .map(|(n, line)| {
                if n == at {
                    line.replacen(':', ";", 1) + "\n"
                } else {
                    format!("{line}\n")
                }
            })
            .collect();
        files
            .disk
            .write(&files.dir.transcript(&bob), lines.concat().as_bytes())
            .unwrap();
        let open = files.transcripts().open(&bob).await.unwrap();
        let mut expected = every_form();
        if let Some(entry) = at.checked_sub(1) {
            expected.remove(entry);
        }
        assert_eq!(open.entries, expected);
        assert!(
            open.repairs[0].contains(&format!("line {} of", at + 1)),
            "{:?}",
            open.repairs
        );
    }
}
