//! The connection as the adapters use it: one request, and its answer or that there is none.

use std::time::Duration;

use async_nats::{
    Client, HeaderMap, Request, RequestErrorKind,
    jetstream::{
        Context, ErrorCode,
        context::{GetStreamError, GetStreamErrorKind},
    },
};
use bytes::Bytes;
use tokio::time::{Instant, sleep};

use crate::code::{ServerAnswer, ServerRefusal};

/// How long one sending waits for its answer.
const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// How long a request for a consumer waits. A leader that was killed does not answer, and its successor answers the next request.
const CONSUMER_WAIT: Duration = Duration::from_secs(3);

/// How long appends and reads wait for a server that leads. Three servers that were all killed take tens of seconds. Far below the
/// time for which servers remember ids.
pub(crate) const LEADER_WAIT: Duration = Duration::from_secs(40);

/// How long a request about streams waits: a lost leader takes 6 s.
const STREAM_WAIT: Duration = Duration::from_secs(10);

/// The pause before a question is asked again that was not answered.
const AGAIN: Duration = Duration::from_millis(200);

/// The result of one sending.
pub(crate) enum Sent {
    Answered(ServerAnswer),
    /// It may be stored or not; why nobody knows.
    Unanswered(String),
}

/// How long a question is asked again while servers elect who leads: as long as appends wait.
pub(crate) struct ElectionTimeout(Instant);

impl ElectionTimeout {
    pub(crate) fn begin() -> Self {
        Self(Instant::now() + LEADER_WAIT)
    }

    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.0
    }

    /// The pause before the question is asked again.
    pub(crate) async fn pause() {
        sleep(AGAIN).await;
    }
}

/// A connection to the servers. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) client: Client,
    /// For consumers.
    pub(crate) jet: Context,
}

/// The context that makes streams and looks at them, which takes more rights than a worker has.
pub(crate) fn of_streams(client: &Client) -> Context {
    let mut jet = async_nats::jetstream::new(client.clone());
    jet.set_timeout(STREAM_WAIT);
    jet
}

impl Engine {
    pub(crate) fn new(client: Client) -> Self {
        let mut jet = async_nats::jetstream::new(client.clone());
        jet.set_timeout(CONSUMER_WAIT);
        Self { client, jet }
    }

    /// Whether the servers say that there is no such stream. Without an answer nobody knows: false.
    pub(crate) async fn has_no_stream(&self, name: &str) -> bool {
        let found = self.jet.get_stream(name).await;
        found.is_err_and(|error| is_not_there(&error))
    }

    /// Sends a message to a stream, once.
    pub(crate) async fn send(&self, subject: &str, headers: HeaderMap, body: Bytes) -> Sent {
        let bytes = body.len();
        let request = Request::new()
            .headers(headers)
            .payload(body)
            .timeout(Some(ANSWER_WAIT));
        match self.client.send_request(subject.to_owned(), request).await {
            Ok(message) => Sent::Answered(ServerAnswer::read(&message.payload, bytes)),
            Err(error) => match error.kind() {
                RequestErrorKind::MaxPayloadExceeded => {
                    Sent::Answered(ServerAnswer::Refused(ServerRefusal::TooLarge { bytes }))
                }
                RequestErrorKind::InvalidSubject => Sent::Answered(ServerAnswer::Refused(
                    ServerRefusal::Other(error.to_string()),
                )),
                // Nobody listens: the stream has no leader, or is not there.
                RequestErrorKind::NoResponders => {
                    Sent::Answered(ServerAnswer::Later("no server has the stream".to_owned()))
                }
                RequestErrorKind::TimedOut | RequestErrorKind::Other => {
                    Sent::Unanswered(error.to_string())
                }
            },
        }
    }
}

/// Whether the servers have no such stream.
pub(crate) fn is_not_there(error: &GetStreamError) -> bool {
    matches!(
        error.kind(),
        GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND
    )
}
