//! Requests. Where a question is answered, and how, is for each face to say.

use teammate_core::{
    permission::Breadth,
    request::{Answer, Request, RequestId, RequestKind, RequestStateKind},
};

use super::{marked, plain};
use crate::{
    clean::clean_line,
    text::{TextLine, TextRole},
};

/// The receipt for the user's answer: `denied: req_000002, bash: rm -rf build`. It begins with the answer, so that a refusal
/// cannot be taken for anything else where the line is cut.
pub fn answer_receipt(request: &Request, answer: &Answer) -> String {
    let is_plan = request.plan().is_some();
    let word = match answer {
        Answer::Approve { .. } if is_plan => "approved",
        Answer::Approve { always: None, .. } => "allowed once",
        Answer::Approve {
            always: Some(breadth),
            ..
        } => match breadth {
            Breadth::Exact => "allowed from now on",
            Breadth::Prefix => "allowed with this prefix from now on",
            Breadth::Tool => "this tool allowed until the team is closed",
        },
        Answer::Reject { .. } if is_plan => "rejected",
        Answer::Reject { .. } => "denied",
    };
    clean_line(&format!("{word}: {}, {}", request.id, request.summary()))
}

/// A permission question, where its whole text is shown elsewhere.
pub(crate) fn asks_permission(question: u64, tool: &str) -> TextLine {
    let id = RequestId::new(question);
    plain(&format!("asks for permission: {tool} ({id})"))
}

/// How a permission question ended, and what it was about where that is known.
pub(crate) fn answered(question: u64, allowed: bool, by: &str, about: Option<&str>) -> TextLine {
    let id = RequestId::new(question);
    let about = about.map_or_else(String::new, |about| format!(": {about}"));
    plain(&match (allowed, by) {
        (true, by) => format!("allowed ({by}, {id}){about}"),
        (false, "nobody") => format!("question withdrawn ({id}){about}"),
        (false, by) => format!("denied ({by}, {id}){about}"),
    })
}

/// A call was refused because nobody could be asked.
pub(crate) fn refused(tool: &str, shows: &str, hint: &str) -> TextLine {
    marked(
        "refused",
        TextRole::Bad,
        &format!(" {tool}: {shows}. {hint}"),
    )
}

/// A request that is not a permission question.
pub(crate) fn opened(request: RequestId, kind: RequestKind, to: &str, shows: &str) -> TextLine {
    let first = shows.lines().find(|line| !line.trim().is_empty());
    let first = first.unwrap_or_default();
    let rest = match kind {
        RequestKind::Shutdown => format!(" asks: {first}"),
        RequestKind::Plan => format!(" submits a plan to {to}: {first}"),
        RequestKind::Permission => format!(" asks {to}: {first}"),
    };
    marked(&request.to_string(), TextRole::Dim, &rest)
}

/// How a request ended.
pub(crate) fn settled(
    request: RequestId,
    kind: RequestKind,
    state: RequestStateKind,
    how: &str,
) -> TextLine {
    // A member that was stopped without its agreement: the rest says that, and nothing has expired for the user.
    let what = match (kind, state) {
        (RequestKind::Shutdown, RequestStateKind::Expired) => format!("{request} {kind}"),
        _ => format!("{request} {kind} {}", state.as_str()),
    };
    let role = match state {
        RequestStateKind::Approved => TextRole::Good,
        RequestStateKind::Rejected | RequestStateKind::Expired => TextRole::Bad,
        RequestStateKind::Pending | RequestStateKind::Cancelled => TextRole::Plain,
    };
    let rest = how.strip_prefix(state.as_str()).unwrap_or_default();
    marked(&what, role, rest)
}
