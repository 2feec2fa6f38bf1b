//! Messages of a scripted agent, a line each.

use std::io::{self, Write as _};

use serde_json::{Value, json};

use crate::rpc;

/// Says a message.
pub fn line(message: &[u8]) {
    let mut out = io::stdout().lock();
    drop(out.write_all(&[message, b"\n"].concat()));
    drop(out.flush());
}

/// Answers a question.
pub fn result(id: &Value, result: &Value) {
    line(&rpc::answer(id, Ok(result.clone())));
}

/// Answers with an error.
pub fn error(id: &Value, code: i64, message: &str) {
    line(&rpc::answer(id, Err((code, message.to_owned()))));
}

/// Tells what happens in a session.
pub fn update(session: &Value, update: &Value) {
    let params = json!({ "sessionId": session, "update": update });
    line(&rpc::notification("session/update", &params));
}
