//! Backups, as `nats stream backup` and `nats stream restore` make them, by the requests that they make.

use async_nats::{Client, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde_json::{Value, json};

/// A stream, as a backup has it.
pub(crate) struct Backup {
    stream: String,
    /// Its settings.
    pub(crate) config: Value,
    state: Value,
    chunks: Vec<Bytes>,
}

/// A backup that is being made.
pub(crate) struct Snapshot {
    config: Value,
    state: Value,
    pieces: Subscriber,
}

/// Asks the server something, which it does.
async fn asked(client: &Client, subject: String, body: &Value) -> Value {
    let answer = client
        .request(subject, body.to_string().into())
        .await
        .unwrap();
    let answer: Value = serde_json::from_slice(&answer.payload).unwrap();
    assert!(answer["error"].is_null(), "{answer}");
    answer
}

impl Snapshot {
    /// Begins one. The server sends it from now on.
    pub(crate) async fn begin(client: &Client, stream: &str) -> Self {
        let inbox = client.new_inbox();
        let pieces = client.subscribe(inbox.clone()).await.unwrap();
        let ask = json!({"deliver_subject": inbox, "no_consumers": true, "chunk_size": 65_536});
        let told = asked(client, format!("$JS.API.STREAM.SNAPSHOT.{stream}"), &ask).await;
        Self {
            config: told["config"].clone(),
            state: told["state"].clone(),
            pieces,
        }
    }

    /// The next piece; `None` after the last one.
    pub(crate) async fn next(&mut self, client: &Client) -> Option<Bytes> {
        let piece = self.pieces.next().await.unwrap();
        if piece.payload.is_empty() {
            return None;
        }
        if let Some(reply) = piece.reply {
            client.publish(reply, Bytes::new()).await.unwrap();
        }
        Some(piece.payload)
    }
}

impl Backup {
    /// Makes one of a stream.
    pub(crate) async fn of(client: &Client, stream: &str) -> Self {
        let mut snapshot = Snapshot::begin(client, stream).await;
        let mut chunks = Vec::new();
        while let Some(piece) = snapshot.next(client).await {
            chunks.push(piece);
        }
        Self {
            stream: stream.to_owned(),
            config: snapshot.config,
            state: snapshot.state,
            chunks,
        }
    }

    /// Restores the stream, in place of what there is of that name.
    pub(crate) async fn restore(&self, client: &Client) {
        let stream = &self.stream;
        // It may not be there.
        let delete = client.request(format!("$JS.API.STREAM.DELETE.{stream}"), "".into());
        delete.await.unwrap();
        let ask = json!({"config": self.config, "state": self.state});
        let told = asked(client, format!("$JS.API.STREAM.RESTORE.{stream}"), &ask).await;
        let to = told["deliver_subject"].as_str().unwrap().to_owned();
        for chunk in &self.chunks {
            client.request(to.clone(), chunk.clone()).await.unwrap();
        }
        let ended = client.request(to, Bytes::new()).await.unwrap();
        let ended: Value = serde_json::from_slice(&ended.payload).unwrap();
        assert!(ended["error"].is_null(), "{ended}");
    }
}
