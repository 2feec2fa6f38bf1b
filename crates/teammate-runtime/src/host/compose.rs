//! How a team's parts are put together: the one place that knows all of them.

use std::sync::{Arc, OnceLock};

use tokio::sync::Mutex;

use super::{Host, LeadDuties, starter};
use crate::{
    base::Base,
    deployment::{Alone, Deployment},
    driver::DriverParts,
    goals::{GoalPursuit, GoalWatch},
    identity::Toolsets,
    idle_wait::{AskRest, IdleWait},
    jobs::JobRunner,
    ledger::{LedgerPeers, NewsReceiver},
    loops::Loops,
    mailer::Mailer,
    members::Members,
    model_calls::ModelCaller,
    open_requests::OpenRequests,
    permission_gate::PermissionGate,
    reactions::{BoardWatch, Reactions},
    requests::{RequestService, StandIns},
    rights::ToolContexts,
    schedules::Scheduling,
    spending::UsageMeter,
    storage::Storage,
    supervisor::Supervisor,
    team_service::{TeamService, TeamServiceParts},
    user_orders::UserOrders,
};

/// The machines that run the team, as the host's parts know them.
pub(super) struct Machines {
    pub(super) deployment: Arc<dyn Deployment>,
    /// The other workers, for the ledger.
    pub(super) others: Option<LedgerPeers>,
    /// The other workers, for who waits until all rest.
    pub(super) rest: Option<Box<dyn AskRest>>,
}

impl Machines {
    /// This one.
    pub(super) fn alone() -> Self {
        Self {
            deployment: Arc::new(Alone),
            others: None,
            rest: None,
        }
    }
}

impl Host {
    /// Makes all parts, each from those that it works with.
    pub(super) fn compose(
        base: Arc<Base>,
        news: NewsReceiver,
        others: Option<Box<dyn AskRest>>,
    ) -> Self {
        let (members, starts) = Members::new(base.clone());
        let members = Arc::new(members);
        let mailer = Arc::new(Mailer::new(base.clone()));
        let meter = Arc::new(UsageMeter::new(base.clone()));
        let loops = Arc::new(Loops::new(base.clone(), mailer.clone()));
        let jobs = Arc::new(JobRunner::new(base.clone(), mailer.clone()));
        let asker = Arc::new(ModelCaller::new(base.clone()));
        let toolsets = Arc::new(Toolsets::of_team(&base.setup));
        let requests = Arc::new(OpenRequests::new(base.clone()));
        let gate = Arc::new(PermissionGate::new(base.clone(), requests.clone()));
        let rest = IdleWait::new(base.clone(), meter.clone(), requests.clone(), others);
        let rest = Arc::new(rest);
        let storage = Arc::new(Storage::default());
        let team_service = TeamService(Arc::new(TeamServiceParts {
            base: base.clone(),
            members: members.clone(),
            mailer: mailer.clone(),
            loops: loops.clone(),
            meter: meter.clone(),
            jobs: jobs.clone(),
            toolsets: toolsets.clone(),
            model_caller: asker.clone(),
            requests: requests.clone(),
            gate: gate.clone(),
            rest: rest.clone(),
            ending: Mutex::new(()),
        }));
        let contexts: Arc<dyn ToolContexts> = Arc::new(team_service.clone());
        let parts = DriverParts {
            mailer: mailer.clone(),
            loops,
            meter: meter.clone(),
            toolsets,
            model_caller: asker,
            requests: requests.clone(),
            gate: gate.clone(),
            contexts: contexts.clone(),
        };
        let supervisor = Supervisor {
            base: base.clone(),
            parts: Arc::new(parts),
            storage: storage.clone(),
        };
        let keeper = RequestService {
            base: base.clone(),
            members: members.clone(),
            mailer: mailer.clone(),
            jobs: jobs.clone(),
            gate: gate.clone(),
            requests: requests.clone(),
            contexts,
            stand_ins: StandIns::default(),
        };
        let orders = Arc::new(UserOrders::new(
            base.clone(),
            members.clone(),
            team_service.clone(),
        ));
        let reactions = Reactions {
            base: base.clone(),
            members: members.clone(),
            mailer: mailer.clone(),
            jobs: jobs.clone(),
            requests: requests.clone(),
            keeper: Arc::new(keeper),
            rest: rest.clone(),
            orders: orders.clone(),
            meter: meter.clone(),
        };
        let schedules = Scheduling::of(&base, &mailer, &meter);
        let goals = GoalWatch::of(GoalPursuit {
            base: base.clone(),
            mailer: mailer.clone(),
            meter: meter.clone(),
            rest: rest.clone(),
            team_service: team_service.clone(),
        });
        let starter = starter::serve(Arc::new(supervisor), members.clone(), starts);
        let lead = Arc::new(LeadDuties {
            base: base.clone(),
            mailer: mailer.clone(),
            requests: requests.clone(),
            orders,
            watch: BoardWatch::begin(Arc::new(reactions), news),
            schedules,
            goals,
            team_service: team_service.clone(),
            found: OnceLock::new(),
        });
        Self {
            worker: None,
            lead,
            starter: tokio::spawn(starter).abort_handle(),
            base,
            members,
            mailer,
            meter,
            jobs,
            requests,
            gate,
            rest,
            storage,
            team_service,
        }
    }
}
