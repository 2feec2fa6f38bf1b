//! One request to a model server and the events that answer it.
//!
//! Whoever asks is told within known limits: connecting, the first event, every gap and every size has one. What
//! the events mean is the adapters' business.

use std::{collections::VecDeque, time::Duration};

use reqwest::{Client, Response, Url, header::HeaderMap};
use teammate_core::model::{ModelFailure, Remedy};
use tokio::time::{Instant, timeout_at};

use crate::{
    endpoint::{Endpoint, Shown},
    failure::Told,
    probe::Probe,
    size::ENDLESS,
    sse::{Event, Reader},
};

mod blame;

use blame::{Blame, causes, header};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of one answer.
const ANSWER_BYTES_MAX: usize = 128 << 20;
/// The most events in a row that bring nothing.
const EMPTY_EVENTS_MAX: usize = 10_000;
/// For so many gaps together a server may send events that bring nothing.
const EMPTY_GAPS_MAX: u32 = 10;

/// How long a server may show no progress. Keep-alives are no progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// From sending the request to the first event.
    pub first_event: Duration,
    /// Between two events.
    pub gap: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            first_event: Duration::from_secs(120),
            gap: Duration::from_secs(90),
        }
    }
}

/// The connections of all adapters. Cheap to clone; make one per process.
#[derive(Debug, Clone)]
pub struct Http {
    client: Client,
    patience: Patience,
}

impl Http {
    /// A client with TLS, proxies from the environment and the system's certificates, or Mozilla's where the
    /// system has none.
    pub fn new() -> Result<Self, ModelFailure> {
        // Whoever was first has installed a provider that works as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = || {
            Client::builder()
                .connect_timeout(CONNECT_TIMEOUT)
                .tcp_keepalive(Duration::from_secs(30))
                .redirect(reqwest::redirect::Policy::none())
                .user_agent(concat!("teammate/", env!("CARGO_PKG_VERSION")))
        };
        let client = builder().build().or_else(|_| {
            let mozilla = webpki_root_certs::TLS_SERVER_ROOT_CERTS
                .iter()
                .filter_map(|der| reqwest::Certificate::from_der(der).ok());
            builder().tls_certs_only(mozilla).build()
        });
        Ok(Self {
            client: client.map_err(|error| ModelFailure {
                what: format!("HTTPS cannot be set up: {}", causes(&error)),
                remedy: Remedy::Never,
            })?,
            patience: Patience::default(),
        })
    }

    /// The same connections with other limits on waiting.
    #[must_use]
    pub fn patient(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }
}

/// Where one adapter's requests go.
#[derive(Debug)]
pub(crate) struct Line {
    http: Http,
    url: Url,
    headers: HeaderMap,
    blame: Blame,
    shares: String,
}

