//! The messages to the caller, a line at a time. A caller that does not read holds up its own session.

use std::{io, sync::Arc};

use serde_json::{Value, json};
use teammate_protocols::{
    lines::write_lines,
    rpc::{Pending, RpcAnswer},
};
use teammate_view::clean::clean_json;
use tokio::{
    io::AsyncWrite,
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

/// How many lines may wait for the caller to read them.
const LINES_MAX: usize = 256;

/// The way to the caller. Copies are one.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    lines: mpsc::Sender<Vec<u8>>,
    pending: Arc<Pending>,
}

impl Outbox {
    /// Writes to this until all copies are gone.
    pub(crate) fn new<W: AsyncWrite + Send + Unpin + 'static>(
        writer: W,
    ) -> (Self, JoinHandle<io::Result<()>>) {
        let (lines, queue) = mpsc::channel(LINES_MAX);
        let pending = Arc::default();
        (
            Self { lines, pending },
            tokio::spawn(write_lines(writer, queue)),
        )
    }

    /// Writes a message.
    pub(crate) async fn send(&self, message: &Value) {
        let line = clean_json(&message.to_string()).into_owned();
        self.text(line).await;
    }

    /// Writes a text that is for people.
    pub(crate) async fn text(&self, text: String) {
        // Fails when the caller has gone: then nobody misses it.
        let _ = self.lines.send(text.into_bytes()).await;
    }

    /// Asks something: its number, and where the answer comes. The channel closes when the caller has ended its side.
    pub(crate) async fn ask(&self, request: Value) -> (u64, oneshot::Receiver<RpcAnswer>) {
        let (id, answer) = self.pending.ask();
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
        self.pending.forget(id);
        let withdrawn = json!({ "type": "control_cancel_request", "request_id": id.to_string() });
        self.send(&withdrawn).await;
    }

    /// An answer of the caller came. One that nobody waits for is passed over.
    pub(crate) fn answered(&self, id: u64, answer: RpcAnswer) {
        self.pending.answered(id, answer);
    }

    /// No more answers come.
    pub(crate) fn end(&self) {
        self.pending.end();
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
