//! Pictures and documents, as both wires take them.

use std::sync::Arc;

use teammate_core::{
    MessageId,
    attachment::{Attachment, MediaType},
    block::Block,
    model::{ChatMessage, Role},
    tool::{CallId, Outcome, OutcomePart},
};
use teammate_testkit::{Answer, Server};

use crate::{ask, call, request};

fn turn(role: Role, blocks: Vec<Block>) -> Arc<ChatMessage> {
    Arc::new(ChatMessage::new(role, blocks, None))
}

/// A document and a picture, sent by the user and read by a tool.
fn shown() -> Vec<Arc<ChatMessage>> {
    let sent = |name: &str, kind| Attachment::new(name, kind, "aGkh".to_owned());
    let mail = MessageId::parse("m").unwrap();
    let read = Outcome {
        parts: vec![
            OutcomePart::Text("plan.pdf (application/pdf, 3 bytes)".into()),
            OutcomePart::Document {
                media_type: "application/pdf",
                name: "plan.pdf".into(),
                base64: "aGkh".into(),
            },
        ],
        is_error: false,
        ran: None,
        change: None,
        merge: None,
        refused: None,
    };
    vec![
        turn(
            Role::User,
            vec![
                Block::text("look"),
                Block::attachment(&sent("a.png", MediaType::Png), &mail),
                Block::attachment(&sent("b \"1\".pdf", MediaType::Pdf), &mail),
            ],
        ),
        turn(Role::Assistant, vec![call("c", "read_file", "{}")]),
        turn(
            Role::User,
            vec![Block::tool_result(&CallId::new("c".into()), &read)],
        ),
    ]
}

#[tokio::test]
async fn pictures_and_documents_are_taken_by_all_wires() {
    let server = Server::start(|_| Answer::text("x")).await.unwrap();
    ask(&crate::anthropic(&server.url()), request(&shown()))
        .await
        .0
        .unwrap();
    ask(&crate::openai(&server.url()), request(&shown()))
        .await
        .0
        .unwrap();
    ask(&crate::responses(&server.url()), request(&shown()))
        .await
        .0
        .unwrap();
    let seen = server.seen();
    assert_eq!((&seen[0].problem, &seen[1].problem), (&None, &None));
    assert_eq!(seen[2].problem, None);
    assert!(seen[2].body.contains(
        r#"{"type":"input_image","image_url":"data:image/png;base64,aGkh","detail":"auto"}"#
    ));
    assert!(
        seen[2]
            .body
            .contains(r#""filename":"plan.pdf","file_data":"data:application/pdf;base64,aGkh""#)
    );
    let pdf = r#""source":{"type":"base64","media_type":"application/pdf","data":"aGkh"}"#;
    for expected in [
        format!(r#"{{"type":"document",{pdf},"title":"b \"1\".pdf""#),
        format!(r#"{{"type":"document",{pdf},"title":"plan.pdf"}}"#),
    ] {
        assert!(seen[0].body.contains(&expected), "{}", seen[0].body);
    }
    let file = |name: &str| {
        format!(
            r#"{{"type":"file","file":{{"filename":"{name}","file_data":"data:application/pdf;base64,aGkh"}}}}"#
        )
    };
    let picture = r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,aGkh"}}"#;
    for expected in [
        format!(
            r#"{{"role":"user","content":[{picture},{},{{"type":"text","text":"look"}}]}}"#,
            file(r#"b \"1\".pdf"#)
        ),
        format!(
            r#"{{"role":"tool","tool_call_id":"c","content":"plan.pdf (application/pdf, 3 bytes)"}},{{"role":"user","content":[{}]}}"#,
            file("plan.pdf")
        ),
    ] {
        assert!(seen[1].body.contains(&expected), "{}", seen[1].body);
    }
}
