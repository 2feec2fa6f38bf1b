//! What hooks are told of an event, as JSON. The names of other programs' hooks are used where they have the same; `team`,
//! `member`, `incarnation` and `event_id` are ours and in every event.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::{Value, json};

use super::{Occasion, occasion::trigger};
use crate::{Incarnation, MemberName, permission::Mode};

/// An event that hooks are run for.
#[derive(Debug, Clone)]
pub struct HookCall {
    /// Names the event for ever; all hooks of it read the same.
    pub event_id: String,
    /// Whose event it is.
    pub identity: Identity,
    /// Where that member works, and hooks begin.
    pub cwd: PathBuf,
    /// What happens.
    pub occasion: Occasion,
}

/// Who an event is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The team's id, which stays the same for as long as there is the team.
    pub session: String,
    /// The team's name.
    pub team: String,
    /// The member.
    pub member: MemberName,
    /// Its incarnation.
    pub incarnation: Incarnation,
    /// The kind of the subagent, if it is one of the member's.
    pub subagent: Option<Arc<str>>,
    /// What it may do without asking, in the word of [`permission_word`].
    pub permission: &'static str,
}

/// A permission mode in the words of other programs.
pub fn permission_word(mode: Mode, is_planning: bool) -> &'static str {
    match mode {
        _ if is_planning => "plan",
        Mode::Ask => "default",
        Mode::AcceptEdits => "acceptEdits",
        Mode::Bypass => "bypassPermissions",
    }
}

impl Identity {
    pub(super) fn is_leads_own(&self) -> bool {
        self.member.is_lead() && self.subagent.is_none()
    }

    /// Its id as an agent; `None` if it is the lead.
    fn agent_id(&self) -> Option<String> {
        match &self.subagent {
            Some(kind) => Some(format!("{}@{}/{kind}", self.member, self.team)),
            None if self.is_leads_own() => None,
            None => Some(format!("{}@{}", self.member, self.team)),
        }
    }

    /// What it is as an agent.
    fn agent_type(&self) -> &str {
        self.subagent.as_deref().unwrap_or(self.member.as_str())
    }
}

impl HookCall {
    /// What is told. `transcript` is the file of the member's transcript.
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

    /// What a matcher is held against; `None` if the event takes none.
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
