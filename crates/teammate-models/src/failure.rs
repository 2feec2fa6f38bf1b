//! What a server's refusal means: one table over (status, type, code, what it says about retrying).
//!
//! A status alone does not tell: both vendors answer 429 to a spent budget, which no waiting mends, and 400 to a
//! conversation that is too long, which shortening does.

use std::time::{Duration, SystemTime};

use serde_json::Value;
use teammate_core::model::Remedy;

/// The longest wait that a server may ask for.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(600);

/// What a server said when it refused.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Told {
    /// The HTTP status, or the one that the error's type stands for when it came inside a stream.
    pub status: u16,
    /// The error's `type`.
    pub kind: String,
    /// The error's `code`.
    pub code: String,
    /// Its words.
    pub message: String,
    /// When to come back.
    pub retry_after: Option<Duration>,
    /// The header `x-should-retry`.
    pub should_retry: Option<bool>,
}

/// What can be done about it.
pub fn remedy(told: &Told) -> Remedy {
    let retry = Remedy::Retry {
        after: told.retry_after,
    };
    if told.is_too_long() {
        return Remedy::Shorten;
    }
    if told.should_retry == Some(false) || told.is_spent() {
        return Remedy::Never;
    }
    match told.status {
        _ if told.should_retry == Some(true) => retry,
        // A server that does not know the request will not learn it.
        501 | 505 => Remedy::Never,
        408 | 409 | 425 | 429 | 500.. => retry,
        _ => Remedy::Never,
    }
}

impl Told {
    /// Reads an error's JSON in any of the shapes that servers use. `None` if there is no error in it.
    pub(crate) fn read(status: u16, body: &str) -> Option<Self> {
        let body: Value = serde_json::from_str(body).ok()?;
        // Google wraps the object in a list.
        let body = body.get(0).unwrap_or(&body);
        let error = match body.get("error") {
            Some(Value::Null) | None => body,
            Some(error) => error,
        };
        let text = |name: &str| match error.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            Some(_) | None => String::new(),
        };
        let mut told = Self {
            status,
            kind: text("type"),
            code: text("code"),
            message: [text("message"), text("detail")].concat(),
            ..Self::default()
        };
        // Anthropic's finer word.
        if let Some(code) = error.pointer("/details/error_code").and_then(Value::as_str) {
            code.clone_into(&mut told.code);
        }
        if let Value::String(message) = error {
            told.message.clone_from(message);
        }
        (!(told.kind.is_empty() && told.message.is_empty())).then_some(told)
    }

    /// The same for an error inside a stream that began well: its type or code stands for the status.
    pub(crate) fn in_stream(body: &str) -> Self {
        let mut told = Self::read(0, body).unwrap_or_else(|| Self {
            message: body.to_owned(),
            ..Self::default()
        });
        told.status = match told.kind.as_str() {
            _ if told.code == "rate_limit_exceeded" => 429,
            "invalid_request_error" | "exceed_context_size_error" => 400,
            "authentication_error" => 401,
            "billing_error" => 402,
            "permission_error" => 403,
            "not_found_error" => 404,
            "request_too_large" => 413,
            "rate_limit_error" | "rate_limit_exceeded" | "tokens" | "requests" => 429,
            "timeout_error" => 504,
            "overloaded_error" => 529,
            // Compatible servers put a status into the code. What is unknown broke on the server's side.
            _ => match told.code.parse() {
                Ok(status @ 400..=599) => status,
                Ok(_) | Err(_) => 500,
            },
        };
        told
    }

    fn is_too_long(&self) -> bool {
        const WORDS: [&str; 7] = [
            "prompt is too long",
            "exceed context limit",
            "maximum context length",
            "context length exceeded",
            "context window",
            "context size",
            "reduce the length of the messages",
        ];
        if self.code == "context_length_exceeded" || self.kind == "exceed_context_size_error" {
            return true;
        }
        let message = self.message.to_ascii_lowercase();
        matches!(self.status, 400 | 413 | 422) && WORDS.iter().any(|word| message.contains(word))
    }

    /// Whether it is money that is missing, not patience.
    fn is_spent(&self) -> bool {
        let spent = |word: &str| {
            matches!(
                word,
                "insufficient_quota"
                    | "billing_error"
                    | "credit_balance_exhausted"
                    | "billing_hard_limit_reached"
                    | "billing_not_active"
            ) || word.ends_with("spend_limit_exceeded")
                || word.ends_with("spend_limit_reached")
                || word.ends_with("usage_limit_exceeded")
        };
        let message = self.message.to_ascii_lowercase();
        let cap = ["spend", "credit", "usage limit"]
            .iter()
            .any(|word| message.contains(word));
        self.status == 402
            || spent(&self.kind)
            || spent(&self.code)
            // Anthropic's tier cap looks like a rate limit, but does not say when to come back.
            || (self.status == 429 && self.retry_after.is_none() && cap)
    }

    /// What a person can do, in a sentence that starts with a space; empty if the message says it all.
    pub(crate) fn hint(&self, key_from: &str, model: &str) -> String {
        match self.status {
            _ if self.is_too_long() => String::new(),
            _ if self.is_spent() => " Check the plan, credit and limits of the account.".to_owned(),
            401 | 403 if key_from.is_empty() => " Set a key for this server.".to_owned(),
            401 | 403 => format!(" Check the key in {key_from}."),
            404 => format!(" Check the model name '{model}' and the base URL."),
            405 => " Check the base URL.".to_owned(),
            300..=399 => " The server redirects: set the base URL to where it points.".to_owned(),
            _ => String::new(),
        }
    }
}

/// When to come back, from `retry-after-ms` and `retry-after` (seconds or a date). Bounded; nonsense counts as
/// nothing said.
pub fn retry_after(
    millis: Option<&str>,
    seconds_or_date: Option<&str>,
    now: SystemTime,
) -> Option<Duration> {
    let number = |text: &str, unit: f64| {
        let seconds = text.trim().parse::<f64>().ok()? * unit;
        (seconds.is_finite() && seconds >= 0.0)
            .then(|| Duration::from_secs_f64(seconds.min(RETRY_AFTER_MAX.as_secs_f64())))
    };
    let date = |text: &str| {
        let date = httpdate::parse_http_date(text.trim()).ok()?;
        Some(
            date.duration_since(now)
                .unwrap_or_default()
                .min(RETRY_AFTER_MAX),
        )
    };
    millis
        .and_then(|text| number(text, 0.001))
        .or_else(|| seconds_or_date.and_then(|text| number(text, 1.0).or_else(|| date(text))))
}

#[cfg(test)]
mod tests;
