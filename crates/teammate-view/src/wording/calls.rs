//! Calls of tools.

use super::{marked, plain};
use crate::text::{TextLine, TextRole};

/// Whether what a tool does has an event of its own, which says more: mail with its recipient, changes of tasks. Only failures of
/// its calls are worth a line.
pub(crate) fn has_own_event(tool: &str) -> bool {
    matches!(
        tool,
        "send_message"
            | "broadcast"
            | "create_task"
            | "claim_task"
            | "complete_task"
            | "update_task"
    )
}

/// A call began.
pub(crate) fn started(tool: &str, summary: &str) -> TextLine {
    plain(&format!("{tool}: {summary}"))
}

/// A call failed.
pub(crate) fn failed(tool: &str, summary: &str) -> TextLine {
    marked("failed", TextRole::Bad, &format!(" {tool}: {summary}"))
}

/// A call did not run: its first words say who or what refused it.
pub(crate) fn refused(tool: &str, summary: &str) -> TextLine {
    marked("refused", TextRole::Bad, &format!(" {tool}: {summary}"))
}

/// A subagent began.
pub(crate) fn subagent_began(title: &str) -> TextLine {
    plain(&format!("begins: {title}"))
}

/// A subagent ended.
pub(crate) fn subagent_ended(ok: bool, summary: &str) -> TextLine {
    let (word, role) = match ok {
        true => ("done:", TextRole::Good),
        false => ("failed:", TextRole::Bad),
    };
    marked(word, role, &format!(" {summary}"))
}
