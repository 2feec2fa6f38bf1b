//! Answers what tools ask of the team on behalf of a member, and makes what tools are given.

mod api;
mod checks;
mod engines;
mod hooked;
mod later;
mod mail;
mod requests;
mod requiring;
mod schedules;
mod spawning;
mod tasks;
mod teams;

use std::sync::Arc;

use teammate_core::port::{Caller, ToolContext};
use tokio::sync::Mutex;

use self::api::CallerApi;
use crate::{
    base::Base,
    identity::Toolsets,
    idle_wait::IdleWait,
    jobs::JobRunner,
    loops::Loops,
    mailer::Mailer,
    members::Members,
    model_calls::ModelCaller,
    open_requests::OpenRequests,
    permission_gate::PermissionGate,
    rights::{Rights, ToolContexts},
    spending::UsageMeter,
    subagent::SubagentParts,
};

pub use requiring::{PLAN_LIFTED, plan_wanted};
pub(crate) use tasks::BoardService;
pub use tasks::uncommitted;

/// The parts that the service answers with.
pub(crate) struct TeamServiceParts {
    pub(crate) base: Arc<Base>,
    pub(crate) members: Arc<Members>,
    pub(crate) mailer: Arc<Mailer>,
    pub(crate) loops: Arc<Loops>,
    pub(crate) meter: Arc<UsageMeter>,
    pub(crate) jobs: Arc<JobRunner>,
    pub(crate) toolsets: Arc<Toolsets>,
    pub(crate) model_caller: Arc<ModelCaller>,
    pub(crate) requests: Arc<OpenRequests>,
    pub(crate) gate: Arc<PermissionGate>,
    pub(crate) rest: Arc<IdleWait>,
    /// A turnstile: one of the lead's teams ends at a time. Nothing but such an end waits for it.
    pub(crate) ending: Mutex<()>,
}

/// The harness as team tools see it.
#[derive(Clone)]
pub(crate) struct TeamService(pub(crate) Arc<TeamServiceParts>);

impl ToolContexts for TeamService {
    fn tool_context(&self, rights: &Rights, caller: Caller) -> ToolContext {
        let base = &self.0.base;
        ToolContext {
            workspace: rights.workspace.clone(),
            environment: base.environment.clone(),
            secrets: base.setup.secrets.clone(),
            tool_names: base.tool_names.clone(),
            team: Arc::new(CallerApi {
                service: self.clone(),
                rights: rights.clone(),
                caller: caller.clone(),
            }),
            caller,
            progress: Arc::new(()),
        }
    }
}

impl TeamService {
    fn subagent_parts(&self) -> SubagentParts {
        SubagentParts {
            base: self.0.base.clone(),
            toolsets: self.0.toolsets.clone(),
            model_caller: self.0.model_caller.clone(),
            meter: self.0.meter.clone(),
            gate: self.0.gate.clone(),
            contexts: Arc::new(self.clone()),
        }
    }
}
