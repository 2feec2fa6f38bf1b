//! Messages between workers that nobody keeps: beats, questions and their answers. It may be lost; what must not be is in a
//! log.

mod worker_wire;

use std::time::Duration;

use async_nats::{Request, RequestErrorKind};
use bytes::Bytes;
use teammate_core::name::WorkerName;

use crate::{layout::NatsPlace, wire::Wire};

pub(crate) use self::worker_wire::question;
pub use self::worker_wire::{WorkerProcess, WorkerWire};
pub use crate::wire::{Heard, WireFeed};

/// The subject of all workers' beats.
const BEATS: &str = "tm.beat.*";

/// How long a server has to say that nobody listens.
const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// The result of a question to a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskOutcome {
    Answered(Bytes),
    /// Nobody listens there: the worker is gone, for certain.
    Nobody,
    /// No answer in time: it may have heard or not.
    Silent,
}

/// The wire between the workers of one team.
#[derive(Clone)]
pub struct NatsFleet {
    pub(crate) wire: Wire,
    pub(crate) place: NatsPlace,
}

impl NatsFleet {
    /// Says that this worker lives.
    pub async fn beat(&self, own: &WorkerName, body: Bytes) {
        self.wire.publish(format!("tm.beat.{own}"), body).await;
    }

    /// Hears all workers, itself among them.
    pub async fn beats(&self) -> Result<WireFeed, String> {
        self.wire.listen(BEATS.to_owned()).await
    }

    /// Asks a worker.
    pub async fn ask(
        &self,
        own: &WorkerName,
        worker: &WorkerName,
        body: Bytes,
        wait: Duration,
    ) -> AskOutcome {
        let subject = self.place.question(worker, own);
        let request = Request::new()
            .headers(self.wire.sealed(&subject, &body))
            .payload(body)
            .timeout(Some(wait));
        match self.wire.client.send_request(subject, request).await {
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

    /// Hears what this worker is asked, and by whom.
    pub async fn asked(&self, own: &WorkerName) -> Result<WireFeed, String> {
        self.wire.listen(self.place.questions(own)).await
    }

    /// Resolves when the server has read what was sent on this connection, what it listens to among that: it has said that nobody has
    /// that name. A client's `flush` is no such proof, for it ends when all is written.
    pub(crate) async fn settled(&self, own: &WorkerName) {
        let request = Request::new().timeout(Some(ANSWER_WAIT));
        let subject = self.place.nobodys_question(own);
        // Without an answer what others say at this moment may be missed, as anything here may be.
        let _ = self.wire.client.send_request(subject, request).await;
    }
}
