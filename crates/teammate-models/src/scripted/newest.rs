//! The newest user message of a conversation, parsed back into mail and tool results.

use std::sync::Arc;

use serde::Deserialize;
use teammate_core::{
    MessageKind,
    block::{Block, BlockView},
    model::{ChatMessage, Role},
};

use super::play::When;

/// The mail and the tool results of the newest message.
#[derive(Debug, Default)]
pub(super) struct Newest {
    mail: Vec<Mail>,
    results: Vec<ToolResult>,
}

/// One message. Text outside the inbox fence comes from the user.
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

impl Newest {
    /// The content of the last message of the user's role.
    pub(super) fn of(messages: &[Arc<ChatMessage>]) -> Self {
        let mut newest = Self::default();
        let last = messages
            .iter()
            .rev()
            .find(|message| message.role == Role::User);
        for block in last.iter().flat_map(|message| &message.blocks) {
            match block.view() {
                BlockView::Text(text) => newest.mail.extend(messages_in(&text)),
                BlockView::ToolUse(_) | BlockView::Thinking(_) => {}
                BlockView::Other => newest.results.extend(tool_result(block)),
            }
        }
        newest
    }

    /// True if a message or a result contains `text`.
    pub(super) fn contains(&self, text: &str) -> bool {
        self.texts().any(|each| each.contains(text))
    }

    /// Everything, in order.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let results = self.results.iter().map(|result| result.text.as_str());
        results.chain(self.mail.iter().map(|mail| mail.text.as_str()))
    }

    /// The last message that meets the conditions on mail.
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

    /// The last result that meets the conditions on results.
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

/// The messages in a text block, as `teammate_core::transcript` renders them.
fn messages_in(text: &str) -> Vec<Mail> {
    let fenced = text
        .strip_prefix("<inbox>\n")
        .and_then(|text| text.strip_suffix("</inbox>"));
    if let Some(fenced) = fenced {
        // A wire that joins texts has several fences in one.
        return fenced
            .split("</inbox>\n\n<inbox>\n")
            .flat_map(|fenced| fenced.split("\n</message>\n"))
            .filter_map(fenced_message)
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

fn fenced_message(message: &str) -> Option<Mail> {
    let (head, text) = message.strip_prefix("<message ")?.split_once(">\n")?;
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
    let parsed: Wired = serde_json::from_str(block.json()).ok()?;
    let texts: Vec<String> = parsed
        .content
        .into_iter()
        .filter_map(|piece| piece.text)
        .collect();
    (parsed.kind == "tool_result").then(|| ToolResult {
        text: texts.join("\n"),
        is_error: parsed.is_error,
    })
}
