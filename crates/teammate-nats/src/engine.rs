//! The connection as the adapters use it: one request, and its answer or that there is none.

use std::time::Duration;

use async_nats::{Client, HeaderMap, Request, RequestErrorKind, jetstream::Context};
use bytes::Bytes;

use crate::code::Answer;

/// How long one sending waits for its answer.
const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// How long a request about streams and consumers waits: a lost leader takes 6 s.
const REQUEST_WAIT: Duration = Duration::from_secs(10);

/// What came of one sending.
pub(crate) enum Sent {
    /// The server answered.
    Answered(Answer),
    /// It may be stored or not; why nobody knows.
    Unanswered(String),
}

/// A connection to the servers. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) client: Client,
    pub(crate) jet: Context,
}

impl Engine {
    pub(crate) fn new(client: Client) -> Self {
        let mut jet = async_nats::jetstream::new(client.clone());
        jet.set_timeout(REQUEST_WAIT);
        Self { client, jet }
    }

    /// Sends a message to a stream, once.
    pub(crate) async fn send(&self, subject: &str, headers: HeaderMap, body: Bytes) -> Sent {
        let request = Request::new()
            .headers(headers)
            .payload(body)
            .timeout(Some(ANSWER_WAIT));
        match self.client.send_request(subject.to_owned(), request).await {
            Ok(message) => Sent::Answered(Answer::read(&message.payload)),
            Err(error) => match error.kind() {
                RequestErrorKind::MaxPayloadExceeded => Sent::Answered(Answer::TooLarge),
                RequestErrorKind::InvalidSubject => {
                    Sent::Answered(Answer::Refused(error.to_string()))
                }
                // Nobody listens: the stream has no leader, or is not there.
                RequestErrorKind::NoResponders => {
                    Sent::Answered(Answer::Later("no server has the stream".to_owned()))
                }
                RequestErrorKind::TimedOut | RequestErrorKind::Other => {
                    Sent::Unanswered(error.to_string())
                }
            },
        }
    }
}
