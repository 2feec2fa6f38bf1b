//! How a team's parts are put together: the one place that knows all of them.

use std::sync::Arc;

use tokio::sync::Mutex;

use super::{Host, starter};
use crate::{
    ask::Asker,
    background::Jobs,
    base::Base,
    gate::Gate,
    identity::Kits,
    ledger::News,
    loops::Loops,
    mailer::Mailer,
    member::DriverParts,
    members::Members,
    open_requests::OpenRequests,
    reactions::{Reactions, Watch},
    requests::RequestKeeper,
    rest::Rest,
    rights::ToolContexts,
    spending::Meter,
    storage::Storage,
    supervise::Supervisor,
    team_service::{TeamService, TeamServiceParts},
};

impl Host {
    /// Makes all parts, each from those that it works with.
    pub(super) fn compose(base: Arc<Base>, news: News) -> Self {
        let (members, starts) = Members::new(base.clone());
        let members = Arc::new(members);
        let mailer = Arc::new(Mailer::new(base.clone()));
        let meter = Arc::new(Meter::new(base.clone()));
        let loops = Arc::new(Loops::new(base.clone(), mailer.clone()));
        let jobs = Arc::new(Jobs::new(base.clone(), mailer.clone()));
        let asker = Arc::new(Asker::new(base.clone()));
        let kits = Arc::new(Kits::of_team(&base.setup));
        let requests = Arc::new(OpenRequests::new(base.clone()));
        let gate = Arc::new(Gate::new(base.clone(), requests.clone()));
        let rest = Arc::new(Rest::new(base.clone(), meter.clone(), requests.clone()));
        let storage = Arc::new(Storage::default());
        let team_service = TeamService(Arc::new(TeamServiceParts {
            base: base.clone(),
            members: members.clone(),
            mailer: mailer.clone(),
            loops: loops.clone(),
            meter: meter.clone(),
            jobs: jobs.clone(),
            kits: kits.clone(),
            asker: asker.clone(),
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
            kits,
            asker,
            requests: requests.clone(),
            gate: gate.clone(),
            contexts: contexts.clone(),
        };
        let supervisor = Supervisor {
            base: base.clone(),
            parts: Arc::new(parts),
            storage: storage.clone(),
        };
        let keeper = RequestKeeper {
            base: base.clone(),
            members: members.clone(),
            mailer: mailer.clone(),
            jobs: jobs.clone(),
            gate: gate.clone(),
            requests: requests.clone(),
            contexts,
        };
        let reactions = Reactions {
            base: base.clone(),
            members: members.clone(),
            mailer: mailer.clone(),
            jobs: jobs.clone(),
            requests: requests.clone(),
            keeper: Arc::new(keeper),
            rest: rest.clone(),
        };
        let starter = starter::serve(Arc::new(supervisor), members.clone(), starts);
        Self {
            watch: Watch::begin(Arc::new(reactions), news),
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
            resumed: false,
            damaged: Vec::new(),
        }
    }
}
