//! Whose an event is, in the words of hooks.

use std::sync::Arc;

use crate::{Incarnation, MemberName, mode::Mode};

/// The member that an event is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The team's id, which stays the same for as long as there is the team.
    pub session: String,
    /// The team's name.
    pub team: String,
    pub member: MemberName,
    pub incarnation: Incarnation,
    /// The kind of the subagent, if it is one of the member's.
    pub subagent: Option<Arc<str>>,
    /// The rights that it has without asking, in the word of [`permission_word`].
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
    pub(super) fn agent_id(&self) -> Option<String> {
        match &self.subagent {
            Some(kind) => Some(format!("{}@{}/{kind}", self.member, self.team)),
            None if self.is_leads_own() => None,
            None => Some(format!("{}@{}", self.member, self.team)),
        }
    }

    /// Its type as an agent.
    pub(super) fn agent_type(&self) -> &str {
        self.subagent.as_deref().unwrap_or(self.member.as_str())
    }
}
