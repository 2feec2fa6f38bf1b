//! The remedies of a server's error: one table over status, type, code and retry headers.
//!
//! A status alone does not tell: both vendors answer 429 to a spent budget, which no waiting mends, and 400 to a
//! conversation that is too long, which shortening does.

use std::time::Duration;

use serde_json::Value;
use teammate_core::model::Remedy;

mod waiting;
mod words;

pub(crate) use waiting::{retry_after, wait_in};

/// An error as a server reported it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ServerError {
    /// The HTTP status; for an error inside a stream, the status that its type stands for.
    pub(crate) status: u16,
    /// The error's `type`.
    pub(crate) kind: String,
    /// The error's `code`.
    pub(crate) code: String,
    /// The error's `message`.
    pub(crate) message: String,
    /// How long the server asks us to wait.
    pub(crate) retry_after: Option<Duration>,
    /// The header `x-should-retry`.
    pub(crate) should_retry: Option<bool>,
}

/// Whether to retry, shorten the conversation, or give up.
pub(crate) fn remedy(report: &ServerError) -> Remedy {
    let after = report.retry_after;
    let retry = match report.status {
        429 => Remedy::SlowDown { after },
        _ => Remedy::Retry { after },
    };
    if report.has_failed_to_call() {
        return retry;
    }
    if report.is_too_long() {
        return Remedy::Shorten;
    }
    if report.should_retry == Some(false) || report.is_quota_spent() {
        return Remedy::Never;
    }
    match report.status {
        _ if report.should_retry == Some(true) => retry,
        // Not implemented: a retry gets the same answer.
        501 | 505 => Remedy::Never,
        // 498: Groq's capacity of a tier.
        408 | 409 | 425 | 429 | 498 | 500.. => retry,
        _ => Remedy::Never,
    }
}

