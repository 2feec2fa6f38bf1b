//! The JSON about an event that hooks read. The names of other programs' hooks are used where they have the same; `team`,
//! `member`, `incarnation` and `event_id` are ours and in every event.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{Identity, Occasion, occasion::trigger};
use crate::MemberName;

/// An event that hooks are run for.
#[derive(Debug, Clone)]
pub struct HookCall {
    /// Names the event for ever; all hooks of it read the same.
    pub event_id: String,
    pub identity: Identity,
    /// Where that member works, and hooks begin.
    pub cwd: PathBuf,
    /// The event at which the hook runs.
    pub occasion: Occasion,
}

impl HookCall {
    /// The JSON that hooks read. `transcript` is the file of the member's transcript.
    pub fn to_json(&self, transcript: &Path) -> Value {
        let Identity {
            session,
            team,
            member,
            incarnation,
            ..
        } = &self.identity;
        let mut told = json!({
            "session_id": session,
            "transcript_path": transcript.to_string_lossy(),
            "cwd": self.cwd.to_string_lossy(),
            "permission_mode": self.identity.permission,
        });
        let agent = self.identity.agent_id().map(|id| {
            let kind = self.identity.agent_type();
            json!({ "agent_id": id, "agent_type": kind })
        });
        let event = json!({ "hook_event_name": self.occasion.event().name() });
        let own = json!({
            "team": team,
            "member": member,
            "incarnation": incarnation,
            "event_id": self.event_id,
        });
        let of_event = self.occasion.fields(&self.identity, transcript);
        for part in agent
            .into_iter()
            .chain([event])
            .chain(of_event)
            .chain([own])
        {
            add(&mut told, part);
        }
        told
    }

    /// The words that a matcher is held against; `None` if the event takes none.
    pub fn matched(&self) -> Option<Vec<&str>> {
        match &self.occasion {
            Occasion::PreToolUse(used)
            | Occasion::PostToolUse { used, .. }
            | Occasion::PostToolUseFailure { used, .. }
            | Occasion::PermissionAsked { used, .. }
            | Occasion::PermissionSettled { used, .. } => Some(used.names()),
            Occasion::SessionStart { source } => Some(vec![source]),
            Occasion::SessionEnd { reason } => Some(vec![reason]),
            Occasion::ModelCallBefore { model, .. } | Occasion::ModelCallAfter { model, .. } => {
                Some(vec![model])
            }
            Occasion::SubagentStart { .. } | Occasion::SubagentStop { .. } => {
                Some(vec![self.identity.agent_type()])
            }
            Occasion::MailSent { to, .. } => Some(to.iter().map(MemberName::as_str).collect()),
            Occasion::PreCompact { is_wanted, .. } => Some(vec![trigger(*is_wanted)]),
            Occasion::UserPromptSubmit { .. }
            | Occasion::Stop { .. }
            | Occasion::TeammateIdle
            | Occasion::TaskCreated(_)
            | Occasion::TaskCompleted { .. } => None,
        }
    }
}

/// Adds the fields of one object to another.
fn add(told: &mut Value, part: Value) {
    if let (Value::Object(told), Value::Object(part)) = (told, part) {
        told.extend(part);
    }
}

#[cfg(test)]
mod tests;
