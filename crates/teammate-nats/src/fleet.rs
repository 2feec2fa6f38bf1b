//! What workers tell each other and nobody keeps: beats, questions and their answers, text while it is
//! written. It may be lost; what must not be is in a log.

use std::time::Duration;

use async_nats::{Client, Request, RequestErrorKind, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt as _;
use teammate_core::MemberName;

use crate::layout::NatsPlace;

/// The subject of all workers' beats.
const BEATS: &str = "tm.beat.*";

/// What came of a question to a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskOutcome {
    /// It answered.
    Answered(Bytes),
    /// Nobody listens there: the worker is gone, for certain.
    Nobody,
    /// No answer in time: it may have heard or not.
    Silent,
}

/// A message of the fleet.
#[derive(Debug)]
pub struct Heard {
    /// The last word of its subject: the worker or member that it is of, as the server vouches.
    pub of: String,
    /// What it says.
    pub body: Bytes,
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

/// What arrives on one subject.
pub struct FleetFeed {
    subscriber: Subscriber,
    client: Client,
}

impl FleetFeed {
    /// The next message; `None` once the connection is closed for good.
    pub async fn next(&mut self) -> Option<Heard> {
        let message = self.subscriber.next().await?;
        let of = message
            .subject
            .as_str()
            .rsplit('.')
            .next()
            .unwrap_or_default();
        Some(Heard {
            of: of.to_owned(),
            body: message.payload,
            reply: message.reply,
            client: self.client.clone(),
        })
    }
}

/// The wire between the workers of one team.
#[derive(Clone)]
pub struct Fleet {
    pub(crate) client: Client,
    pub(crate) place: NatsPlace,
}

impl Fleet {
    /// Says that a worker lives.
    pub async fn beat(&self, worker: &str, body: Bytes) {
        let _ = self.client.publish(format!("tm.beat.{worker}"), body).await;
    }

    /// Hears all workers, itself among them.
    pub async fn beats(&self) -> Result<FleetFeed, String> {
        self.listen(BEATS.to_owned()).await
    }

    /// Asks a worker.
    pub async fn ask(&self, worker: &str, body: Bytes, wait: Duration) -> AskOutcome {
        let request = Request::new().payload(body).timeout(Some(wait));
        let subject = self.place.commands(worker);
        match self.client.send_request(subject, request).await {
            Ok(message) => AskOutcome::Answered(message.payload),
            Err(error) => match error.kind() {
                RequestErrorKind::NoResponders => AskOutcome::Nobody,
                RequestErrorKind::TimedOut
                | RequestErrorKind::InvalidSubject
                | RequestErrorKind::MaxPayloadExceeded
                | RequestErrorKind::Other => AskOutcome::Silent,
            },
        }
    }

    /// Hears what a worker is asked.
    pub async fn asked(&self, worker: &str) -> Result<FleetFeed, String> {
        self.listen(self.place.commands(worker)).await
    }

    /// Streams a piece of a member's answer.
    pub async fn say(&self, member: &MemberName, piece: Bytes) {
        let _ = self.client.publish(self.place.text(member), piece).await;
    }

    /// Hears the pieces of a member's answers.
    pub async fn said(&self, member: &MemberName) -> Result<FleetFeed, String> {
        self.listen(self.place.text(member)).await
    }

    async fn listen(&self, subject: String) -> Result<FleetFeed, String> {
        let subscribed = self.client.subscribe(subject).await;
        let subscriber = subscribed.map_err(|error| error.to_string())?;
        // The server knows of it before this returns.
        let flushed = self.client.flush().await;
        flushed.map_err(|error| error.to_string())?;
        Ok(FleetFeed {
            subscriber,
            client: self.client.clone(),
        })
    }
}