impl ServerError {
    /// Parses an error body in any of the shapes that servers use; `None` if it has no error.
    pub(crate) fn parse(status: u16, body: &str) -> Option<Self> {
        let body: Value = serde_json::from_str(body).ok()?;
        // Google wraps the object in a list.
        let body = body.get(0).unwrap_or(&body);
        let error = match body.get("error") {
            // Others list what is wrong.
            Some(Value::Null) | None => body.pointer("/errors/0").unwrap_or(body),
            Some(error) => error,
        };
        let text = |name: &str| match error.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            Some(_) | None => String::new(),
        };
        // Servers in Python list what does not fit.
        let detail = match error.get("detail") {
            Some(list @ (Value::Array(_) | Value::Object(_))) => list.to_string(),
            Some(_) | None => text("detail"),
        };
        let mut report = Self {
            status,
            kind: text("type"),
            code: text("code"),
            message: [text("message"), text("msg"), detail].concat(),
            ..Self::default()
        };
        // Anthropic's more precise code.
        if let Some(code) = error.pointer("/details/error_code").and_then(Value::as_str) {
            code.clone_into(&mut report.code);
        }
        if let Value::String(message) = error {
            report.message.clone_from(message);
            // Frameworks say the name of the status there, and beside it what is wrong.
            if let Some(Value::String(why)) = body.get("message") {
                report.message = format!("{message}: {why}");
            }
        }
        (!(report.kind.is_empty() && report.message.is_empty())).then_some(report)
    }

    /// Like [`ServerError::parse`] for an error event inside a stream, which has no HTTP status: the
    /// type or code stands for it.
    pub(crate) fn from_stream_event(body: &str) -> Self {
        let mut report = Self::parse(0, body).unwrap_or_else(|| Self {
            message: body.to_owned(),
            ..Self::default()
        });
        report.retry_after = wait_in(body);
        report.status = match report.kind.as_str() {
            _ if report.code == "rate_limit_exceeded" => 429,
            _ if report.is_request_refused() => 400,
            "invalid_request_error" | "exceed_context_size_error" => 400,
            _ if report.code == "context_length_exceeded" => 400,
            "authentication_error" => 401,
            "billing_error" => 402,
            "permission_error" => 403,
            "not_found_error" => 404,
            "request_too_large" => 413,
            "rate_limit_error" | "rate_limit_exceeded" | "tokens" | "requests" => 429,
            "timeout_error" => 504,
            "overloaded_error" => 529,
            // Compatible servers put a status into the code. Anything else counts as a server error.
            _ => match report.code.parse() {
                Ok(status @ 400..=599) => status,
                Ok(_) | Err(_) => 500,
            },
        };
        report
    }

    /// True if the code of an error in an answer of the Responses API says that the request is at fault, so that the same one
    /// would fail again (SDK openai-python 3.54.0, `response_error.py`, November 2026).
    fn is_request_refused(&self) -> bool {
        let code = self.code.as_str();
        ["invalid_", "unsupported_", "image_", "empty_image"]
            .iter()
            .any(|start| code.starts_with(start))
            || [
                "_policy",
                "_policy_violation",
                "_mismatch",
                "_to_download_image",
            ]
            .iter()
            .any(|end| code.ends_with(end))
    }

    /// True if the model, not the request, is at fault: its server could not read the call that it made (Groq). Asked again, it makes
    /// another.
    fn has_failed_to_call(&self) -> bool {
        let words = [
            "tool_use_failed",
            "failed to parse tool call",
            "malformed_function_call",
        ];
        let said = [&*self.code, &*self.message].join(" ").to_ascii_lowercase();
        words.iter().any(|word| said.contains(word))
    }

    /// True if the conversation is too long, by what is known of servers, or else by what the words seem to say.
    pub(crate) fn is_too_long(&self) -> bool {
        if self.code == "context_length_exceeded" || self.kind == "exceed_context_size_error" {
            return true;
        }
        let message = [&*self.code, &*self.message].join(" ").to_ascii_lowercase();
        match self.status {
            413 => true,
            400 | 422 => words::are_too_long(&message) || words::seem_too_long(&message),
            // Some say it as if it were their own fault.
            500 => words::are_too_long(&message),
            _ => false,
        }
    }

    /// True if another key may be accepted: this one is not, or no longer.
    pub(crate) fn is_key_refused(&self) -> bool {
        let said = [&*self.kind, &*self.code, &*self.message]
            .join(" ")
            .to_ascii_lowercase();
        let is_expired = said.contains("expired")
            && ["token", "key", "credential"]
                .iter()
                .any(|word| said.contains(word));
        let is_unknown = [
            "api key not valid",
            "api_key_invalid",
            "invalid api key",
            "incorrect api key",
        ]
        .iter()
        .any(|words| said.contains(words));
        self.status == 401
            || (self.status == 403 && is_expired)
            || (matches!(self.status, 400 | 403) && is_unknown)
    }

    /// True if the account is out of credit, so that waiting does not help.
    fn is_quota_spent(&self) -> bool {
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
        let is_empty = [
            "insufficient balance",
            "balance is insufficient",
            "insufficient credit",
            "credit balance is too low",
            "doesn't have any credits",
            "exceeded your current quota, please check your plan and billing",
            "arrearage",
            "余额不足",
            "欠费",
        ];
        let said = [&*self.code, &*message].join(" ").to_ascii_lowercase();
        self.status == 402
            || (matches!(self.status, 400 | 403 | 429) && is_empty.iter().any(|word| said.contains(word)))
            || spent(&self.kind)
            || spent(&self.code)
            // Anthropic's tier cap looks like a rate limit without `retry-after`.
            || (self.status == 429 && self.retry_after.is_none() && cap)
    }

    /// True if it says with a status of another meaning that there is no such model.
    fn names_no_model(&self) -> bool {
        let message = self.message.to_ascii_lowercase();
        [
            "not a valid model",
            "invalid model",
            "model not exist",
            "model not found",
            "unknown model",
            "no such model",
            "模型不存在",
        ]
        .iter()
        .any(|words| message.contains(words))
    }

    /// True if the request may be taken in another form: it was refused, and not for its key, money, model or length.
    pub(crate) fn is_about_form(&self) -> bool {
        matches!(self.status, 400 | 422)
            && !self.has_failed_to_call()
            && !self.is_too_long()
            && !self.is_key_refused()
            && !self.is_quota_spent()
            && !self.names_no_model()
    }

    /// A hint at what the user can do, as a sentence that starts with a space; empty if the message is enough.
    pub(crate) fn hint(&self, key_from: &str, model: &str) -> String {
        match self.status {
            _ if self.is_too_long() => String::new(),
            _ if self.is_quota_spent() => {
                " Check the plan, credit and limits of the account.".to_owned()
            }
            _ if self.status == 404 && self.message.to_ascii_lowercase().contains("tool") => {
                " Choose a model or a route that takes tools.".to_owned()
            }
            _ if self.is_key_refused() && key_from.is_empty() => {
                " Set a key for this server.".to_owned()
            }
            _ if self.is_key_refused() => format!(" Check the key in {key_from}."),
            401 | 403 if key_from.is_empty() => " Set a key for this server.".to_owned(),
            401 | 403 => format!(" Check the key in {key_from}."),
            400 if self.names_no_model() => format!(" Check the model name '{model}'."),
            404 => format!(" Check the model name '{model}' and the base URL."),
            405 => " Check the base URL.".to_owned(),
            300..=399 => " The server redirects: set the base URL to where it points.".to_owned(),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests;
