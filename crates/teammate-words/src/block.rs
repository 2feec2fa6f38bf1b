//! Content blocks: the pieces a chat message is made of, in the form of the Anthropic Messages API.
//!
//! A block is the exact bytes that were received or first written. It is never taken apart and put together
//! again, because providers check signatures over blocks and caches compare bytes.

mod media;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use self::media::Media;
use crate::{
    MessageId,
    attachment::{Attachment, AttachmentNote},
    tool::{CallId, Outcome, OutcomePart, ToolCall, ToolInput},
};

/// One content block, byte for byte.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Block {
    raw: Box<RawValue>,
    /// Where it comes from, if it is an attachment. Not part of its bytes.
    #[serde(skip)]
    attached: Option<Arc<AttachedTo>>,
}

/// Which attachment a block is.
#[derive(Debug, PartialEq, Eq)]
pub struct AttachedTo {
    /// The message that it came with.
    pub message: MessageId,
    pub file: AttachmentNote,
}

impl PartialEq for Block {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

/// The content of a block, read from its bytes on demand.
#[derive(Debug, Clone, PartialEq)]
pub enum BlockView {
    /// Text from the model.
    Text(String),
    /// The model wants a tool to run.
    ToolUse(ToolCall),
    /// Reasoning; sent back untouched.
    Thinking(String),
    /// A kind this version does not know; kept and sent back untouched.
    Other,
}

/// The fields of the blocks that are looked into. Unknown fields and kinds pass.
#[derive(Deserialize)]
struct RawFields<'a> {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    thinking: Option<String>,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default, borrow)]
    input: Option<&'a RawValue>,
    #[serde(default)]
    damaged_input: Option<String>,
}

/// The bytes of a picture or document.
#[derive(Serialize)]
struct MediaSource<'a> {
    r#type: &'static str,
    media_type: &'a str,
    data: &'a str,
}

impl<'a> MediaSource<'a> {
    fn of(media_type: &'a str, data: &'a str) -> Self {
        Self {
            r#type: "base64",
            media_type,
            data,
        }
    }
}

impl Block {
    /// Takes a JSON object as it is. `None` if it is not one.
    pub fn from_json(json: String) -> Option<Self> {
        let raw = RawValue::from_string(json).ok()?;
        raw.get().starts_with('{').then_some(Self {
            raw,
            attached: None,
        })
    }

