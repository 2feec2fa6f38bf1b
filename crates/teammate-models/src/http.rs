//! One request to a model server and the events that answer it.
//!
//! Whoever asks is told within known limits: connecting, the first event, every gap and every size has one. What
//! the events mean is the adapters' business.

use std::{
    collections::VecDeque,
    error::Error as _,
    time::{Duration, SystemTime},
};

use reqwest::{Client, Response, Url, header::HeaderMap};
use secrecy::{ExposeSecret, SecretString};
use teammate_core::model::{ModelFailure, Remedy};
use tokio::time::{Instant, timeout_at};

use crate::{
    endpoint::{Endpoint, Shown},
    failure::{Told, remedy, retry_after},
    sse::{Event, Reader},
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The most of an error's body that is read, and how long it may take.
const ERROR_BYTES_MAX: usize = 64 << 10;
const ERROR_TIMEOUT: Duration = Duration::from_secs(10);
/// The most characters of a server's own words that a message quotes.
const QUOTE_CHARS_MAX: usize = 500;

/// The most bytes of one answer.
const ANSWER_BYTES_MAX: usize = 128 << 20;

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

/// What failures are told with: who was asked, and what to check.
#[derive(Debug)]
struct Blame {
    name: String,
    url: String,
    model: String,
    key: Option<SecretString>,
    key_from: String,
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
            bytes: 0,
        })
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
    bytes: usize,
}

impl Events<'_> {
    /// The next event; `None` when the server has closed the stream in good order.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>, ModelFailure> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            let chunk = timeout_at(self.deadline, self.response.chunk())
                .await
                .map_err(|_| self.blame.silent(self.limit))?
                .map_err(|error| self.blame.broken(&error))?;
            let Some(chunk) = chunk else { return Ok(None) };
            self.bytes += chunk.len();
            if self.bytes > ANSWER_BYTES_MAX {
                return Err(self.blame.retry("answered without end"));
            }
            self.reader
                .feed(&chunk, &mut self.ready)
                .map_err(|error| self.blame.retry(&error.to_string()))?;
        }
    }

    /// The last event brought the answer forward: the watch starts anew.
    pub(crate) fn progressed(&mut self) {
        self.limit = self.gap;
        self.deadline = Instant::now() + self.gap;
    }
}

impl Blame {
    fn failure(&self, what: &str, remedy: Remedy) -> ModelFailure {
        ModelFailure {
            what: format!("{} ({}) {what}", self.name, self.url),
            remedy,
        }
    }

    fn retry(&self, what: &str) -> ModelFailure {
        self.failure(what, Remedy::Retry { after: None })
    }

    fn silent(&self, limit: Duration) -> ModelFailure {
        self.retry(&format!(
            "made no progress for {} s",
            limit.as_secs_f32().round()
        ))
    }

    /// Nothing, or half of something, came.
    fn broken(&self, error: &reqwest::Error) -> ModelFailure {
        let causes = causes(error);
        if causes.to_ascii_lowercase().contains("certificate") {
            return self.failure(
                &format!(
                    "cannot be trusted: {causes}. Check the base URL and the system's certificates."
                ),
                Remedy::Never,
            );
        }
        let what = match error {
            error if error.is_connect() => "cannot be reached",
            error if error.is_builder() => {
                return self.failure(&format!("cannot be asked: {causes}"), Remedy::Never);
            }
            _ => "broke the connection",
        };
        self.retry(&format!("{what}: {causes}"))
    }

