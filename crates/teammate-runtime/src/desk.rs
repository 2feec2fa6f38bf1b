//! The desk: answers what tools ask of the team on behalf of a member, and makes what tools are given.

mod office;
mod requests;
mod requiring;
mod spawning;
mod tasks;
mod teams;

use std::sync::Arc;

use teammate_core::port::{Caller, ToolContext};
use tokio::sync::Mutex;

use crate::{
    ask::Asker,
    background::{Backstage, Jobs},
    base::Base,
    gate::Gate,
    identity::Kits,
    loops::Loops,
    mailer::Mailer,
    members::Members,
    open_requests::OpenRequests,
    reach::{Reach, ToolContexts},
    rest::Rest,
    spending::Meter,
    subagent::{SubagentDesk, SubagentParts},
};

pub(crate) use tasks::TaskDesk;

/// What the desk answers with.
pub(crate) struct DeskParts {
    pub(crate) base: Arc<Base>,
    pub(crate) members: Arc<Members>,
    pub(crate) mailer: Arc<Mailer>,
    pub(crate) loops: Arc<Loops>,
    pub(crate) meter: Arc<Meter>,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) kits: Arc<Kits>,
    pub(crate) asker: Arc<Asker>,
    pub(crate) requests: Arc<OpenRequests>,
    pub(crate) gate: Arc<Gate>,
    pub(crate) rest: Arc<Rest>,
    /// The turn of whoever ends one of the lead's teams: nobody else waits for it.
    pub(crate) ending: Mutex<()>,
}

/// The harness as team tools see it.
#[derive(Clone)]
pub(crate) struct Desk(pub(crate) Arc<DeskParts>);

impl ToolContexts for Desk {
    fn context(&self, reach: &Reach, caller: Caller) -> ToolContext {
        let base = &self.0.base;
        let desk = Arc::new(self.clone());
        let subagents = SubagentDesk {
            parts: self.subagent_parts(),
            reach: reach.clone(),
        };
        ToolContext {
            caller,
            workspace: reach.workspace.clone(),
            environment: base.environment.clone(),
            secrets: base.setup.secrets.clone(),
            tool_names: base.tool_names.clone(),
            office: desk.clone(),
            tasks: Arc::new(TaskDesk(self.clone(), reach.clone())),
            requests: desk.clone(),
            background: Arc::new(Backstage(self.0.jobs.clone())),
            subagents: Arc::new(subagents),
            teams: desk,
        }
    }
}

impl Desk {
    fn subagent_parts(&self) -> SubagentParts {
        SubagentParts {
            base: self.0.base.clone(),
            kits: self.0.kits.clone(),
            asker: self.0.asker.clone(),
            meter: self.0.meter.clone(),
            gate: self.0.gate.clone(),
            contexts: Arc::new(self.clone()),
        }
    }
}
