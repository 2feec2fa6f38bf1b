//! What a member has just heard: the newest message of its conversation, taken apart again into mail and results.

use std::sync::Arc;

use serde::Deserialize;
use teammate_core::{
    MessageKind,
    block::{Block, BlockView},
    model::{ChatMessage, Role},
};

use super::play::When;

/// The newest message.
#[derive(Debug, Default)]
pub(super) struct Heard {
    mail: Vec<Mail>,
    results: Vec<ToolResult>,
}

/// One letter. What stands outside the inbox fence comes from the person.
#[derive(Debug)]
pub(super) struct Mail {
    pub(super) from: String,
    pub(super) kind: String,
    pub(super) request_id: Option<String>,
    pub(super) text: String,
}

/// One tool's answer.
#[derive(Debug)]
pub(super) struct ToolResult {
    pub(super) text: String,
    pub(super) is_error: bool,
}

impl Heard {
    /// Of the last message that is the user's.
    pub(super) fn newest(messages: &[Arc<ChatMessage>]) -> Self {
        let mut heard = Self::default();
        let newest = messages
            .iter()
            .rev()
            .find(|message| message.role == Role::User);
        for block in newest.iter().flat_map(|message| &message.blocks) {
            match block.view() {
                BlockView::Text(text) => heard.mail.extend(letters(&text)),
                BlockView::ToolUse(_) | BlockView::Thinking(_) => {}
                BlockView::Other => heard.results.extend(tool_result(block)),
            }
        }
        heard
    }

    /// Whether any of it has this text in it.
    pub(super) fn contains(&self, text: &str) -> bool {
        self.texts().any(|heard| heard.contains(text))
    }

    /// Everything, in order.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let results = self.results.iter().map(|result| result.text.as_str());
        results.chain(self.mail.iter().map(|mail| mail.text.as_str()))
    }

    /// The last letter that the conditions on mail hold of.
    pub(super) fn mail(&self, when: Option<&When>) -> Option<&Mail> {
        self.mail.iter().rev().find(|mail| {
            when.is_none_or(|when| {
                when.mail_from
                    .as_ref()
                    .is_none_or(|from| *from == mail.from)
                    && when.mail_type.is_none_or(|kind| kind.as_str() == mail.kind)
                    && when
                        .mail_contains
                        .as_ref()
                        .is_none_or(|text| mail.text.contains(text))
            })
        })
    }

    /// The last result that the conditions on results hold of.
    pub(super) fn result(&self, when: Option<&When>) -> Option<&ToolResult> {
        self.results.iter().rev().find(|result| {
            when.is_none_or(|when| {
                when.tool_failed
                    .is_none_or(|failed| failed == result.is_error)
                    && when
                        .tool_result_contains
                        .as_ref()
                        .is_none_or(|text| result.text.contains(text))
            })
        })
    }
}

/// The letters in a text block, as `teammate_core::transcript` renders them.
fn letters(text: &str) -> Vec<Mail> {
    let fenced = text
        .strip_prefix("<inbox>\n")
        .and_then(|text| text.strip_suffix("</inbox>"));
    if let Some(fenced) = fenced {
        // A wire that joins texts has several fences in one.
        return fenced
            .split("</inbox>\n\n<inbox>\n")
            .flat_map(|fenced| fenced.split("\n</message>\n"))
            .filter_map(fenced_letter)
            .collect();
    }
    let mail = |from: &str, kind: MessageKind, text: &str| Mail {
        from: from.to_owned(),
        kind: kind.as_str().to_owned(),
        request_id: None,
        text: text.to_owned(),
    };
    let assignment = text
        .strip_prefix("Your assignment from ")
        .and_then(|text| text.split_once(":\n\n"));
    vec![match assignment {
        Some((from, text)) => mail(from, MessageKind::TaskAssignment, text),
        None => mail("user", MessageKind::Message, text),
    }]
}

fn fenced_letter(letter: &str) -> Option<Mail> {
    let (head, text) = letter.strip_prefix("<message ")?.split_once(">\n")?;
    let attribute = |name: &str| {
        let (_, value) = head.split_once(&format!("{name}=\""))?;
        Some(value.split('"').next().unwrap_or(value).to_owned())
    };
    Some(Mail {
        from: attribute("from")?,
        kind: attribute("type")?,
        request_id: attribute("request_id"),
        text: text.to_owned(),
    })
}

fn tool_result(block: &Block) -> Option<ToolResult> {
    #[derive(Deserialize)]
    struct Wired {
        #[serde(rename = "type")]
        kind: String,
        #[serde(default)]
        content: Vec<Piece>,
        #[serde(default)]
        is_error: bool,
    }
    #[derive(Deserialize)]
    struct Piece {
        text: Option<String>,
    }
    let wired: Wired = serde_json::from_str(block.json()).ok()?;
    let texts: Vec<String> = wired
        .content
        .into_iter()
        .filter_map(|piece| piece.text)
        .collect();
    (wired.kind == "tool_result").then(|| ToolResult {
        text: texts.join("\n"),
        is_error: wired.is_error,
    })
}
