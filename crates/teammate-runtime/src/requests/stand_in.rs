//! Shutdowns of members whose worker is silent and that nobody else can take: the lead's worker carries them out after the
//! deadline, so none stays open. A worker that answers, or takes the member over, does it itself (`shutdown`).

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    MemberName,
    lock::Hold,
    name::WorkerName,
    port::{FleetQuestion, FleetReply},
    request::{End, Request, RequestId, ShutdownRequest},
    team::Command,
};
use tokio::time::{sleep, sleep_until};

use super::RequestService;

/// How long after the deadline the member's own worker is left to do it.
const OWN_WORKER_WITHIN: Duration = Duration::from_secs(2);
/// The pause between two looks at a worker.
const LOOK_PAUSE: Duration = Duration::from_secs(1);
/// How long a worker may take to say that it is there.
const PONG_WITHIN: Duration = Duration::from_millis(500);

/// The shutdowns that are looked after here for other workers.
#[derive(Default)]
pub(crate) struct StandIns(Mutex<BTreeSet<RequestId>>);

impl StandIns {
    fn begin(&self, id: RequestId) -> bool {
        self.0.hold().insert(id)
    }

    fn end(&self, id: RequestId) {
        self.0.hold().remove(&id);
    }
}

impl RequestService {
    /// Looks after all shutdowns of members on other workers, if the lead runs here.
    pub(super) fn stand_in_for_all(self: &Arc<Self>) {
        let team = self.base.ledger.team();
        let open = team
            .requests()
            .pending()
            .chain(team.requests().not_notified());
        let open: Vec<RequestId> = open.map(|request| request.id).collect();
        open.into_iter().for_each(|id| self.stand_in(id));
    }

    /// Looks after one shutdown of a member on another worker, if the lead runs here. Once at a time.
    pub(super) fn stand_in(self: &Arc<Self>, id: RequestId) {
        let is_lead_of_fleet = self.base.deployment.moves_members() && self.base.has_lead();
        if !is_lead_of_fleet || self.of_other_worker(id).is_none() {
            return;
        }
        if self.stand_ins.begin(id) {
            let keeper = self.clone();
            drop(tokio::spawn(async move {
                keeper.look_after(id).await;
                keeper.stand_ins.end(id);
            }));
        }
    }

    async fn look_after(&self, id: RequestId) {
        let Some((request, _)) = self.of_other_worker(id) else {
            return;
        };
        sleep_until(self.base.end_of(&request) + OWN_WORKER_WITHIN).await;
        while let Some((request, holder)) = self.of_other_worker(id)
            && self.base.has_lead()
        {
            if self.is_gone(&holder).await {
                return self.end_by_force(&request, &holder).await;
            }
            sleep(LOOK_PAUSE).await;
        }
    }

    /// A shutdown from which something follows yet, of a member that another worker holds.
    fn of_other_worker(&self, id: RequestId) -> Option<(Arc<Request>, WorkerName)> {
        let team = self.base.ledger.team();
        let request = team.requests().get(id)?;
        let ask = request.shutdown()?;
        let mut open = team
            .requests()
            .pending()
            .chain(team.requests().not_notified());
        let is_open = !ask.member.is_lead() && open.any(|open| open.id == id);
        let placement = team.places().placement(&ask.member)?;
        let holder = placement.worker.clone()?;
        let is_other = is_open && !self.base.is_placed_here(&ask.member);
        is_other.then(|| (request.clone(), holder))
    }

    async fn is_gone(&self, worker: &WorkerName) -> bool {
        let deployment = &self.base.deployment;
        let is_unfit = deployment.unfit().contains(worker);
        let Some(wire) = deployment.wire().filter(|_| is_unfit) else {
            return false;
        };
        let reply = wire.ask(worker, &FleetQuestion::Ping, PONG_WITHIN).await;
        !matches!(reply, FleetReply::Answered(_))
    }

    /// Ends a member that its worker cannot end. If that worker wakes up, it reads so.
    async fn end_by_force(&self, request: &Request, holder: &WorkerName) {
        let Some(ask) = request.shutdown() else {
            return;
        };
        if request.is_pending() {
            self.requests.expire(request).await;
        }
        let Some(settled) = self.requests.request(request.id) else {
            return;
        };
        match ask.end(&settled) {
            Some(end) => {
                if self.stop_elsewhere(ask).await {
                    self.jobs.mark_lost_of(&ask.member).await;
                    self.send_forced_end(&settled, (ask, holder), &end).await;
                }
            }
            // It refused, and its worker did not come to tell it.
            None => {
                let frame = settled.settled_notice(self.base.mode(), &self.base.setup.tool_names);
                self.send_notice(&settled, frame).await;
            }
        }
        self.mark_notified(request.id).await;
    }

    /// By the right of the lead's worker, after what the member's driver may not have come to. False if the member has gone on
    /// otherwise.
    async fn stop_elsewhere(&self, ask: &ShutdownRequest) -> bool {
        let team = self.base.ledger.team();
        let Some(right) = self.base.deployment.right_of(&team, &MemberName::lead()) else {
            return false;
        };
        drop(team);
        self.finish_elsewhere(&ask.member, ask.incarnation, right.clone())
            .await;
        let stop = Command::Stop {
            member: ask.member.clone(),
            incarnation: ask.incarnation,
        };
        let command = Box::new(stop);
        let stopped = self
            .requests
            .decide_until_written(Command::Under { right, command });
        stopped.await.is_ok()
    }

    async fn send_forced_end(
        &self,
        request: &Request,
        (ask, holder): (&ShutdownRequest, &WorkerName),
        end: &End,
    ) {
        let why = format!("its worker '{holder}' does not answer");
        let end = End {
            how: format!("{}; {why}", end.how),
            sentence: format!("{}; {why}", end.sentence),
        };
        let left = " What that worker had not saved is lost.".to_owned();
        self.send_end_notice(request, ask, (&end, left)).await;
        self.base.emit_status(&ask.member);
    }
}
