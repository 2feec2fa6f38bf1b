//! A host as one of several workers: how it is opened, and how the lead's holder does its duties while it has the lead.

use std::sync::Arc;

use teammate_core::{MemberName, port::BoxFuture};

use super::{Host, LeadDuties, OpenError, compose::Machines};
use crate::{
    idle_wait::{look::OtherWorkers, own::OwnRest},
    ledger::others::LedgerPeers,
    setup::{Ports, Setup},
    worker_role::WorkerRole,
    workers::{Crew, TeamDuties, ThisWorker, held::Tenures},
};

impl Host {
    /// Opens the team as one of several workers: it runs those members that the journal places on it, once it is started.
    pub async fn open_as_worker(
        role: WorkerRole,
        ports: Ports,
        setup: Setup,
    ) -> Result<Self, OpenError> {
        let (others, places) = LedgerPeers::of(&role);
        let placed = Arc::new(Tenures::of(role));
        let machines = Machines {
            deployment: placed.clone(),
            others: Some(others),
            rest: Some(Box::new(OtherWorkers(placed.clone()))),
        };
        let mut host = Self::open_on(machines, ports, setup).await?;
        let crew = host.crew(placed.clone());
        host.worker = Some(Box::new(ThisWorker::of(crew, placed, places)));
        Ok(host)
    }

    fn crew(&self, placed: Arc<Tenures>) -> Crew {
        Crew {
            base: self.base.clone(),
            placed,
            members: self.members.clone(),
            jobs: self.jobs.clone(),
            requests: self.requests.clone(),
            orders: self.lead.orders.clone(),
            rest: Arc::new(OwnRest::of(self.rest.clone())),
            team: self.lead.clone(),
        }
    }
}

impl TeamDuties for LeadDuties {
    fn open(&self, is_first: bool) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if let Err(error) = self.open_team(is_first).await {
                let text = format!("the lead goes on as it was: {error}");
                self.base.feed.note(&MemberName::lead(), text);
            }
        })
    }

    fn begin(&self) {
        self.begin_team();
    }

    fn leave_to_others(&self) {
        self.watch.leave_to_others();
        self.schedules.end();
        self.goals.end();
    }
}

impl LeadDuties {
    async fn open_team(&self, is_first: bool) -> Result<(), OpenError> {
        self.record_opening().await?;
        let paused = match is_first {
            true => self.choose_conversation().await?,
            false => None,
        };
        self.show_open(paused);
        self.show_hooks_start().await;
        Ok(())
    }
}
