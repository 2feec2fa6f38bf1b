//! One request to a model server and the stream of events that answers it.
//!
//! Every wait and every size has a limit: connecting, the first event, each gap, the answer. The
//! adapters interpret the events.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use reqwest::{
    Response, Url,
    header::{HeaderMap, HeaderValue},
};
use serde::de::IgnoredAny;
use teammate_core::model::{ModelFailure, Wire};
use tokio::time::{Instant, timeout_at};

use crate::{
    endpoint::{Endpoint, RedactedUrl},
    failure::ServerError,
    probe::Probe,
    size::ENDLESS,
    sse::{SseEvent, SseReader},
    whole_answer,
};

mod clients;
mod failure_text;
mod reading;
mod sending;
mod tls;

use clients::{Clients, LazyClient};
use failure_text::{FailureText, header, read_start};
pub(crate) use reading::JsonAnswer;
use sending::Sent;

/// The most bytes of one answer.
const ANSWER_BYTES_MAX: usize = 128 << 20;
/// The most events in a row without content.
const EMPTY_EVENTS_MAX: usize = 10_000;
/// How many gaps in a row a server may fill with events without content.
const EMPTY_GAPS_MAX: u32 = 10;

/// How long a server may show no progress. Keep-alives are no progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// From sending the request to the first event.
    pub first_event: Duration,
    /// Between two events.
    pub gap: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            first_event: Duration::from_secs(120),
            gap: Duration::from_secs(90),
        }
    }
}

/// The connections of all adapters. Cheap to clone; make one per process.
#[derive(Debug, Clone, Default)]
pub struct Http {
    clients: Clients,
    timeouts: Timeouts,
}

impl Http {
    /// With TLS, proxies from the environment and the system's certificates, or Mozilla's where the system has none.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes other timeouts.
    #[must_use]
    pub fn with_timeouts(self, timeouts: Timeouts) -> Self {
        Self { timeouts, ..self }
    }
}

/// One adapter's connection to its server: URL, headers and the texts for failures.
#[derive(Debug)]
pub(crate) struct Connection {
    client: Arc<LazyClient>,
    timeouts: Timeouts,
    endpoint: Endpoint,
    url: Url,
    headers: HeaderMap,
    failures: FailureText,
    rate_limit_key: String,
}

impl Connection {
    /// A connection to `url` of `endpoint` for the model named `model`.
    pub(crate) fn new(
        endpoint: &Endpoint,
        url: Url,
        headers: &[(&'static str, &'static str)],
        model: &str,
        http: Http,
    ) -> Result<Self, ModelFailure> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, HeaderValue::from_static(value));
        }
        // The user's headers win.
        map.extend(endpoint.header_map()?);
        let Http { clients, timeouts } = http;
        Ok(Self {
            client: clients.of(endpoint, &url)?,
            timeouts,
            endpoint: endpoint.clone(),
            rate_limit_key: endpoint.rate_limit_key(&url),
            failures: FailureText {
                name: endpoint.name.clone(),
                url: RedactedUrl(&url).to_string(),
                model: model.to_owned(),
                key: endpoint.key.clone(),
                key_from: endpoint.key_from.clone(),
            },
            url,
            headers: map,
        })
    }

    /// Equal for connections that share a rate limit.
    pub(crate) fn rate_limit_key(&self) -> &str {
        &self.rate_limit_key
    }

    /// Where requests go.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// The server's host.
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Sends the request and waits until the server begins to answer.
    pub(crate) async fn ask(
        &self,
        body: String,
        beta: &[String],
        wire: Wire,
    ) -> Result<EventStream<'_>, AskFailure> {
        let timeouts = self.timeouts;
        let request = self
            .client
            .get()?
            .post(self.url.clone())
            .headers(with_beta(self.headers.clone(), beta))
            .header("content-type", "application/json")
            .header("accept", "text/event-stream")
            .body(body);
        let (mut response, deadline) = match self.send(request).await? {
            Sent::Accepted { response, deadline } => (response, deadline),
            Sent::Refused(refusal) => {
                return Err(AskFailure {
                    failure: self.failures.refused(&refusal),
                    is_about_form: refusal.report.is_about_form(),
                    message: refusal.about_content(),
                });
            }
        };
        let kind = header(&response, "content-type").to_ascii_lowercase();
        let mut ready = VecDeque::new();
        if kind.contains("json") {
            let body = self.whole_body(&mut response, deadline).await?;
            match whole_answer::events(wire, &body) {
                Some(events) => ready.extend(events),
                None => return Err(self.failures.no_stream(&body).into()),
            }
        } else if kind.contains("html") {
            return Err(self.failures.no_stream(&read_start(response).await).into());
        }
        Ok(EventStream {
            failures: &self.failures,
            response,
            reader: SseReader::default(),
            wire,
            ready,
            limit: timeouts.first_event,
            gap: timeouts.gap,
            deadline,
            grown_at: Instant::now(),
            empty: 0,
            bytes: 0,
        })
    }

    /// Asks for the list of models. Its path is this connection's with `models` in place of `own_end`.
    pub(crate) async fn probe(&self, own_end: &str) -> Result<Probe, ModelFailure> {
        let url = self.sibling(own_end, "models");
        let client = self.client.get()?;
        let get = |headers: HeaderMap| client.get(url.clone()).headers(headers);
        match self.send(get(self.headers.clone())).await? {
            Sent::Accepted { .. } => {}
            Sent::Refused(refusal) => {
                return Ok(match refusal.status() {
                    404 | 405 | 501 => Probe::Unknown,
                    status => Probe::Refused {
                        status,
                        why: self.failures.refused(&refusal),
                    },
                });
            }
        }
        if self.endpoint.key.is_none() {
            return Ok(Probe::Accepted);
        }
        // A list that is open to everyone proves nothing about the key.
        let mut keyless = self.headers.clone();
        keyless.remove("authorization");
        keyless.remove("x-api-key");
        Ok(match self.send_once(get(keyless), None).await? {
            Sent::Accepted { .. } => Probe::Unknown,
            Sent::Refused(_) => Probe::Accepted,
        })
    }

    /// The failure for an error event inside a stream.
    pub(crate) fn error_in_stream(&self, data: &str) -> ModelFailure {
        let report = ServerError::from_stream_event(&self.failures.redacted(data));
        self.failures.server_error(&report, "")
    }

    /// The failure for a stream that broke off or made no sense.
    pub(crate) fn stream_failure(&self, what: &str) -> ModelFailure {
        self.failures.retry(what)
    }
}