    /// A text block of our own making.
    pub fn text(text: &str) -> Self {
        #[derive(Serialize)]
        struct Text<'a> {
            r#type: &'static str,
            text: &'a str,
        }
        Self::from_value(&Text {
            r#type: "text",
            text,
        })
    }

    /// A tool call. Input that was not JSON is replaced by `{}` (sending broken input back makes servers refuse
    /// the whole history) and kept beside it under `damaged_input`, which adapters leave out of requests.
    pub fn tool_use(call: &ToolCall) -> Self {
        #[derive(Serialize)]
        struct ToolUse<'a> {
            r#type: &'static str,
            id: &'a str,
            name: &'a str,
            input: &'a RawValue,
            #[serde(skip_serializing_if = "Option::is_none")]
            damaged_input: Option<&'a str>,
        }
        let empty = RawValue::from_string("{}".to_owned()).ok();
        let (input, damaged_input) = match &call.input {
            ToolInput::Json(raw) => (Some(&**raw), None),
            ToolInput::Damaged(text) => (empty.as_deref(), Some(text.as_str())),
        };
        let input = input.unwrap_or(RawValue::NULL);
        Self::from_value(&ToolUse {
            r#type: "tool_use",
            id: call.id.as_str(),
            name: &call.name,
            input,
            damaged_input,
        })
    }

    /// The answer to a tool call.
    pub fn tool_result(call: &CallId, outcome: &Outcome) -> Self {
        #[derive(Serialize)]
        struct ToolResult<'a> {
            r#type: &'static str,
            tool_use_id: &'a str,
            content: Vec<Content<'a>>,
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            is_error: bool,
        }
        #[derive(Serialize)]
        #[serde(tag = "type", rename_all = "snake_case")]
        enum Content<'a> {
            Text {
                text: &'a str,
            },
            Image {
                source: MediaSource<'a>,
            },
            Document {
                source: MediaSource<'a>,
                title: &'a str,
            },
        }
        let content = outcome
            .parts
            .iter()
            .map(|part| match part {
                OutcomePart::Text(text) => Content::Text { text },
                OutcomePart::Image { media_type, base64 } => Content::Image {
                    source: MediaSource::of(media_type, base64),
                },
                OutcomePart::Document {
                    media_type,
                    name,
                    base64,
                } => Content::Document {
                    source: MediaSource::of(media_type, base64),
                    title: name,
                },
            })
            .collect();
        Self::from_value(&ToolResult {
            r#type: "tool_result",
            tool_use_id: call.as_str(),
            content,
            is_error: outcome.is_error,
        })
    }

    /// A picture or document that came with this message.
    pub fn attachment(file: &Attachment, message: &MessageId) -> Self {
        #[derive(Serialize)]
        struct Media<'a> {
            r#type: &'static str,
            source: MediaSource<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            title: Option<&'a str>,
        }
        let is_picture = file.media_type().is_picture();
        let block = Self::from_value(&Media {
            r#type: if is_picture { "image" } else { "document" },
            source: MediaSource::of(file.media_type().as_str(), file.base64()),
            title: (!is_picture).then_some(file.name()),
        });
        let attached = AttachedTo {
            message: message.clone(),
            file: file.note(),
        };
        Self {
            attached: Some(Arc::new(attached)),
            ..block
        }
    }

    fn from_value<T: Serialize>(value: &T) -> Self {
        // Plain structs of strings always serialise; a failure would be a bug in the structs above.
        let raw = serde_json::value::to_raw_value(value).expect("a block of strings is JSON");
        Self {
            raw,
            attached: None,
        }
    }

    /// The exact bytes.
    pub fn json(&self) -> &str {
        self.raw.get()
    }

    /// Which attachment it is, if it is one.
    pub fn attached(&self) -> Option<&AttachedTo> {
        self.attached.as_deref()
    }

    /// Reads the content of the block.
    pub fn view(&self) -> BlockView {
        let Ok(peek) = serde_json::from_str::<RawFields<'_>>(self.json()) else {
            return BlockView::Other;
        };
        let RawFields {
            kind,
            text,
            thinking,
            id,
            name,
            input,
            damaged_input,
        } = peek;
        match (kind.as_str(), text, thinking, id, name) {
            ("text", Some(text), ..) => BlockView::Text(text),
            ("thinking", _, Some(thinking), ..) => BlockView::Thinking(thinking),
            ("tool_use", _, _, Some(id), Some(name)) => {
                let input = match (damaged_input, input) {
                    (Some(text), _) => ToolInput::Damaged(text),
                    (None, Some(raw)) => ToolInput::Json(raw.to_owned()),
                    (None, None) => ToolInput::Damaged(String::new()),
                };
                BlockView::ToolUse(ToolCall {
                    id: CallId::new(id),
                    name,
                    input,
                })
            }
            _ => BlockView::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive() {
        let json = r#"{"type":"tool_use","id":"t1","name":"x","input":{"n": 1e2,  "s":"\u00e9","big":12345678901234567890123}}"#;
        let block = Block::from_json(json.to_owned()).unwrap();
        assert_eq!(block.json(), json);
        assert_eq!(
            serde_json::to_string(&vec![&block]).unwrap(),
            format!("[{json}]")
        );
        let BlockView::ToolUse(call) = block.view() else {
            panic!()
        };
        let ToolInput::Json(input) = call.input else {
            panic!()
        };
        assert_eq!(
            input.get(),
            r#"{"n": 1e2,  "s":"\u00e9","big":12345678901234567890123}"#
        );
    }

    #[test]
    fn unknown_kinds_are_kept() {
        let json = r#"{"type":"server_tool_use","x":[1]}"#;
        let block = Block::from_json(json.to_owned()).unwrap();
        assert_eq!(block.view(), BlockView::Other);
        assert_eq!(block.json(), json);
    }

    #[test]
    fn what_is_no_object_is_no_block() {
        for json in ["", "[]", "1", "{", "\"text\"", "null"] {
            assert!(Block::from_json(json.to_owned()).is_none(), "{json}");
        }
    }

    #[test]
    fn broken_input_is_kept_beside_an_empty_one() {
        let call = ToolCall {
            id: CallId::new("t".into()),
            name: "bash".into(),
            input: ToolInput::Damaged("{\"comm".into()),
        };
        let block = Block::tool_use(&call);
        assert!(block.json().contains("\"input\":{}"));
        assert_eq!(block.view(), BlockView::ToolUse(call));
    }
}
