//! What an agent says, a line each.

use std::io::{self, Write as _};

use serde_json::{Value, json};

/// Says a message.
pub fn line(message: &Value) {
    let mut out = io::stdout().lock();
    drop(writeln!(out, "{message}"));
    drop(out.flush());
}

/// Answers a question.
pub fn result(id: &Value, result: &Value) {
    line(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
}

/// Answers with an error.
pub fn error(id: &Value, code: i64, message: &str) {
    line(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }));
}

/// Tells what happens in a session.
pub fn update(session: &Value, update: &Value) {
    line(&json!({
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": { "sessionId": session, "update": update },
    }));
}
