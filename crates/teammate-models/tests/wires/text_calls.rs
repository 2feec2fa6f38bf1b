//! Models whose server leaves the calls of their template in the text.

use std::sync::Arc;

use teammate_core::{
    block::{Block, BlockView},
    model::{ChatMessage, Reply, Role, StopReason, StreamPart},
    port::Model,
    tool::Outcome,
};
use teammate_models::{ModelFacts, ModelSettings};
use teammate_testkit::{Answer, Server};

use crate::{ask, blocks, heard, request, user_says};

/// What a model of this template is heard to say, and what of it is shown: text, and names of calls.
async fn said(template: &str, text: &str) -> (Reply, String, Vec<String>) {
    let settings = || ModelSettings {
        facts: toml::from_str::<ModelFacts>(&format!("text_calls = '{template}'")).unwrap(),
        ..ModelSettings::default()
    };
    let openai =
        |url: &str| -> Box<dyn Model> { Box::new(crate::openai(url).with_settings(settings())) };
    let (reply, parts) = heard(Answer::text(text).in_chunks_of(40), openai).await;
    let (mut shown, mut calls) = (String::new(), Vec::new());
    for part in parts {
        match part {
            StreamPart::Text(text) => shown.push_str(&text),
            StreamPart::ToolUse { name } => calls.push(name),
            StreamPart::Started | StreamPart::Thinking(_) | StreamPart::Adapted(_) => {}
        }
    }
    (reply.unwrap(), shown, calls)
}

/// The calls of an answer, each in a line.
fn calls(reply: &Reply) -> Vec<String> {
    let calls = reply.blocks.iter().filter_map(|block| match block.view() {
        BlockView::ToolUse(call) => Some(format!("{} {:?}", call.name, call.input)),
        BlockView::Text(_) | BlockView::Thinking(_) | BlockView::Other => None,
    });
    calls.collect()
}

#[tokio::test]
async fn a_call_in_the_text_is_a_call_and_is_not_shown() {
    let call = r#"{"name": "bash", "arguments": {"command": "ls"}}"#;
    for (template, text, before) in [
        (
            "hermes",
            format!("I look.\n<tool_call>\n{call}\n</tool_call>"),
            "I look.",
        ),
        ("hermes", format!("```json\n{call}\n```"), ""),
        ("mistral", format!("[TOOL_CALLS][{call}]"), ""),
        ("llama", call.replace("arguments", "parameters"), ""),
    ] {
        let (reply, shown, names) = said(template, &text).await;
        assert_eq!(reply.stop, StopReason::ToolUse, "{text}");
        assert_eq!(calls(&reply).len(), 1, "{text}");
        assert!(
            calls(&reply)[0].contains(r#"{"command": "ls"}"#),
            "{:?}",
            calls(&reply)
        );
        assert_eq!(names, ["bash"], "{text}");
        assert_eq!(shown.trim_end(), before, "{text}");
        assert_eq!(reply.text(), before, "{text}");
    }
}

#[tokio::test]
async fn a_quoted_call_and_one_of_no_tool_stay_text() {
    for text in [
        "Write `<tool_call>{\"name\": \"bash\", \"arguments\": {}}</tool_call>`.",
        "```\n<tool_call>{\"name\": \"bash\", \"arguments\": {}}</tool_call>\n```\nis the form.",
        r#"{"name": "fly", "arguments": {}}"#,
        "[1, 2]",
    ] {
        let (reply, shown, names) = said("hermes", text).await;
        assert_eq!(reply.stop, StopReason::EndTurn, "{text}");
        assert_eq!(blocks(&reply), [Block::text(text).json()], "{text}");
        assert_eq!((shown.as_str(), names.len()), (text, 0));
    }
}

#[tokio::test]
async fn without_a_known_template_it_stays_text() {
    let text = r#"<tool_call>{"name": "bash", "arguments": {}}</tool_call>"#;
    let openai = |url: &str| -> Box<dyn Model> { Box::new(crate::openai(url)) };
    let (reply, _) = heard(Answer::text(text), openai).await;
    assert_eq!(reply.unwrap().text(), text);
}

#[tokio::test]
async fn calls_of_two_answers_have_ids_of_their_own() {
    let text = r#"<tool_call>{"name": "bash", "arguments": {}}</tool_call>"#;
    let server = Server::start(move |_| Answer::text(text)).await.unwrap();
    let facts = toml::from_str::<ModelFacts>("text_calls = 'hermes'").unwrap();
    let model = crate::openai(&server.url()).with_settings(ModelSettings {
        facts,
        ..ModelSettings::default()
    });
    let mut messages = user_says("hi");
    let first = ask(&model, request(&messages)).await.0.unwrap();
    let id = first.calls()[0].id.clone();
    let result = Block::tool_result(&id, &Outcome::ok("a.txt"));
    for (role, blocks) in [(Role::Assistant, first.blocks), (Role::User, vec![result])] {
        messages.push(Arc::new(ChatMessage::new(role, blocks, None)));
    }
    let second = ask(&model, request(&messages)).await.0.unwrap();
    assert_ne!(second.calls()[0].id, id);
    assert_eq!(server.refused(), [] as [String; 0]);
}
