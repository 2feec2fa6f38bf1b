//! Tools: how one is described, called and answered. What a tool does is in its adapter.

mod call;
mod mended;
mod names;

use std::{borrow::Cow, fmt, sync::Arc};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

pub use call::{
    DIFF_BYTES_MAX, Excerpt, FileChange, INPUT_BYTES_MAX, MergeEnd, OUTPUT_BYTES_MAX, RefusedBy,
};
pub use names::ToolNames;

/// The effects that a tool can have on the world. Decides whether calls may run side by side, whether a call may be run again
/// after a crash, and which permission it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// Looks only, at files or at the web, where each host is decided about apart. Runs beside other readers; run again after a
    /// crash.
    Reads,
    /// Changes files in the workspace.
    Writes,
    /// Runs a program, which can do anything.
    Executes,
    /// Calls a service outside of the team (a tool server), which can do anything and sees what it is sent.
    /// Needs the same permission as a program, alone at a time, and is not called again after a crash.
    Calls,
    /// Starts a subagent, whose own calls are each checked. Runs beside others like it; not run again after
    /// a crash.
    Delegates,
    /// Touches the team only (mail, roster). Its effects carry ids derived from the call, so running it
    /// again after a crash does nothing twice.
    Team,
}

/// A tool's name, fixed in the program or made while it runs: letters, digits, `_` and `-`.
pub type ToolName = Cow<'static, str>;

/// How a tool is shown to a model.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    /// The name the model calls.
    pub name: ToolName,
    /// A description of the tool and of when to use it, for the model. A template of [`ToolNames::render`], and so is the
    /// schema, until [`shown`](Self::shown) makes them what a model reads.
    pub description: Cow<'static, str>,
    /// JSON Schema of its input, kept byte for byte so that the prompt prefix is stable.
    pub schema: Box<RawValue>,
    /// The effects that it can have on the world.
    pub class: EffectClass,
}

impl ToolSpec {
    /// The tool as a model is shown it: by these names, its own and those of others that it mentions.
    #[must_use]
    pub fn shown(&self, names: &ToolNames) -> Self {
        let schema = RawValue::from_string(names.render(self.schema.get()));
        Self {
            name: names.of(&self.name).to_owned().into(),
            description: names.render(&self.description).into(),
            schema: schema
                .expect("a tool's name is a word, which changes nothing in a JSON string"),
            class: self.class,
        }
    }
}

/// The provider's id of a tool call; its answer must carry the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(Arc<str>);

impl CallId {
    /// Takes the id as the provider gave it.
    pub fn new(id: String) -> Self {
        Self(id.into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The input of a call, as the model wrote it.
#[derive(Debug, Clone)]
pub enum ToolInput {
    /// Valid JSON, byte for byte.
    Json(Box<RawValue>),
    /// Not valid JSON; the text, for the error that the model reads.
    Damaged(String),
}

impl PartialEq for ToolInput {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Json(a), Self::Json(b)) => a.get() == b.get(),
            (Self::Damaged(a), Self::Damaged(b)) => a == b,
            (Self::Json(_), Self::Damaged(_)) | (Self::Damaged(_), Self::Json(_)) => false,
        }
    }
}

impl ToolInput {
    /// Reads text that ought to be a JSON object. Some models write such a text once more as a JSON string; then it is what
    /// the string says. What is JSON but for something that changes nothing of its meaning is read as that.
    pub fn from_json(text: String) -> Self {
        let inner = || serde_json::from_str::<String>(&text).ok();
        let read = Self::object(&text)
            .or_else(|| Self::object(&inner()?))
            .or_else(|| mended::object(&text))
            .or_else(|| mended::object(&inner()?));
        read.map_or(Self::Damaged(text), Self::Json)
    }

    fn object(text: &str) -> Option<Box<RawValue>> {
        let raw = RawValue::from_string(text.to_owned()).ok()?;
        raw.get().trim_start().starts_with('{').then_some(raw)
    }

    /// The input as `T`; otherwise a sentence for the model about what to change.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Outcome> {
        match self {
            Self::Json(raw) => serde_json::from_str(raw.get()).map_err(|error| {
                let place = format!(" at line {} column {}", error.line(), error.column());
                let what = error.to_string();
                let what = what.strip_suffix(&place).unwrap_or(&what);
                Outcome::error(format!(
                    "The arguments do not fit: {what}. Nothing was done."
                ))
            }),
            Self::Damaged(text) => {
                let start: String = text.chars().take(200).collect();
                Err(Outcome::error(format!(
                    "The arguments were not one valid JSON object, so nothing was done. They began: {start}"
                )))
            }
        }
    }
}

