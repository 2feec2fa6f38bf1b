//! `/requests`: what waits for an answer; one in full.

use anyhow::anyhow;
use teammate::{TeamState, handle::known_request, platform::now, request::RequestId};

use super::{TypedCall, TypedCommand, in_lines};
use crate::screen::{request_lines, whole_request};

pub(super) const REQUESTS: TypedCommand = TypedCommand {
    word: "/requests",
    usage: "[ID]",
    about: "requests that wait for an answer; one in full",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    if !call.words.is_empty() {
        let id = named(&call.state, call.words)?;
        let request = known_request(&call.state, id)?;
        return Ok(whole_request(&request, now(), call.style).join("\n"));
    }
    let requests: Vec<_> = call.state.requests().pending().cloned().collect();
    if requests.is_empty() {
        return Ok("No request is open".to_owned());
    }
    Ok(request_lines(&requests, now(), call.style).join("\n"))
}

/// A request by what was typed; an error lists what is open.
pub(super) fn named(team: &TeamState, id: &str) -> anyhow::Result<RequestId> {
    id.parse().map_err(|error| {
        let open = team.requests().pending();
        let open = open.map(|request| format!("{} ({})", request.id, request.request_kind()));
        match open.collect::<Vec<_>>().join(", ").as_str() {
            "" => anyhow!("{error}; no request is open"),
            open => anyhow!("{error}; open: {open}"),
        }
    })
}
