//! Requests as JSON, for users and other programs.

use serde::Serialize;
use serde_json::Value;
use teammate_core::{
    MemberName,
    permission::OfferedRules,
    request::{Request, RequestState},
};

#[derive(Serialize)]
struct RequestRow<'a> {
    id: String,
    kind: String,
    from: String,
    to: String,
    state: &'static str,
    how: String,
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<&'a MemberName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    #[serde(flatten)]
    rules: OfferedRules,
    opened_at: f64,
    deadline_at: Option<f64>,
}

impl<'a> RequestRow<'a> {
    fn of(request: &'a Request) -> Self {
        let permission = request.permission();
        Self {
            id: request.id.to_string(),
            kind: request.request_kind().to_string(),
            from: request.from.sender().to_string(),
            to: request.to(),
            state: request.state.as_str(),
            how: request.describe(),
            summary: request.summary(),
            member: request.shutdown().map(|ask| &ask.member),
            tool: permission.map(|ask| ask.tool.as_str()),
            rules: request.offers(),
            opened_at: request.opened.as_seconds(),
            deadline_at: request.deadline.map(teammate_core::Timestamp::as_seconds),
        }
    }
}

/// A short form of a request, as in `config.json`.
pub fn request_json(request: &Request) -> Value {
    // Strings and numbers only.
    serde_json::to_value(RequestRow::of(request)).unwrap_or_default()
}

/// A request with everything that was asked and answered.
pub fn whole_request_json(request: &Request) -> Value {
    let mut value = request_json(request);
    value["shows"] = request.shows().into();
    if let Some(digest) = request.digest() {
        value["digest"] = digest.to_string().into();
    }
    if let Some(ask) = request.permission().filter(|ask| !ask.because.is_empty()) {
        value["asked_because"] = ask.because.as_str().into();
    }
    if let Some(touches) = request.permission().and_then(|ask| ask.touches.as_ref()) {
        // Lists of strings only.
        value["touches"] = serde_json::to_value(touches).unwrap_or_default();
    }
    match &request.state {
        RequestState::Approved(approval) => {
            value["note"] = approval.note.as_str().into();
            value["always"] = approval.always.is_some().into();
            if let Some(breadth) = approval.always {
                value["breadth"] = breadth.as_str().into();
            }
            value["mode"] = approval.mode.map(|mode| mode.to_string()).into();
        }
        RequestState::Rejected { because, .. } => value["because"] = because.as_str().into(),
        RequestState::Cancelled { why } => value["because"] = why.as_str().into(),
        RequestState::Pending | RequestState::Expired => {}
    }
    value
}