impl Line {
    /// A line to `url` of `endpoint` for the model of that name.
    pub(crate) fn new(
        endpoint: &Endpoint,
        url: Url,
        headers: &[(&'static str, &'static str)],
        model: &str,
        http: Http,
    ) -> Result<Self, ModelFailure> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, reqwest::header::HeaderValue::from_static(value));
        }
        // What a person configured wins.
        map.extend(endpoint.header_map()?);
        Ok(Self {
            shares: endpoint.fingerprint(&url),
            blame: Blame {
                name: endpoint.name.clone(),
                url: Shown(&url).to_string(),
                model: model.to_owned(),
                key: endpoint.key.clone(),
                key_from: endpoint.key_from.clone(),
            },
            http,
            url,
            headers: map,
        })
    }

    /// What shares rate limits with this line.
    pub(crate) fn shares(&self) -> &str {
        &self.shares
    }

    /// The server's host.
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Sends the request and waits until the server begins to answer.
    pub(crate) async fn ask(&self, body: String) -> Result<Events<'_>, ModelFailure> {
        let patience = self.http.patience;
        let deadline = Instant::now() + patience.first_event;
        let sent = self
            .http
            .client
            .post(self.url.clone())
            .headers(self.headers.clone())
            .header("content-type", "application/json")
            .header("accept", "text/event-stream")
            .body(body)
            .send();
        let response = timeout_at(deadline, sent)
            .await
            .map_err(|_| self.blame.silent(patience.first_event))?
            .map_err(|error| self.blame.broken(&error))?;
        let kind = header(&response, "content-type").to_ascii_lowercase();
        if !response.status().is_success() {
            return Err(self.blame.refused(response).await);
        }
        if kind.contains("html") || kind.contains("json") {
            return Err(self.blame.no_stream(response).await);
        }
        Ok(Events {
            blame: &self.blame,
            response,
            reader: Reader::default(),
            ready: VecDeque::new(),
            limit: patience.first_event,
            gap: patience.gap,
            deadline,
            grown_at: Instant::now(),
            empty: 0,
            bytes: 0,
        })
    }

    /// Asks for the list of models, which lies beside this line: its path ends with `models` in place of `own_end`.
    pub(crate) async fn probe(&self, own_end: &str) -> Result<Probe, ModelFailure> {
        let mut url = self.url.clone();
        let base = url.path().trim_end_matches(own_end).to_owned();
        url.set_path(&format!("{base}models"));
        let response = self.look(url.clone(), self.headers.clone()).await?;
        let status = response.status();
        if !status.is_success() {
            return Ok(match status.as_u16() {
                404 | 405 | 501 => Probe::Untold,
                status => Probe::Refused {
                    status,
                    why: self.blame.refused(response).await,
                },
            });
        }
        if self.blame.key.is_none() {
            return Ok(Probe::Accepted);
        }
        // What everybody is told proves nothing about the key.
        let mut keyless = self.headers.clone();
        keyless.remove("authorization");
        keyless.remove("x-api-key");
        let response = self.look(url, keyless).await?;
        Ok(match response.status().is_success() {
            true => Probe::Untold,
            false => Probe::Accepted,
        })
    }

    async fn look(&self, url: Url, headers: HeaderMap) -> Result<Response, ModelFailure> {
        let limit = self.http.patience.first_event;
        let sent = self.http.client.get(url).headers(headers).send();
        tokio::time::timeout(limit, sent)
            .await
            .map_err(|_| self.blame.silent(limit))?
            .map_err(|error| self.blame.broken(&error))
    }

    /// The failure that an error inside a stream is.
    pub(crate) fn error_in_stream(&self, data: &str) -> ModelFailure {
        let told = Told::in_stream(&self.blame.without_key(data));
        self.blame.told(&told, "")
    }

    /// The stream ended without its last event, or said what cannot be.
    pub(crate) fn broken_stream(&self, what: &str) -> ModelFailure {
        self.blame.retry(what)
    }
}

/// The events of one answer.
pub(crate) struct Events<'a> {
    blame: &'a Blame,
    response: Response,
    reader: Reader,
    ready: VecDeque<Event>,
    limit: Duration,
    gap: Duration,
    deadline: Instant,
    /// When the answer last grew.
    grown_at: Instant,
    /// Events since then.
    empty: usize,
    bytes: usize,
}

impl Events<'_> {
    /// The next event; `None` when the server has closed the stream in good order.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>, ModelFailure> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.empty += 1;
                if self.empty > EMPTY_EVENTS_MAX {
                    return Err(self.blame.retry(ENDLESS));
                }
                return Ok(Some(event));
            }
            let chunk = timeout_at(self.deadline, self.response.chunk())
                .await
                .map_err(|_| self.blame.silent(self.limit))?
                .map_err(|error| self.blame.broken(&error))?;
            let Some(chunk) = chunk else { return Ok(None) };
            self.bytes += chunk.len();
            if self.bytes > ANSWER_BYTES_MAX {
                return Err(self.blame.retry(ENDLESS));
            }
            self.reader
                .feed(&chunk, &mut self.ready)
                .map_err(|error| self.blame.retry(&error.to_string()))?;
        }
    }

    /// The last event brought the answer forward: the watch starts anew.
    pub(crate) fn progressed(&mut self) {
        self.grown_at = Instant::now();
        self.empty = 0;
        self.limit = self.gap;
        self.deadline = self.grown_at + self.gap;
    }

    /// The last event belongs to the answer but brought nothing: the server is at work, which is believed for a while.
    pub(crate) fn showed_life(&mut self) {
        self.limit = self.gap;
        let last = self.grown_at + self.gap * EMPTY_GAPS_MAX;
        self.deadline = (Instant::now() + self.gap).min(last);
    }
}
