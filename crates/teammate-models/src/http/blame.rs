//! How a failure is told: who was asked, what came, what to check. In one line, without the key.

use std::{
    error::Error as _,
    time::{Duration, SystemTime},
};

use reqwest::Response;
use secrecy::{ExposeSecret, SecretString};
use teammate_core::model::{ModelFailure, Remedy};
use tokio::time::{Instant, timeout_at};

use crate::failure::{Told, remedy, retry_after};

/// The most of an error's body that is read, and how long it may take.
const ERROR_BYTES_MAX: usize = 64 << 10;
const ERROR_TIMEOUT: Duration = Duration::from_secs(10);
/// The most characters of a server's own words that a message quotes.
const QUOTE_CHARS_MAX: usize = 500;

/// What failures are told with: who was asked, and what to check.
#[derive(Debug)]
pub(super) struct Blame {
    pub(super) name: String,
    pub(super) url: String,
    pub(super) model: String,
    pub(super) key: Option<SecretString>,
    pub(super) key_from: String,
}

impl Blame {
    fn failure(&self, what: &str, remedy: Remedy) -> ModelFailure {
        ModelFailure {
            what: format!("{} ({}) {what}", self.name, self.url),
            remedy,
        }
    }

    pub(super) fn retry(&self, what: &str) -> ModelFailure {
        self.failure(what, Remedy::Retry { after: None })
    }

    pub(super) fn silent(&self, limit: Duration) -> ModelFailure {
        self.retry(&format!(
            "made no progress for {} s",
            limit.as_secs_f32().round()
        ))
    }

    /// Nothing, or half of something, came.
    pub(super) fn broken(&self, error: &reqwest::Error) -> ModelFailure {
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
    pub(super) async fn refused(&self, response: Response) -> ModelFailure {
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
        // Some servers send the same id under both names.
        let id = match header(&response, "request-id") {
            "" => header(&response, "x-request-id").to_owned(),
            id => id.to_owned(),
        };
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

    pub(super) fn told(&self, told: &Told, request_id: &str) -> ModelFailure {
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
    pub(super) async fn no_stream(&self, response: Response) -> ModelFailure {
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
    pub(super) fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) if key.expose_secret().trim().len() > 3 => {
                text.replace(key.expose_secret().trim(), "[key]")
            }
            Some(_) | None => text.to_owned(),
        }
    }
}

/// A header's value; empty if there is none.
pub(super) fn header<'a>(response: &'a Response, name: &str) -> &'a str {
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
pub(super) fn causes(error: &reqwest::Error) -> String {
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
