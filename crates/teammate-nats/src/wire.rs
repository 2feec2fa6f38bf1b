//! Messages that nobody keeps: sealed for their subject, and heard where the seal proves who sent them.
//!
//! The seal is not the server's permission said twice: a server can be made to deliver a stored message on any subject.

use std::sync::Arc;

use async_nats::{Client, HeaderMap, HeaderValue, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt as _;
use teammate_core::port::Seal;

/// The header with the seal of a message.
const SEAL: &str = "Teammate-Seal";

/// A connection that seals what it says.
#[derive(Clone)]
pub(crate) struct Wire {
    pub(crate) client: Client,
    pub(crate) seal: Arc<dyn Seal>,
}

/// A message that was heard.
#[derive(Debug)]
pub struct Heard {
    /// The last word of its subject: the worker, member or server that it is of.
    pub of: String,
    pub body: Bytes,
    /// The proof of it.
    pub seal: String,
    reply: Option<async_nats::Subject>,
    client: Client,
}

impl Heard {
    /// Answers a question. Nothing happens if nobody asked.
    pub async fn answer(&self, body: Bytes) {
        if let Some(reply) = self.reply.clone() {
            let _ = self.client.publish(reply, body).await;
        }
    }
}

/// The messages of a subject, as they arrive.
pub struct WireFeed {
    subscriber: Subscriber,
    wire: Wire,
}

impl WireFeed {
    /// The next message that is proven; `None` once the connection is closed for good.
    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            let message = self.subscriber.next().await?;
            let subject = message.subject.as_str();
            let headers = message.headers.as_ref();
            let seal = headers.and_then(|headers| headers.get(SEAL));
            let proves = |seal: &&str| self.wire.seal.verifies(subject, &message.payload, seal);
            if let Some(seal) = seal.map(HeaderValue::as_str).filter(proves) {
                return Some(Heard {
                    seal: seal.to_owned(),
                    of: subject.rsplit('.').next().unwrap_or_default().to_owned(),
                    body: message.payload,
                    reply: message.reply,
                    client: self.wire.client.clone(),
                });
            }
        }
    }
}

impl Wire {
    pub(crate) async fn publish(&self, subject: String, body: Bytes) {
        let headers = self.sealed(&subject, &body);
        let sent = self.client.publish_with_headers(subject, headers, body);
        // It may be lost.
        let _ = sent.await;
    }

    pub(crate) fn sealed(&self, subject: &str, body: &Bytes) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(SEAL, self.seal.sign(subject, body));
        headers
    }

    /// Hears this subject. The server has read that before all that is sent on this connection later; what others send at this
    /// moment may come too early to be heard.
    pub(crate) async fn listen(&self, subject: String) -> Result<WireFeed, String> {
        let subscribed = self.client.subscribe(subject).await;
        let subscriber = subscribed.map_err(|error| error.to_string())?;
        // It is written to the connection before this returns, or fails.
        let flushed = self.client.flush().await;
        flushed.map_err(|error| error.to_string())?;
        Ok(WireFeed {
            subscriber,
            wire: self.clone(),
        })
    }
}
