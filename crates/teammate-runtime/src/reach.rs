//! How far a member reaches: what it may do without asking, where it works, with which model; and the context that its tools
//! get from it. Whoever acts on a member's behalf (its checks, its subagents) gets no more.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    model::ModelRef,
    permission::Mode,
    port::{Caller, ToolContext, Workspace},
};

use crate::{
    background::Backstage,
    desk::{Desk, TaskDesk},
    host::Shared,
    subagent::SubagentDesk,
};

/// A member's reach.
#[derive(Clone)]
pub(crate) struct Reach {
    pub(crate) shared: Arc<Shared>,
    /// The member, if it is one.
    pub(crate) member: Option<MemberName>,
    /// The most that it may do without asking, whatever the member may.
    pub(crate) ceiling: Mode,
    /// Where it works.
    pub(crate) workspace: Arc<Workspace>,
    /// Its model.
    pub(crate) model: ModelRef,
    /// The only tools of the world that it has, if it is held to some.
    pub(crate) tools: Option<Vec<String>>,
}

impl Reach {
    /// What the team itself reaches, on behalf of the person.
    pub(crate) fn of_team(shared: &Arc<Shared>) -> Self {
        Self {
            shared: shared.clone(),
            member: None,
            ceiling: shared.setup.mode,
            workspace: shared.workspace.clone(),
            model: shared.setup.model.clone(),
            tools: None,
        }
    }

    /// How much it may do without asking, at this moment: an approved plan may have changed it.
    pub(crate) fn mode(&self) -> Mode {
        let team = self.shared.ledger.team();
        let member = self.member.as_ref().and_then(|name| team.member(name));
        let own = member.and_then(|member| member.terms.mode);
        own.unwrap_or(Mode::Bypass)
            .min(self.shared.setup.mode)
            .min(self.ceiling)
    }

    /// What a tool is given that this caller calls.
    pub(crate) fn context(&self, caller: Caller) -> ToolContext {
        ToolContext {
            caller,
            workspace: self.workspace.clone(),
            environment: self.shared.environment.clone(),
            secrets: self.shared.setup.secrets.clone(),
            tool_names: self.shared.tool_names.clone(),
            office: Arc::new(Desk(self.shared.clone())),
            tasks: Arc::new(TaskDesk(self.clone())),
            requests: Arc::new(Desk(self.shared.clone())),
            background: Arc::new(Backstage(self.shared.clone())),
            subagents: Arc::new(SubagentDesk(self.clone())),
            teams: Arc::new(Desk(self.shared.clone())),
        }
    }
}
