//! The messages to the editor, a line at a time. An editor that does not read holds up its own sessions, and nothing once it
//! has gone.

use std::{io, sync::Arc};

use serde_json::{Value, json};
use teammate_protocols::{
    lines::write_lines,
    rpc::{self, Pending, RpcAnswer},
};
use tokio::{
    io::AsyncWrite,
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use crate::acp::{refusal::Refusal, session_id::SessionId};

/// How many lines may wait for the editor to read them.
const LINES_MAX: usize = 256;

/// The way to the editor. Copies are one.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    lines: mpsc::Sender<Vec<u8>>,
    pending: Arc<Pending>,
}

impl Outbox {
    /// Writes to this until it is aborted, which loses what comes after.
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

    /// Tells what happened in a session.
    pub(crate) async fn update(&self, session: &SessionId, update: Value) {
        let params = json!({ "sessionId": session.as_str(), "update": update });
        self.notify("session/update", &params).await;
    }

    /// Tells something that is not answered.
    pub(crate) async fn notify(&self, method: &str, params: &Value) {
        self.send(rpc::notification(method, params)).await;
    }

    /// Asks something: its number, and where the answer comes.
    pub(crate) async fn ask(
        &self,
        method: &str,
        params: &Value,
    ) -> (u64, oneshot::Receiver<RpcAnswer>) {
        let (id, answer) = self.pending.ask();
        self.send(rpc::request(id, method, params)).await;
        (id, answer)
    }

    /// The answer is no longer waited for, and the editor need not ask its user.
    pub(crate) async fn withdraw(&self, id: u64) {
        self.pending.forget(id);
        self.notify("$/cancel_request", &json!({ "requestId": id }))
            .await;
    }

    /// An answer of the editor came. One that nobody waits for is passed over.
    pub(crate) fn answered(&self, id: u64, answer: RpcAnswer) {
        self.pending.answered(id, answer);
    }

    /// No more answers come.
    pub(crate) fn end(&self) {
        self.pending.end();
    }

    /// Answers a line that cannot be read, without a number.
    pub(crate) async fn unreadable(&self, code: i64, why: &str) {
        self.send(rpc::answer(&Value::Null, Err((code, why.to_owned()))))
            .await;
    }

    async fn send(&self, line: Vec<u8>) {
        // Fails when the editor has gone: then nobody misses it.
        let _ = self.lines.send(line).await;
    }
}

/// The answer that a request of the editor waits for. Dropped without one, it is an error: no request is left without an answer.
#[derive(Debug)]
pub(crate) struct Reply {
    outbox: Outbox,
    id: Option<Value>,
}

impl Reply {
    pub(crate) fn new(outbox: &Outbox, id: Value) -> Self {
        Self {
            outbox: outbox.clone(),
            id: Some(id),
        }
    }

    /// Answers.
    pub(crate) async fn give(mut self, answer: Result<Value, Refusal>) {
        let answer = answer.map_err(|refusal| (refusal.code, refusal.words));
        if let Some(id) = self.id.take() {
            self.outbox.send(rpc::answer(&id, answer)).await;
        }
    }

    /// It was done.
    pub(crate) async fn done(self, result: Value) {
        self.give(Ok(result)).await;
    }

    /// It was not done.
    pub(crate) async fn refuse(self, refusal: Refusal) {
        self.give(Err(refusal)).await;
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            let error = Err((rpc::INTERNAL, "the session ended".to_owned()));
            let _ = self.outbox.lines.try_send(rpc::answer(&id, error));
        }
    }
}
