//! Words for members: how they begin, and how turns and loops end.

use teammate_core::{model::ModelRef, name::AGENT_PROVIDER, transcript::EndReason};

use super::{marked, plain};
use crate::text::{TextLine, TextRole};

/// A member was spawned or woken.
pub(crate) fn began(role: &str, woken: bool) -> TextLine {
    let word = if woken { "woken" } else { "spawned" };
    plain(&format!("{word} ({role})"))
}

/// The role of a member, and the external agent that answers it if one does.
pub(crate) fn role(role: &str, model: Option<&ModelRef>) -> String {
    match model.filter(|model| model.provider == AGENT_PROVIDER) {
        Some(agent) => format!("{role}, by {}", agent.name),
        None => role.to_owned(),
    }
}

/// A member's loop ended.
pub(crate) fn stopped(how: &str) -> TextLine {
    plain(&format!("stopped: {how}"))
}

/// A turn ended.
pub(crate) fn turn_ended(why: &EndReason, result: &str) -> TextLine {
    match why {
        EndReason::Done => marked("done:", TextRole::Good, &format!(" {result}")),
        EndReason::Interrupted => plain("interrupted; send it a message to continue"),
        EndReason::Failed { what } => marked("failed:", TextRole::Bad, &format!(" {what}")),
        EndReason::Limit { what } => plain(what),
        EndReason::Waiting { what } => plain(&format!("waits for {what}")),
    }
}
