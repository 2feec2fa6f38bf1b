//! The messages to the editor, in the words of JSON-RPC.

use serde_json::{Value, json};
use teammate_protocols::rpc::{self, RpcAnswer};
use tokio::sync::oneshot;

use crate::{
    acp::{refusal::Refusal, session_id::SessionId},
    door::lines::Lines,
};

/// The way to the editor. Copies are one.
#[derive(Debug, Clone)]
pub(crate) struct Outbox {
    pub(crate) lines: Lines,
}

impl Outbox {
    /// Tells what happened in a session.
    pub(crate) async fn update(&self, session: &SessionId, update: Value) {
        let params = json!({ "sessionId": session.as_str(), "update": update });
        self.notify("session/update", &params).await;
    }

    /// Tells something that is not answered.
    pub(crate) async fn notify(&self, method: &str, params: &Value) {
        self.lines.write(rpc::notification(method, params)).await;
    }

    /// Asks something: its number, and where the answer comes.
    pub(crate) async fn ask(
        &self,
        method: &str,
        params: &Value,
    ) -> (u64, oneshot::Receiver<RpcAnswer>) {
        let (id, answer) = self.lines.question();
        self.lines.write(rpc::request(id, method, params)).await;
        (id, answer)
    }

    /// The answer is no longer waited for, and the editor need not ask its user.
    pub(crate) async fn withdraw(&self, id: u64) {
        self.lines.forget(id);
        self.notify("$/cancel_request", &json!({ "requestId": id }))
            .await;
    }

    /// Answers a line that cannot be read, without a number.
    pub(crate) async fn unreadable(&self, code: i64, why: &str) {
        self.lines
            .write(rpc::answer(&Value::Null, Err((code, why.to_owned()))))
            .await;
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
            self.outbox.lines.write(rpc::answer(&id, answer)).await;
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
            self.outbox.lines.write_now(rpc::answer(&id, error));
        }
    }
}
