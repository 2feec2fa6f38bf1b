//! Answers what tools ask of the team on behalf of a member, and makes what tools are given.

mod api;
mod mail;
mod requests;
mod requiring;
mod spawning;
mod tasks;
mod teams;

use std::sync::Arc;

use teammate_core::port::{Caller, ToolContext};
use tokio::sync::Mutex;

use self::api::CallerApi;
use crate::{
    ask::Asker,
    background::Jobs,
    base::Base,
    gate::Gate,
    identity::Kits,
    loops::Loops,
    mailer::Mailer,
    members::Members,
    open_requests::OpenRequests,
    rest::Rest,
    rights::{Rights, ToolContexts},
    spending::Meter,
    subagent::SubagentParts,
};

pub(crate) use tasks::BoardService;
pub use tasks::uncommitted;

/// What it answers with.
pub(crate) struct TeamServiceParts {
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
    /// A turnstile: one of the lead's teams ends at a time. Nothing but such an end waits for it.
    pub(crate) ending: Mutex<()>,
}

/// The harness as team tools see it.
#[derive(Clone)]
pub(crate) struct TeamService(pub(crate) Arc<TeamServiceParts>);

impl ToolContexts for TeamService {
    fn context(&self, rights: &Rights, caller: Caller) -> ToolContext {
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
        }
    }
}

impl TeamService {
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
