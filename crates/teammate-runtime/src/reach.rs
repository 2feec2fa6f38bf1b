//! How far a member reaches: what it may do without asking, where it works, with which model; and the context that its tools
//! get from it. Whoever acts on a member's behalf (its checks, its subagents) gets no more.

use std::sync::Arc;

use teammate_core::{
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
    /// How much it may do without asking.
    pub(crate) mode: Mode,
    /// Where it works.
    pub(crate) workspace: Arc<Workspace>,
    /// Its model.
    pub(crate) model: ModelRef,
    /// The only tools of the world that it has, if it is held to some.
    pub(crate) tools: Option<Vec<String>>,
}

impl Reach {
    /// What a tool is given that this caller calls.
    pub(crate) fn context(&self, caller: Caller) -> ToolContext {
        ToolContext {
            caller,
            workspace: self.workspace.clone(),
            environment: self.shared.environment.clone(),
            secrets: self.shared.setup.secrets.clone(),
            office: Arc::new(Desk(self.shared.clone())),
            tasks: Arc::new(TaskDesk(self.clone())),
            background: Arc::new(Backstage(self.shared.clone())),
            subagents: Arc::new(SubagentDesk(self.clone())),
            teams: Arc::new(Desk(self.shared.clone())),
        }
    }
}