/// A call that a model made.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The provider's id.
    pub id: CallId,
    /// The tool's name, as the model wrote it.
    pub name: String,
    pub input: ToolInput,
}

/// The words of an outcome that was cut before the path of the file with the whole; a `;` ends the path. So a conversation
/// that is shortened can still name the file.
pub const FULL_OUTPUT_IN: &str = "the whole output is in ";

/// The outcome of a call: always something the model reads, even if it failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Text, pictures and documents, in order.
    pub parts: Vec<OutcomePart>,
    pub is_error: bool,
    /// Facts about the command that ran, if one did. Not kept in transcripts: it is for those who watch.
    pub ran: Option<Box<Ran>>,
    /// The whole change of a file. Not kept in transcripts: it is for those who watch.
    pub change: Option<Box<FileChange>>,
    /// The result of merging a worktree, if it merged one. As above.
    pub merge: Option<Box<MergeEnd>>,
    /// The rule or person that said no, if it did not run for that reason. As above.
    pub refused: Option<RefusedBy>,
}

/// Facts about a command besides its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// Its exit status; nothing if it was killed, or ran out of time.
    pub exit: Option<i32>,
    /// How many bytes it printed.
    pub bytes: u64,
    /// How many lines it printed.
    pub lines: u64,
    /// The file that holds all of it, as members write its path; nothing if the outcome does.
    pub file: Option<String>,
    /// How it ended, in words: the last line of the outcome's text.
    pub ending: String,
}

/// A piece of an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutcomePart {
    Text(String),
    Image {
        /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
        media_type: &'static str,
        /// Its bytes in standard base64.
        base64: String,
    },
    Document {
        /// `application/pdf`.
        media_type: &'static str,
        name: String,
        /// Its bytes in standard base64.
        base64: String,
    },
}

impl OutcomePart {
    /// The bytes of its base64.
    pub fn base64_bytes(&self) -> usize {
        match self {
            Self::Text(_) => 0,
            Self::Image { base64, .. } | Self::Document { base64, .. } => base64.len(),
        }
    }
}

impl Outcome {
    /// It worked.
    pub fn ok(text: impl Into<String>) -> Self {
        Self {
            parts: vec![OutcomePart::Text(text.into())],
            is_error: false,
            ran: None,
            change: None,
            merge: None,
            refused: None,
        }
    }

    /// It did not run, for this said no; the text says why, and what would have worked.
    pub fn refused(by: RefusedBy, text: impl Into<String>) -> Self {
        Self {
            refused: Some(by),
            ..Self::error(text)
        }
    }

    /// It failed; the text says what would have worked.
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            parts: vec![OutcomePart::Text(text.into())],
            is_error: true,
            ran: None,
            change: None,
            merge: None,
            refused: None,
        }
    }

    /// Does something with each text part.
    pub fn each_text(&mut self, mut work: impl FnMut(&mut String)) {
        for part in &mut self.parts {
            match part {
                OutcomePart::Text(text) => work(text),
                OutcomePart::Image { .. } | OutcomePart::Document { .. } => {}
            }
        }
    }

    /// The bytes of the base64 of its pictures and documents.
    pub fn base64_bytes(&self) -> usize {
        self.parts.iter().map(OutcomePart::base64_bytes).sum()
    }

    /// The text parts, joined.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .parts
            .iter()
            .map(|part| match part {
                OutcomePart::Text(text) => text.as_str(),
                OutcomePart::Image { .. } => "[image]",
                OutcomePart::Document { .. } => "[document]",
            })
            .collect();
        texts.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_that_is_no_object_is_damaged() {
        for text in [
            "",
            "{",
            "[1]",
            "null",
            "{\"a\":1",
            "say hi",
            "\"say hi\"",
            "\"{\"",
        ] {
            assert_eq!(
                ToolInput::from_json(text.into()),
                ToolInput::Damaged(text.into())
            );
        }
        assert!(matches!(
            ToolInput::from_json("{\"a\": 1}".into()),
            ToolInput::Json(_)
        ));
    }

    #[test]
    fn input_that_was_encoded_twice_is_what_it_says() {
        let once = r#"{"a": "b\"c"}"#;
        let twice = serde_json::Value::from(once).to_string();
        assert_eq!(
            ToolInput::from_json(twice),
            ToolInput::from_json(once.into())
        );
    }

    #[test]
    fn a_wrong_argument_is_named() {
        #[derive(Deserialize, Debug)]
        struct Input {
            #[expect(dead_code, reason = "only its absence is tested")]
            path: String,
        }
        let outcome = ToolInput::from_json("{\"file\":1}".into())
            .parse::<Input>()
            .unwrap_err();
        assert!(outcome.is_error);
        assert!(outcome.text().contains("`path`"), "{}", outcome.text());
    }
}