    /// The server answered with a status that is not success.
    async fn refused(&self, response: Response) -> ModelFailure {
        let status = response.status().as_u16();
        let after = retry_after(
            Some(header(&response, "retry-after-ms")),
            Some(header(&response, "retry-after")),
            SystemTime::now(),
        );
        let should_retry = match header(&response, "x-should-retry") {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        let id = [
            header(&response, "request-id"),
            header(&response, "x-request-id"),
        ]
        .concat();
        let body = self.without_key(&start_of(response).await);
        let told = Told::read(status, &body).unwrap_or_else(|| Told {
            status,
            message: summary(&body),
            ..Told::default()
        });
        let told = Told {
            retry_after: after,
            should_retry,
            ..told
        };
        self.told(&told, &id)
    }

    fn told(&self, told: &Told, request_id: &str) -> ModelFailure {
        let mut what = format!("answered {}", told.status);
        for part in [&told.kind, &told.code] {
            if !part.is_empty()
                && *part != told.status.to_string()
                && !what.ends_with(part.as_str())
            {
                what.push(' ');
                what.push_str(&quote(part));
            }
        }
        if !told.message.trim().is_empty() {
            what.push_str(": ");
            what.push_str(&quote(&told.message));
        }
        if !request_id.is_empty() {
            what.push_str(&format!(" (request {})", quote(request_id)));
        }
        let hint = told.hint(&self.key_from, &self.model);
        if !hint.is_empty() {
            let end = if what.ends_with(['.', '!', '?']) {
                ""
            } else {
                "."
            };
            what = format!("{what}{end}{hint}");
        }
        self.failure(&what, remedy(told))
    }

    /// A success that is no stream: mostly a wrong base URL, sometimes an error that a server calls a success.
    async fn no_stream(&self, response: Response) -> ModelFailure {
        let body = self.without_key(&start_of(response).await);
        if body.trim_start().starts_with('{') && body.contains("\"error\"") {
            return self.told(&Told::in_stream(&body), "");
        }
        let summary = match summary(&body) {
            empty if empty.is_empty() => "nothing".to_owned(),
            summary => summary,
        };
        self.failure(
            &format!(
                "answered with {summary} where a stream of events was expected. Check the base URL."
            ),
            Remedy::Never,
        )
    }

    /// A server may quote the key it was given. Called on its words before anything cuts them.
    fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) if key.expose_secret().trim().len() > 3 => {
                text.replace(key.expose_secret().trim(), "[key]")
            }
            Some(_) | None => text.to_owned(),
        }
    }
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    let value = response.headers().get(name);
    value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

/// The start of a body, as far as it comes.
async fn start_of(mut response: Response) -> String {
    let deadline = Instant::now() + ERROR_TIMEOUT;
    let mut body = Vec::new();
    while body.len() < ERROR_BYTES_MAX
        && let Ok(Ok(Some(chunk))) = timeout_at(deadline, response.chunk()).await
    {
        let room = ERROR_BYTES_MAX - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    String::from_utf8_lossy(&body).into_owned()
}

/// What a body is, for a person: a page by its title, anything else by its start.
fn summary(body: &str) -> String {
    let lower = body.to_ascii_lowercase();
    let is_page = ["<!doctype", "<html", "<head", "<body"]
        .iter()
        .any(|tag| lower.contains(tag));
    if !is_page {
        return quote(body);
    }
    let title = lower.find("<title").and_then(|at| {
        let start = at + lower[at..].find('>')? + 1;
        let end = start + lower[start..].find("</title")?;
        body.get(start..end)
    });
    match title.map(quote) {
        Some(title) if !title.is_empty() => format!("an HTML page ({title})"),
        Some(_) | None => "an HTML page".to_owned(),
    }
}

/// A server's words in one line, without control characters, cut.
fn quote(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let mut out: String = line
        .chars()
        .filter(|c| !c.is_control())
        .take(QUOTE_CHARS_MAX)
        .collect();
    if line.chars().count() > QUOTE_CHARS_MAX {
        out.push('…');
    }
    out
}

/// An error and what caused it, without the URL, which is said already.
fn causes(error: &reqwest::Error) -> String {
    let mut out = String::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !out.ends_with(&text) {
            if !out.is_empty() {
                out.push_str(": ");
            }
            out.push_str(&text);
        }
        cause = error.source();
    }
    if out.is_empty() {
        "it gave no reason".to_owned()
    } else {
        quote(&out)
    }
}
