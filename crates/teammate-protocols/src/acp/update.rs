//! Updates of an agent about a session while it works.

use serde::Deserialize;
use serde_json::Value;

use crate::acp::failure::words;

/// How much of one text is kept, in bytes.
const TEXT_MAX: usize = 1 << 20;

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq)]
pub enum Update {
    /// Words of the agent.
    Text(String),
    Thought(String),
    /// A prompt of the past, of a session that is loaded.
    Prompt(String),
    /// A tool call began or went on.
    Tool(ToolPart),
    /// Its mode is another one.
    Mode(String),
    /// How much of its context is used, in tokens, and what the session has cost, if it says that.
    Usage {
        /// Tokens.
        used: u64,
        /// An amount and the name of the money.
        cost: Option<(f64, String)>,
    },
    /// Anything else, by its name: a plan, commands, a title, and what later versions have.
    Other(String),
}

/// A part of a tool call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolPart {
    pub call: String,
    /// The agent's title of it, in a line.
    pub title: String,
    /// Its kind, in the protocol's word.
    pub kind: String,
    /// How far it is, in the protocol's word: `pending`, `in_progress`, `completed`, `failed`; empty if nothing is said.
    pub status: String,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Fields {
    content: Value,
    tool_call_id: String,
    title: Option<String>,
    kind: Option<String>,
    status: Option<String>,
    current_mode_id: String,
    used: u64,
    cost: Option<Money>,
}

#[derive(Deserialize)]
struct Money {
    amount: f64,
    #[serde(default)]
    currency: String,
}

impl Update {
    /// Reads an update: one that is not understood is known by its name only.
    pub(crate) fn read(update: &Value) -> Self {
        let name = update["sessionUpdate"].as_str().unwrap_or_default();
        let fields = match Fields::deserialize(update) {
            Ok(fields) => fields,
            Err(_) => return Self::Other(words(name)),
        };
        match name {
            "agent_message_chunk" => Self::Text(text(&fields.content)),
            "agent_thought_chunk" => Self::Thought(text(&fields.content)),
            "user_message_chunk" => Self::Prompt(text(&fields.content)),
            "tool_call" | "tool_call_update" => Self::Tool(ToolPart {
                call: words(&fields.tool_call_id),
                title: words(&fields.title.unwrap_or_default()),
                kind: words(&fields.kind.unwrap_or_default()),
                status: words(&fields.status.unwrap_or_default()),
            }),
            "current_mode_update" => Self::Mode(words(&fields.current_mode_id)),
            "usage_update" => Self::Usage {
                used: fields.used,
                cost: fields.cost.map(|it| (it.amount, words(&it.currency))),
            },
            other => Self::Other(words(other)),
        }
    }
}

/// The text of a block, cut where it is longer than anybody says at once.
fn text(content: &Value) -> String {
    let text = content["text"].as_str().unwrap_or_default();
    text[..text.floor_char_boundary(TEXT_MAX)].to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn updates_are_read_and_bounded() {
        let chunk = |text: &str| json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": text } });
        assert_eq!(Update::read(&chunk("hi")), Update::Text("hi".into()));
        let Update::Text(long) = Update::read(&chunk(&"é".repeat(2 << 20))) else {
            panic!("no text");
        };
        assert_eq!(long.len(), TEXT_MAX);
        for (update, name) in [
            (json!({ "sessionUpdate": "plan", "entries": [] }), "plan"),
            (
                json!({ "sessionUpdate": "hologram\u{7}" }),
                "hologram\\u{7}",
            ),
            (
                json!({ "sessionUpdate": "usage_update", "used": "all" }),
                "usage_update",
            ),
            (json!({ "sessionUpdate": 7 }), ""),
            (json!(7), ""),
        ] {
            assert_eq!(
                Update::read(&update),
                Update::Other(name.into()),
                "{update}"
            );
        }
    }
}
