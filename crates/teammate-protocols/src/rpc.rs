//! JSON-RPC 2.0, a message a line, in both directions: what is read, made, and asked and not answered yet. An answer that cannot be
//! read must not leave what waits for it waiting. Methods and what they mean are of those who speak.

use std::{collections::HashMap, sync::Mutex};

use serde::Deserialize;
use serde_json::{Value, json};
use teammate_core::lock::Hold;
use tokio::sync::oneshot;

/// The number for a line that cannot be read.
pub const UNREADABLE: i64 = -32_700;
/// The number for what is no request, or none at this time.
pub const BAD_REQUEST: i64 = -32_600;
/// The number for what is not known.
pub const UNKNOWN_METHOD: i64 = -32_601;
/// The number for what cannot be used.
pub const BAD_PARAMETERS: i64 = -32_602;
/// The number for what was refused or failed, of those that are left to us.
pub const FAILED: i64 = -32_000;
/// The number for what went wrong on the side that was asked.
pub const INTERNAL: i64 = -32_603;

/// What a line is.
#[derive(Debug, PartialEq)]
pub enum RpcLine {
    /// It asks something.
    Request {
        /// By which the answer is known.
        id: Value,
        method: String,
        /// With what; null if there is nothing.
        params: Value,
    },
    /// It tells something.
    Notification {
        method: String,
        /// With what; null if there is nothing.
        params: Value,
    },
    Answer {
        /// What was asked.
        id: u64,
        answer: Result<Value, Error>,
    },
    /// Nothing that can be understood: words of a program among its messages.
    Junk,
}

/// An error as an answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Error {
    /// The number.
    #[serde(default)]
    pub code: i64,
    /// The words.
    #[serde(default)]
    pub message: String,
    /// More words: some agents have their reason here.
    #[serde(default)]
    pub data: Value,
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    params: Value,
    /// `null` is an answer, too.
    #[serde(default, deserialize_with = "there")]
    result: Option<Value>,
    #[serde(default)]
    error: Option<Error>,
}

fn there<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// Reads a line.
pub fn read(line: &[u8]) -> RpcLine {
    let envelope = match serde_json::from_slice(line) {
        Ok(envelope) => envelope,
        Err(_) => return unreadable(line),
    };
    match envelope {
        Envelope {
            id: Some(id),
            method: Some(method),
            params,
            ..
        } if !id.is_null() => RpcLine::Request { id, method, params },
        Envelope {
            method: Some(method),
            params,
            ..
        } => RpcLine::Notification { method, params },
        Envelope {
            id: Some(id),
            result,
            error,
            ..
        } => match (id.as_u64(), error, result) {
            (Some(id), Some(error), _) => RpcLine::Answer {
                id,
                answer: Err(error),
            },
            (Some(id), None, Some(result)) => RpcLine::Answer {
                id,
                answer: Ok(result),
            },
            (None, ..) | (_, None, None) => RpcLine::Junk,
        },
        Envelope { .. } => RpcLine::Junk,
    }
}

/// An answer whose text is broken is an error of what was asked.
fn unreadable(line: &[u8]) -> RpcLine {
    match broken_answer(line).and_then(|id| id.as_u64()) {
        Some(id) => RpcLine::Answer {
            id,
            answer: Err(Error {
                code: UNREADABLE,
                message: "the answer cannot be read".to_owned(),
                data: Value::Null,
            }),
        },
        None => RpcLine::Junk,
    }
}

/// What an answer belongs to that cannot be read as one; nothing if it is no answer. What waits for it must not wait for ever.
pub fn broken_answer(line: &[u8]) -> Option<Value> {
    #[derive(Deserialize)]
    struct Head {
        id: Value,
        // Without a default: an array is no message.
        method: Option<serde::de::IgnoredAny>,
    }
    let head: Head = serde_json::from_str(&String::from_utf8_lossy(line)).ok()?;
    head.method.is_none().then_some(head.id)
}

/// A request as a line.
pub fn request(id: impl Into<Value>, method: &str, params: &Value) -> Vec<u8> {
    let id: Value = id.into();
    line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

/// A notification as a line.
pub fn notification(method: &str, params: &Value) -> Vec<u8> {
    line(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
}

/// An answer as a line.
pub fn answer(id: &Value, answer: Result<Value, (i64, String)>) -> Vec<u8> {
    line(&match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, message)) => {
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
        }
    })
}

fn line(message: &Value) -> Vec<u8> {
    message.to_string().into_bytes()
}

/// What comes of a question.
pub type RpcAnswer = Result<Value, Error>;

/// The open questions. Once it is over, nothing waits and nothing is asked any more.
#[derive(Debug, Default)]
pub struct Pending(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: u64,
    open: HashMap<u64, oneshot::Sender<RpcAnswer>>,
    is_over: bool,
}

impl Pending {
    /// A number for a question, and where its answer comes. The channel closes when the other side ends.
    pub fn ask(&self) -> (u64, oneshot::Receiver<RpcAnswer>) {
        let (answers, answer) = oneshot::channel();
        let mut state = self.0.hold();
        state.last += 1;
        let id = state.last;
        if !state.is_over {
            state.open.insert(id, answers);
        }
        (id, answer)
    }

    /// Nobody waits for this answer any more; false if it came already, or cannot come.
    pub fn forget(&self, id: u64) -> bool {
        self.0.hold().open.remove(&id).is_some()
    }

    /// An answer came; false if nobody asked, or it was answered before.
    pub fn answered(&self, id: u64, answer: RpcAnswer) -> bool {
        let asked = self.0.hold().open.remove(&id);
        match asked {
            Some(asked) => {
                // Who asked may have given up.
                let _ = asked.send(answer);
                true
            }
            None => false,
        }
    }

    /// No more answers come.
    pub fn end(&self) {
        let mut state = self.0.hold();
        state.is_over = true;
        state.open.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &[u8]) -> &'static str {
        match read(line) {
            RpcLine::Request { .. } => "request",
            RpcLine::Notification { .. } => "notification",
            RpcLine::Answer { answer: Ok(_), .. } => "answer",
            RpcLine::Answer { answer: Err(_), .. } => "error",
            RpcLine::Junk => "junk",
        }
    }

    #[test]
    fn a_line_is_what_it_says() {
        for (line, is) in [
            (&br#"{"jsonrpc":"2.0","id":1,"result":{}}"#[..], "answer"),
            (br#"{"jsonrpc":"2.0","id":1,"result":null}"#, "answer"),
            (
                br#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}"#,
                "error",
            ),
            (
                br#"{"jsonrpc":"2.0","id":"x","method":"fs/read_text_file","params":{}}"#,
                "request",
            ),
            (
                br#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#,
                "notification",
            ),
            (b"{\"id\":1,\"result\":{\"text\":\"\xff\"}}", "error"),
            (
                br#"{"jsonrpc":"2.0","id":"ours are numbers","result":{}}"#,
                "junk",
            ),
            (br#"{"jsonrpc":"2.0","id":1}"#, "junk"),
            (b"Agent is listening", "junk"),
            (b"", "junk"),
            (b"[1]", "junk"),
        ] {
            assert_eq!(kind(line), is, "{}", String::from_utf8_lossy(line));
        }
    }
}
