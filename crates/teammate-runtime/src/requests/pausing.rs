//! The user asks, from another terminal, for the whole team to stop: the program that runs it pauses and closes it. No member
//! is stopped by that: unfinished turns, tasks and plans continue when the team is opened again.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    request::{
        Answer, Principal, Request, RequestCommand, RequestEvent, RequestId, RequestState,
        ShutdownRequest,
    },
    team::{Command, MemberPhase},
};
use tokio::time::sleep_until;

use super::RequestService;
use crate::members::Order;

/// How long the journal may take to note what is settled here. The team closes in any case.
const STOP_GRACE: Duration = Duration::from_secs(3);

impl RequestService {
    /// Pauses the team and has the program close it: members that work have until the deadline to end their step.
    pub(super) async fn pause_team(self: &Arc<Self>, request: &Request, ask: &ShutdownRequest) {
        // Shows that the program is alive and has read the request.
        let agree = RequestCommand::Answer {
            request: request.id,
            expects: None,
            saw: None,
            by: Principal::member(&ask.member, ask.incarnation),
            answer: Answer::yes(),
            device: None,
            at: self.base.ports.clock.now(),
        };
        let agreed = self.requests.decide_until_written(Command::Request(agree));
        let _ = tokio::time::timeout(STOP_GRACE, agreed).await;
        if !ask.now {
            tokio::select! {
                () = self.end_steps() => {}
                () = sleep_until(self.base.end_of(request)) => {}
                () = self.base.closing.reached() => {}
            }
        }
        // Before the team may rest: a job that waits for that must learn first that it is not done.
        self.base.closing.close();
        let _ = tokio::time::timeout(STOP_GRACE, self.mark_notified(request.id)).await;
    }

    /// The whole team is asked to stop, and the lead runs on another worker: members that run here end their steps, too. That
    /// worker may have agreed before this one read of it.
    pub(super) fn pause_here(self: &Arc<Self>, id: RequestId, change: &RequestEvent) {
        match change {
            RequestEvent::Opened { .. } | RequestEvent::Approved { .. } => {}
            // Also of a stop before the team was opened again.
            RequestEvent::Rejected { .. }
            | RequestEvent::Expired
            | RequestEvent::Cancelled { .. }
            | RequestEvent::Used
            | RequestEvent::Notified
            | RequestEvent::Heard => return,
        }
        let stands = |request: &Arc<Request>| match request.state {
            RequestState::Pending | RequestState::Approved(_) => request.pauses_team(),
            RequestState::Rejected { .. }
            | RequestState::Expired
            | RequestState::Cancelled { .. } => false,
        };
        let Some(request) = self.requests.request(id).filter(stands) else {
            return;
        };
        let (keeper, is_now) = (self.clone(), request.shutdown().is_some_and(|ask| ask.now));
        drop(tokio::spawn(async move {
            if !is_now {
                tokio::select! {
                    () = keeper.end_steps() => {}
                    () = sleep_until(keeper.base.end_of(&request)) => {}
                    () = keeper.base.closing.reached() => {}
                }
            }
            keeper.base.closing.close();
        }));
    }

    /// Has every member end its loop before it asks its model again; resolves when all have.
    async fn end_steps(&self) {
        self.base.closing.pause();
        let mut left: BTreeSet<MemberName> = self.members.names().into_iter().collect();
        for name in &left {
            self.members.send_order(name, Order::Leave).await;
        }
        let mut waiting = left.clone();
        let (mut team, mut activity) = (self.base.ledger.changes(), self.base.activity.changes());
        loop {
            team.borrow_and_update();
            activity.borrow_and_update();
            left.retain(|name| self.base.activity.is_present(name));
            if left.is_empty() {
                return;
            }
            // A `wait_for_team` call is cut off at once; it continues when the team is opened again.
            let idle: Vec<MemberName> = waiting
                .extract_if(.., |name| self.only_waits(name))
                .collect();
            for name in idle {
                self.members.send_order(&name, Order::Stop).await;
            }
            let changed = tokio::select! {
                changed = team.changed() => changed,
                changed = activity.changed() => changed,
            };
            if changed.is_err() {
                return;
            }
        }
    }

    /// Whether a member in a turn waits for the user, for a model out of reach, or for the others.
    fn only_waits(&self, name: &MemberName) -> bool {
        let team = self.base.ledger.team();
        let member = team.member(name);
        self.base.activity.waits(name)
            || member.is_some_and(|member| matches!(member.phase, MemberPhase::Waiting(_)))
    }

    /// True if a request belongs to an earlier process's stop of the whole team: opening the team means
    /// that it should run.
    pub(super) fn is_past_stop(&self, request: &Request) -> bool {
        let is_part = request.from == Principal::User && request.call.stops_whole_team();
        let is_inherited = self.requests.is_inherited(request.id);
        // Workers go on with what the user has asked when one of them is lost.
        is_inherited && self.base.deployment.opens_team() && (request.pauses_team() || is_part)
    }

    /// Ends it.
    pub(super) async fn forget_stop(&self, request: RequestId) {
        let why = "the process that it asked to pause has ended".to_owned();
        let cancel = RequestCommand::Cancel { request, why };
        // If the team closes before it is noted, the next opening does it.
        let _ = self
            .requests
            .decide_until_written(Command::Request(cancel))
            .await;
    }
}
