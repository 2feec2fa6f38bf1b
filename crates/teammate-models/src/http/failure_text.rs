//! The text of a failure: which server, what it answered, what to check. One line, without the key.

use std::{
    error::Error as _,
    time::{Duration, SystemTime},
};

use reqwest::Response;
use teammate_core::model::{ModelFailure, Remedy};
use tokio::time::{Instant, timeout_at};

use super::sending::{Refusal, Renewal};
use crate::{
    endpoint::Key,
    failure::{ServerError, remedy, retry_after, wait_in},
};

/// Limits on reading an error's body.
const ERROR_BYTES_MAX: usize = 64 << 10;
const ERROR_TIMEOUT: Duration = Duration::from_secs(10);
/// The most characters of a server's answer that a message quotes.
const QUOTE_CHARS_MAX: usize = 500;

/// Makes the failures of one connection: knows the server, the model and the key.
#[derive(Debug)]
pub(super) struct FailureText {
    pub(super) name: String,
    pub(super) url: String,
    pub(super) model: String,
    pub(super) key: Option<Key>,
    pub(super) key_from: String,
}

impl FailureText {
    pub(super) fn failure(&self, what: &str, remedy: Remedy) -> ModelFailure {
        ModelFailure {
            what: format!("{} ({}) {what}", self.name, self.url),
            remedy,
        }
    }

    pub(super) fn retry(&self, what: &str) -> ModelFailure {
        self.failure(what, Remedy::Retry { after: None })
    }

    pub(super) fn timed_out(&self, limit: Duration) -> ModelFailure {
        self.retry(&format!(
            "made no progress for {} s",
            limit.as_secs_f32().round()
        ))
    }

    /// The connection failed or broke.
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

    /// There is no key to send.
    pub(super) fn no_key(&self, why: &str) -> ModelFailure {
        let what = format!("{}: {} {why}", self.name, self.key_from);
        ModelFailure {
            what,
            remedy: Remedy::Never,
        }
    }

    /// The server answered with a status that is not success: reads what it says.
    pub(super) async fn refusal(&self, response: Response) -> Refusal {
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
        let body = self.redacted(&read_start(response).await);
        let report = ServerError::parse(status, &body).unwrap_or_else(|| ServerError {
            status,
            message: summary(&body),
            ..ServerError::default()
        });
        let report = ServerError {
            retry_after: after.or_else(|| wait_in(&body)),
            should_retry,
            ..report
        };
        Refusal {
            report,
            request_id: id,
            renewal: Renewal::None,
            body,
        }
    }

    pub(super) fn server_error(&self, report: &ServerError, request_id: &str) -> ModelFailure {
        let hint = report.hint(&self.key_from, &self.model);
        self.refused_with_hint(report, request_id, &hint)
    }

    pub(super) fn refused(&self, refusal: &Refusal) -> ModelFailure {
        let Refusal {
            report,
            request_id,
            renewal,
            body: _,
        } = refusal;
        let from = &self.key_from;
        let hint = match renewal {
            Renewal::None => return self.server_error(report, request_id),
            Renewal::SameKey => format!(" Asked again, {from} gave the same key: check it."),
            Renewal::OtherKey => {
                format!(" Asked again, {from} gave another key, which was refused, too: check it.")
            }
        };
        self.refused_with_hint(report, request_id, &hint)
    }

    fn refused_with_hint(
        &self,
        report: &ServerError,
        request_id: &str,
        hint: &str,
    ) -> ModelFailure {
        let mut what = format!("answered {}", report.status);
        for part in [&report.kind, &report.code] {
            if !part.is_empty()
                && *part != report.status.to_string()
                && !what.ends_with(part.as_str())
            {
                what.push(' ');
                what.push_str(&quote(part));
            }
        }
        if !report.message.trim().is_empty() {
            what.push_str(": ");
            what.push_str(&quote(&report.message));
        }
        if !request_id.is_empty() {
            what.push_str(&format!(" (request {})", quote(request_id)));
        }
        if !hint.is_empty() {
            let end = if what.ends_with(['.', '!', '?']) {
                ""
            } else {
                "."
            };
            what = format!("{what}{end}{hint}");
        }
        self.failure(&what, remedy(report))
    }

    /// A success that is no stream: usually a wrong base URL, sometimes an error with a success status.
    pub(super) fn no_stream(&self, body: &str) -> ModelFailure {
        let body = self.redacted(body);
        if body.trim_start().starts_with('{') && body.contains("\"error\"") {
            return self.server_error(&ServerError::from_stream_event(&body), "");
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

    /// Removes the key, which a server may quote. Must run before a text is shortened.
    pub(super) fn redacted(&self, text: &str) -> String {
        match &self.key {
            Some(key) => key.hidden_in(text),
            None => text.to_owned(),
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

/// Reads the start of a body, as far as it comes in time.
pub(super) async fn read_start(mut response: Response) -> String {
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

/// Describes a body: a page by its title, anything else by its start.
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

/// A server's text on one line, shortened, without control characters.
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

/// An error and its causes, without the URL, which the message names already.
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
