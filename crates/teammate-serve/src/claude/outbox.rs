//! The messages to the caller.

use serde_json::{Value, json};
use teammate_protocols::rpc::RpcAnswer;
use teammate_view::clean::clean_json;
use tokio::sync::oneshot::{self, error::RecvError};

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
        self.send(&question(id, &request)).await;
        (id, answer)
    }

    /// Asks something and waits for the answer; an error if the caller has ended its side. Who stops waiting withdraws the question.
    pub(crate) async fn answered(&self, request: Value) -> Result<RpcAnswer, RecvError> {
        let (id, answer) = self.lines.question();
        let _waited_for = WaitedFor {
            lines: &self.lines,
            id,
        };
        self.send(&question(id, &request)).await;
        answer.await
    }

    /// The answer is no longer waited for.
    pub(crate) async fn withdraw(&self, id: u64) {
        self.lines.forget(id);
        self.send(&withdrawn(id)).await;
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

/// A question whose answer somebody waits for, until this is dropped.
struct WaitedFor<'a> {
    lines: &'a Lines,
    id: u64,
}

impl Drop for WaitedFor<'_> {
    fn drop(&mut self) {
        if self.lines.forget(self.id) {
            self.lines
                .write_now(withdrawn(self.id).to_string().into_bytes());
        }
    }
}

fn question(id: u64, request: &Value) -> Value {
    json!({ "type": "control_request", "request_id": id.to_string(), "request": request })
}

fn withdrawn(id: u64) -> Value {
    json!({ "type": "control_cancel_request", "request_id": id.to_string() })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::{
        io::{AsyncBufReadExt as _, BufReader},
        time::timeout,
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_question_that_nobody_waits_for_any_more_is_withdrawn() {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let outbox = Outbox {
            lines: Lines::new(ours).0,
        };
        let mut read = BufReader::new(theirs).lines();
        let asked = outbox.answered(json!({ "subtype": "hook_callback" }));
        let late = timeout(Duration::from_secs(60), asked).await;
        assert!(late.is_err());
        let mut line = async || {
            let line = read.next_line().await.unwrap().unwrap();
            serde_json::from_str::<Value>(&line).unwrap()
        };
        assert_eq!(line().await["request"]["subtype"], "hook_callback");
        assert_eq!(line().await, withdrawn(1));
        // It is forgotten: there is nothing left to be withdrawn.
        assert!(!outbox.lines.forget(1));
    }

    #[tokio::test]
    async fn a_question_that_was_answered_is_not_withdrawn() {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let outbox = Outbox {
            lines: Lines::new(ours).0,
        };
        let mut read = BufReader::new(theirs).lines();
        let asked = outbox.answered(json!({ "subtype": "mcp_message" }));
        let answers = async {
            read.next_line().await.unwrap();
            outbox.lines.answered(1, Ok(json!({})));
        };
        assert!(matches!(tokio::join!(asked, answers).0, Ok(Ok(_))));
        outbox.send(&json!({ "type": "result" })).await;
        let next = read.next_line().await.unwrap().unwrap();
        assert_eq!(next, r#"{"type":"result"}"#);
    }
}
