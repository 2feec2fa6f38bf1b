//! Requests as lines for a person.

use teammate::request::{KindName, RequestId};

use super::Style;

/// What is asked, in a line.
pub(super) fn opened(
    request: RequestId,
    kind: KindName,
    to: &str,
    shows: &str,
    style: Style,
) -> String {
    let id = style.dim(&request.to_string());
    let first = shows.lines().find(|line| !line.trim().is_empty());
    let first = first.unwrap_or_default();
    match kind {
        KindName::Shutdown => format!("{id} asks: {first}"),
        KindName::Plan => format!("{id} submits a plan to {to}: {first}"),
        KindName::Permission => format!("{id} asks {to}: {first}"),
    }
}

/// How it ended, in a line. What is coloured comes first: what follows is not ours and is cleaned.
pub(super) fn settled(
    request: RequestId,
    kind: KindName,
    state: &str,
    how: &str,
    style: Style,
) -> String {
    let id = style.dim(&request.to_string());
    let word = match state {
        "approved" => style.good(state),
        "rejected" | "expired" => style.bad(state),
        _ => state.to_owned(),
    };
    let rest = how.strip_prefix(state).unwrap_or_default();
    format!("{id} {kind} {word}{rest}")
}
