//! Reads the messages of a subject in order, by an ordered consumer that ends with the reading.
//!
//! A consumer may be on a replica that is behind, so its end is not the subject's: the reader learns
//! how far the subject goes.

use std::time::Duration;

use async_nats::{
    HeaderMap,
    jetstream::consumer::{DeliverPolicy, push},
};
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::time::timeout;

use crate::engine::Engine;

/// The id by which a server knows a message that it has already.
pub(crate) const ID: &str = "Nats-Msg-Id";

/// How long the next message is waited for: a new consumer after a lost leader takes 6 s.
const NEXT_WAIT: Duration = Duration::from_secs(10);

/// How often a reading that stops is taken up again where it was.
const ATTEMPTS_MAX: u32 = 3;

/// A stored message.
pub(crate) struct Stored {
    pub(crate) sequence: u64,
    pub(crate) id: Option<String>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why messages could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ReadError {
    /// No server gives them.
    #[error("it cannot be read now ({0})")]
    Failed(String),
    /// What is there is not what was written. Nothing may be appended behind it.
    #[error("{0}")]
    Broken(String),
}

/// What of a message is wanted.
#[derive(Clone, Copy)]
enum Wanted {
    All,
    Headers,
}

impl Engine {
    /// Hands over the messages from sequence `from` through `through`, which must be one that the
    /// subject's last message has or had. Stops at the first error of `each`.
    pub(crate) async fn read(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
        through: u64,
        mut each: impl FnMut(Stored) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let each = |message| each(message).map(|()| true);
        self.walk(stream, subject, from, through, Wanted::All, each)
            .await
    }

    /// The same until `each` has enough, which it says by `false`.
    pub(crate) async fn read_some(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
        through: u64,
        each: impl FnMut(Stored) -> Result<bool, ReadError>,
    ) -> Result<(), ReadError> {
        self.walk(stream, subject, from, through, Wanted::All, each)
            .await
    }

    /// The same as [`read`](Self::read) with headers only.
    pub(crate) async fn read_headers(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
        through: u64,
        mut each: impl FnMut(Stored) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let each = |message| each(message).map(|()| true);
        self.walk(stream, subject, from, through, Wanted::Headers, each)
            .await
    }

    async fn walk(
        &self,
        stream: &str,
        subject: &str,
        mut from: u64,
        through: u64,
        wanted: Wanted,
        mut each: impl FnMut(Stored) -> Result<bool, ReadError>,
    ) -> Result<(), ReadError> {
        from = from.max(1);
        let mut attempt = 1;
        while from <= through {
            let read = self
                .once(stream, subject, &mut from, through, wanted, &mut each)
                .await;
            match read {
                Err(ReadError::Failed(_)) if attempt < ATTEMPTS_MAX => attempt += 1,
                other => return other,
            }
        }
        Ok(())
    }

    /// Reads by one consumer; `from` is behind what was handed over.
    async fn once(
        &self,
        stream: &str,
        subject: &str,
        from: &mut u64,
        through: u64,
        wanted: Wanted,
        each: &mut impl FnMut(Stored) -> Result<bool, ReadError>,
    ) -> Result<(), ReadError> {
        let failed = |error: &dyn std::fmt::Display| ReadError::Failed(error.to_string());
        let config = push::OrderedConfig {
            deliver_subject: self.client.new_inbox(),
            filter_subject: subject.to_owned(),
            headers_only: matches!(wanted, Wanted::Headers),
            deliver_policy: DeliverPolicy::ByStartSequence {
                start_sequence: *from,
            },
            ..push::OrderedConfig::default()
        };
        let consumer = self.jet.create_consumer_on_stream(config, stream).await;
        let consumer = consumer.map_err(|error| failed(&error))?;
        let name = consumer.cached_info().name.clone();
        let mut messages = consumer.messages().await.map_err(|error| failed(&error))?;
        let ended = loop {
            let message = match timeout(NEXT_WAIT, messages.next()).await {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(error))) => break Err(failed(&error)),
                Ok(None) => break Err(failed(&"the connection has ended")),
                Err(_) => break Err(failed(&"no server sends the next message")),
            };
            let sequence = match message.info() {
                Ok(info) => info.stream_sequence,
                Err(error) => break Err(failed(&error)),
            };
            // A consumer that was made anew begins where it wants.
            if sequence >= *from {
                let headers = message.message.headers.unwrap_or_default();
                let stored = Stored {
                    sequence,
                    id: headers.get(ID).map(ToString::to_string),
                    headers,
                    body: message.message.payload,
                };
                *from = sequence + 1;
                match each(stored) {
                    Ok(true) => {}
                    Ok(false) => break Ok(()),
                    Err(error) => break Err(error),
                }
            }
            if sequence >= through {
                break Ok(());
            }
        };
        drop(messages);
        self.forget(stream, &name);
        ended
    }

    /// Removes a consumer without waiting; the server does it by itself after 30 s.
    fn forget(&self, stream: &str, name: &str) {
        let subject = format!("$JS.API.CONSUMER.DELETE.{stream}.{name}");
        let client = self.client.clone();
        tokio::spawn(async move {
            let _ = client.request(subject, Bytes::new()).await;
        });
    }
}
