//! The messages to the caller.

use serde_json::{Value, json};
use teammate_protocols::rpc::RpcAnswer;
use teammate_view::clean::clean_json;
use tokio::sync::oneshot;

use crate::door::lines::Lines;

/// The way to the caller. Copies are one.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    pub(crate) lines: Lines,
}

impl Outbox {
    /// Writes a message.
    pub(crate) async fn send(&self, message: &Value) {
        let line = clean_json(&message.to_string()).into_owned();
        self.text(line).await;
    }

    /// Writes a text that is for people.
    pub(crate) async fn text(&self, text: String) {
        self.lines.write(text.into_bytes()).await;
    }

    /// Asks something: its number, and where the answer comes. The channel closes when the caller has ended its side.
    pub(crate) async fn ask(&self, request: Value) -> (u64, oneshot::Receiver<RpcAnswer>) {
        let (id, answer) = self.lines.question();
        let asked = json!({
            "type": "control_request",
            "request_id": id.to_string(),
            "request": request,
        });
        self.send(&asked).await;
        (id, answer)
    }

    /// The answer is no longer waited for.
    pub(crate) async fn withdraw(&self, id: u64) {
        self.lines.forget(id);
        let withdrawn = json!({ "type": "control_cancel_request", "request_id": id.to_string() });
        self.send(&withdrawn).await;
    }

    /// Answers what the caller asked.
    pub(crate) async fn reply(&self, id: &str, answer: Result<Value, String>) {
        let response = match answer {
            Ok(response) => {
                json!({ "subtype": "success", "request_id": id, "response": response })
            }
            Err(why) => json!({ "subtype": "error", "request_id": id, "error": why }),
        };
        self.send(&json!({ "type": "control_response", "response": response }))
            .await;
    }
}
