//! Reads the messages of a subject in order, by an ordered consumer that ends with the reading.
//!
//! A consumer may be on a replica that is behind, so its end is not the subject's: the reader learns
//! how far the subject goes.

use std::{
    ops::ControlFlow,
    time::{Duration, SystemTime},
};

use async_nats::{
    HeaderMap, Message,
    jetstream::consumer::{DeliverPolicy, push},
};
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

use crate::engine::{Engine, LEADER_WAIT};

/// The id by which a server knows a message that it has already.
pub(crate) const ID: &str = "Nats-Msg-Id";

/// How long a consumer's next message is waited for. A replica that was restarted delivers nothing until it has caught up, which
/// takes seconds: the next consumer may be on another one.
const NEXT_WAIT: Duration = Duration::from_secs(2);

/// The pause after a consumer that could not be made.
const AGAIN: Duration = Duration::from_millis(200);

/// A stored message. Cheap to clone, but for its headers.
#[derive(Debug, Clone)]
pub(crate) struct StoredMessage {
    pub(crate) subject: String,
    pub(crate) sequence: u64,
    /// When, by the clock of the stream's leader.
    pub(crate) at: SystemTime,
    pub(crate) id: Option<String>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why messages could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StreamReadError {
    /// No server gives them.
    #[error("it cannot be read now ({0})")]
    Failed(String),
    /// The stored bytes are not those that were written. Nothing may be appended behind it.
    #[error("{0}")]
    Broken(String),
}

/// The wanted part of a message.
#[derive(Clone, Copy)]
pub(crate) enum WantedPart {
    All,
    Headers,
}

/// Some messages of a subject.
pub(crate) struct MessageSpan {
    pub(crate) stream: String,
    pub(crate) subject: String,
    /// The first sequence.
    pub(crate) from: u64,
    /// The last one, which must be one that the subject's last message has or had.
    pub(crate) through: u64,
}

impl Engine {
    /// All messages of a span.
    pub(crate) async fn read(
        &self,
        span: MessageSpan,
    ) -> Result<Vec<StoredMessage>, StreamReadError> {
        let mut all = Vec::new();
        let keep = |message| {
            all.push(message);
            ControlFlow::Continue(())
        };
        self.walk(span, WantedPart::All, keep).await?;
        Ok(all)
    }

    /// Hands over the messages of a span in order, until `each` has enough.
    pub(crate) async fn walk(
        &self,
        mut span: MessageSpan,
        wanted: WantedPart,
        mut each: impl FnMut(StoredMessage) -> ControlFlow<()>,
    ) -> Result<(), StreamReadError> {
        span.from = span.from.max(1);
        let mut moved = Instant::now();
        while span.from <= span.through {
            let from = span.from;
            match self.once(&mut span, wanted, &mut each).await {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Ok(()),
                Err(error) if span.from == from && moved.elapsed() >= LEADER_WAIT => {
                    return Err(error);
                }
                Err(_) => sleep(AGAIN).await,
            }
            if span.from > from {
                moved = Instant::now();
            }
        }
        Ok(())
    }

    /// Reads by one consumer; the span is then what is left of it.
    async fn once(
        &self,
        span: &mut MessageSpan,
        wanted: WantedPart,
        each: &mut impl FnMut(StoredMessage) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StreamReadError> {
        let failed = |error: &dyn std::fmt::Display| StreamReadError::Failed(error.to_string());
        let name = consumer_name();
        let config = push::OrderedConfig {
            name: Some(name.clone()),
            deliver_subject: self.client.new_inbox(),
            filter_subject: span.subject.clone(),
            headers_only: matches!(wanted, WantedPart::Headers),
            deliver_policy: DeliverPolicy::ByStartSequence {
                start_sequence: span.from,
            },
            ..push::OrderedConfig::default()
        };
        let consumer = self.jet.create_consumer_on_stream(config, &span.stream);
        let consumer = consumer.await.map_err(|error| failed(&error))?;
        let mut messages = consumer.messages().await.map_err(|error| failed(&error))?;
        let ended = loop {
            let message = match timeout(NEXT_WAIT, messages.next()).await {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(error))) => break Err(failed(&error)),
                Ok(None) => break Err(failed(&"the connection has ended")),
                Err(_) => break Err(failed(&"no server sends the next message")),
            };
            let (sequence, at) = match message.info() {
                Ok(info) => (info.stream_sequence, info.published.into()),
                Err(error) => break Err(failed(&error)),
            };
            // A consumer that was made anew begins where it wants.
            if sequence >= span.from {
                span.from = sequence + 1;
                if each(stored(sequence, at, message.message)).is_break() {
                    break Ok(ControlFlow::Break(()));
                }
            }
            if sequence >= span.through {
                break Ok(ControlFlow::Continue(()));
            }
        };
        drop(messages);
        self.forget(&span.stream, &name);
        ended
    }

    /// The messages that match a filter now: all from a sequence on, or the last one of each subject. What a replica does not
    /// have yet is missing, so nothing is decided by it.
    pub(crate) async fn present(
        &self,
        stream: &str,
        filter: String,
        which: DeliverPolicy,
    ) -> Result<Vec<StoredMessage>, StreamReadError> {
        let failed = |error: &dyn std::fmt::Display| StreamReadError::Failed(error.to_string());
        let name = consumer_name();
        let config = push::OrderedConfig {
            name: Some(name.clone()),
            deliver_subject: self.client.new_inbox(),
            filter_subject: filter,
            deliver_policy: which,
            ..push::OrderedConfig::default()
        };
        let consumer = self.jet.create_consumer_on_stream(config, stream);
        let consumer = consumer.await.map_err(|error| failed(&error))?;
        let info = consumer.cached_info();
        let wanted = info.num_pending + info.delivered.consumer_sequence;
        let mut messages = consumer.messages().await.map_err(|error| failed(&error))?;
        let mut found = Vec::new();
        while (found.len() as u64) < wanted {
            let message = match timeout(NEXT_WAIT, messages.next()).await {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(error))) => return Err(failed(&error)),
                Ok(None) => return Err(failed(&"the connection has ended")),
                Err(_) => return Err(failed(&"no server sends the next message")),
            };
            let info = message.info().map_err(|error| failed(&error))?;
            let (sequence, at) = (info.stream_sequence, info.published.into());
            let is_last = info.pending == 0;
            found.push(stored(sequence, at, message.message));
            if is_last {
                break;
            }
        }
        drop(messages);
        self.forget(stream, &name);
        Ok(found)
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

/// A name that nobody guesses. A consumer with a name is made on a subject with its filter, which permissions can hold.
pub(crate) fn consumer_name() -> String {
    Uuid::now_v7().simple().to_string()
}

/// The message as it was delivered.
pub(crate) fn stored(sequence: u64, at: SystemTime, message: Message) -> StoredMessage {
    let headers = message.headers.unwrap_or_default();
    StoredMessage {
        subject: message.subject.to_string(),
        sequence,
        at,
        id: headers.get(ID).map(ToString::to_string),
        headers,
        body: message.payload,
    }
}