/// A request that has no stream for an answer.
pub(crate) struct AskFailure {
    /// For the caller.
    pub(crate) failure: ModelFailure,
    /// The server's words, if it refused the request for its content.
    pub(crate) message: Option<String>,
    /// Whether the same in another form may be taken.
    pub(crate) is_about_form: bool,
}

impl From<ModelFailure> for AskFailure {
    fn from(failure: ModelFailure) -> Self {
        Self {
            failure,
            message: None,
            is_about_form: false,
        }
    }
}

/// The headers with these beta features beside those that the user configured there.
fn with_beta(mut headers: HeaderMap, beta: &[String]) -> HeaderMap {
    let own = headers
        .get("anthropic-beta")
        .and_then(|own| own.to_str().ok());
    let all: Vec<&str> = own
        .into_iter()
        .chain(beta.iter().map(String::as_str))
        .collect();
    if let (false, Ok(value)) = (beta.is_empty(), HeaderValue::try_from(all.join(","))) {
        headers.insert("anthropic-beta", value);
    }
    headers
}

/// The events of one answer.
pub(crate) struct EventStream<'a> {
    failures: &'a FailureText,
    response: Response,
    reader: SseReader,
    wire: Wire,
    ready: VecDeque<SseEvent>,
    limit: Duration,
    gap: Duration,
    deadline: Instant,
    /// When the last event with content came.
    grown_at: Instant,
    /// Events without content since `grown_at`.
    empty: usize,
    bytes: usize,
}

impl EventStream<'_> {
    /// The next event; `None` when the server has closed the stream cleanly.
    pub(crate) async fn next(&mut self) -> Result<Option<SseEvent>, ModelFailure> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.empty += 1;
                if self.empty > EMPTY_EVENTS_MAX {
                    return Err(self.failures.retry(ENDLESS));
                }
                return Ok(Some(event));
            }
            let chunk = timeout_at(self.deadline, self.response.chunk())
                .await
                .map_err(|_| self.failures.timed_out(self.limit))?
                .map_err(|error| self.failures.broken(&error))?;
            let Some(chunk) = chunk else {
                // A whole answer that calls itself a stream of events.
                let Some(body) = self.reader.take_body() else {
                    return Ok(None);
                };
                match whole_answer::events(self.wire, &body) {
                    Some(events) => self.ready.extend(events),
                    None if serde_json::from_str::<IgnoredAny>(&body).is_ok() => {
                        return Err(self.failures.no_stream(&body));
                    }
                    // It was cut off.
                    None => return Ok(None),
                }
                continue;
            };
            self.bytes += chunk.len();
            if self.bytes > ANSWER_BYTES_MAX {
                return Err(self.failures.retry(ENDLESS));
            }
            self.reader
                .feed(&chunk, &mut self.ready)
                .map_err(|error| self.failures.retry(&error.to_string()))?;
        }
    }

    /// Restarts the timeouts, because the last event had content.
    pub(crate) fn reset_watchdog(&mut self) {
        self.grown_at = Instant::now();
        self.empty = 0;
        self.limit = self.gap;
        self.deadline = self.grown_at + self.gap;
    }

    /// Extends the deadline for an event without content, by [`EMPTY_GAPS_MAX`] gaps at most.
    pub(crate) fn extend_deadline(&mut self) {
        self.limit = self.gap;
        let last = self.grown_at + self.gap * EMPTY_GAPS_MAX;
        self.deadline = (Instant::now() + self.gap).min(last);
    }
}
