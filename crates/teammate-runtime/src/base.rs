//! The base of every part of a running team: settings, adapters, the ledger, the event feed and the members' activity. It
//! knows none of those parts.

mod audit;
mod closings;
mod duty;
mod elsewhere;
mod hooks;
mod limits;
mod pause;
mod prompts;
mod spawn_hold;
mod status;

use std::{
    sync::{Arc, Once},
    time::Duration,
};

use teammate_core::{
    MemberName, Timestamp, event::RunId, port::Workspace, request::Request, tool::ToolNames,
};
use tokio::time::Instant;

use self::{hooks::HookMemory, spawn_hold::SpawnHold};
pub(crate) use self::{
    hooks::Scene,
    prompts::{PromptVerdict, refused_prompt},
};
use crate::{
    activity::Activity,
    closing::TeamClosing,
    deployment::Deployment,
    feed::Feed,
    ledger::Ledger,
    setup::{Ports, Setup},
};

/// Shared state of all parts.
pub(crate) struct Base {
    pub(crate) setup: Setup,
    pub(crate) ports: Ports,
    pub(crate) ledger: Ledger,
    /// Whom this process runs.
    pub(crate) deployment: Arc<dyn Deployment>,
    pub(crate) feed: Feed,
    pub(crate) activity: Arc<Activity>,
    /// Whom an answer of the lead spawns, until the rest of that answer has run.
    pub(crate) spawn_hold: SpawnHold,
    /// How far the team is on its way to being closed.
    pub(crate) closing: TeamClosing,
    /// Where members without a worktree work.
    pub(crate) workspace: Arc<Workspace>,
    /// The environment of the children of tools.
    pub(crate) environment: Arc<Vec<(String, String)>>,
    pub(crate) tool_names: Arc<ToolNames>,
    hooks: HookMemory,
    /// Said once that the audit log cannot be written.
    audit_fails: Once,
}

impl Base {
    pub(crate) fn new(
        ports: Ports,
        setup: Setup,
        (ledger, deployment): (Ledger, Arc<dyn Deployment>),
    ) -> Self {
        let run = RunId::new(ports.ids.new_id());
        Self {
            feed: Feed::new(
                ports.clock.clone(),
                run,
                ledger.length(),
                setup.first_event,
                setup.secrets.clone(),
            ),
            activity: Arc::new(Activity::new()),
            spawn_hold: SpawnHold::new(),
            closing: TeamClosing::new(),
            workspace: Arc::new(setup.workspace.clone()),
            environment: Arc::new(setup.environment.clone()),
            tool_names: Arc::new(setup.tool_names.clone()),
            hooks: HookMemory::default(),
            audit_fails: Once::new(),
            ledger: ledger.for_deployment(deployment.clone()),
            deployment,
            ports,
            setup,
        }
    }

    /// Ends what a member's commands left running.
    pub(crate) async fn end_processes(&self, name: &MemberName) {
        if let Some(processes) = &self.ports.processes {
            processes.end_member(name).await;
        }
    }

    /// The moment after this time from now.
    pub(crate) fn deadline(&self, within: Duration) -> Timestamp {
        self.ports.clock.now().after(within)
    }

    /// When the time that a request was given is over. A process that is alone goes by its clock, over restarts. Where several run
    /// the team no two clocks are compared: all of that time counts from now, when the request begins to be followed here.
    pub(crate) fn end_of(&self, request: &Request) -> Instant {
        let deadline = request.deadline.unwrap_or(request.opened);
        let begins = match self.deployment.has_one_clock() {
            true => self.ports.clock.now(),
            false => request.opened,
        };
        Instant::now() + Duration::from_millis(deadline.millis_since(begins))
    }
}
