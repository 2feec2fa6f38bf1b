//! The rights of a member: what it may do without asking, where it works, with which model; and the context that its tools
//! get from it. What acts on a member's behalf (its checks, its subagents) gets no more.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    model::ModelRef,
    permission::Mode,
    port::{Caller, ToolContext, Workspace},
};

use crate::base::{Base, Scene};

/// The rights of a member: the parts that it may use.
#[derive(Clone)]
pub(crate) struct Rights {
    pub(crate) base: Arc<Base>,
    /// The member, if it is one.
    pub(crate) member: Option<MemberName>,
    /// The most that it may do without asking, whatever the member and the team may.
    pub(crate) ceiling: Mode,
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) model: ModelRef,
    /// The only tools of the world that it has, if it is held to some.
    pub(crate) tools: Option<Vec<String>>,
    /// A subagent of the member: it would end before its jobs, so it cannot run any.
    pub(crate) is_subagent: bool,
}

impl Rights {
    /// The rights of the team itself, on behalf of the user.
    pub(crate) fn of_user(base: &Arc<Base>) -> Self {
        Self {
            base: base.clone(),
            member: None,
            ceiling: Mode::Bypass,
            workspace: base.workspace.clone(),
            model: base.setup.config.model.clone(),
            tools: None,
            is_subagent: false,
        }
    }

    /// The scene of this caller, as hooks read it.
    pub(crate) fn scene(&self, caller: &Caller) -> Scene {
        Scene {
            member: caller.name.clone(),
            incarnation: caller.incarnation,
            subagent: None,
            mode: self.effective_mode(),
            place: self.workspace.clone(),
        }
    }

    /// How much it may do without asking, at this moment: an approved plan or the user may have changed it.
    pub(crate) fn effective_mode(&self) -> Mode {
        let team = self.base.ledger.team();
        let member = self.member.as_ref().and_then(|name| team.member(name));
        let own = member.and_then(|member| member.options.mode);
        own.unwrap_or(Mode::Bypass)
            .min(self.base.mode())
            .min(self.ceiling)
    }
}

/// Makes what tools are given. A port of this crate: what answers tools on behalf of members makes subagents, which call tools.
pub(crate) trait ToolContexts: Send + Sync {
    /// The context of a tool that this caller calls with these rights.
    fn tool_context(&self, rights: &Rights, caller: Caller) -> ToolContext;
}
