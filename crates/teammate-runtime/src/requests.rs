//! What follows from requests: mail is sent, deadlines are kept, whoever waits is woken. Decides nothing: the rules are the
//! team's own, and the journal says how each request stands.

mod pausing;
mod plan;
mod requiring;
mod shutdown;
mod telling;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use teammate_core::{
    MemberName, Timestamp,
    port::{BoxFuture, Refusal},
    request::{
        Answer, Kind, KindName, Party, Request, RequestCommand, RequestEvent, RequestId, State,
    },
    team::{Command, Team},
};

use crate::{
    host::Shared,
    ledger::{LedgerError, Verdict},
};

/// The pause before what could not be noted or told is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// What this process does about requests.
#[derive(Default)]
pub(crate) struct Open {
    /// What was open when this process began.
    inherited: BTreeSet<RequestId>,
    /// What is being looked after.
    announced: Mutex<BTreeSet<RequestId>>,
    /// Shutdowns that a call waits for: it tells the lead itself, with what the member leaves behind.
    awaited: Mutex<BTreeMap<RequestId, String>>,
}

impl Open {
    pub(crate) fn new(team: &Team) -> Self {
        let requests = team.requests();
        let open = requests.pending().chain(requests.unused());
        Self {
            inherited: open.map(|request| request.id).collect(),
            ..Self::default()
        }
    }

    fn announced(&self) -> MutexGuard<'_, BTreeSet<RequestId>> {
        self.announced
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn awaited(&self) -> MutexGuard<'_, BTreeMap<RequestId, String>> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Takes up what was open when the host ended, and tells what was not told.
    pub(crate) async fn take_up_requests(self: &Arc<Self>) {
        let (pending, untold): (Vec<_>, Vec<_>) = {
            let team = self.ledger.team();
            let ids = |requests: &mut dyn Iterator<Item = &Arc<Request>>| {
                let open = requests.filter(|request| !team.is_paused_request(request));
                open.map(|request| request.id).collect()
            };
            let requests = team.requests();
            (ids(&mut requests.pending()), ids(&mut requests.untold()))
        };
        for id in pending {
            if self
                .request(id)
                .is_some_and(|request| self.is_past_stop(&request))
            {
                self.forget_stop(id).await;
            }
            self.look_after(id).await;
        }
        for id in untold {
            match self.request(id).map(|request| request.kind_name()) {
                Some(KindName::Shutdown) => self.look_after(id).await,
                Some(KindName::Plan | KindName::Permission) => self.is_settled(id).await,
                None => {}
            }
        }
    }

    /// Ends the questions of a life that an earlier process asked, but for those of calls that ask again: nobody waits for
    /// their answers.
    pub(crate) async fn forget_orphans(&self, asker: &Party, but: impl Fn(&Request) -> bool) {
        let orphans: Vec<RequestId> = {
            let team = self.ledger.team();
            let unused = team.requests().unused();
            unused
                .filter(|request| request.from == *asker && !but(request))
                .filter(|request| !team.is_paused_request(request))
                .map(|request| request.id)
                .filter(|id| self.open.inherited.contains(id))
                .collect()
        };
        for request in orphans {
            // If it cannot be noted, its deadline ends it.
            let forget = Command::Request(RequestCommand::Forget { request });
            let _ = self.ledger.decide(forget).await;
        }
    }

    /// Something happened to a request, whoever did it.
    pub(crate) async fn request_changed(self: &Arc<Self>, id: RequestId, change: &RequestEvent) {
        match change {
            RequestEvent::Opened { .. } => self.look_after(id).await,
            RequestEvent::Approved { .. }
            | RequestEvent::Rejected { .. }
            | RequestEvent::Expired
            | RequestEvent::Cancelled { .. } => self.is_settled(id).await,
            // Nothing more follows from it.
            RequestEvent::Used | RequestEvent::Told | RequestEvent::Heard => {
                self.open.announced().remove(&id);
            }
        }
    }

    /// Shows a request, tells whoever shall answer, and sees to it that it ends. Once in a process.
    pub(crate) fn look_after(self: &Arc<Self>, id: RequestId) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if !self.open.announced().insert(id) {
                return;
            }
            let Some(request) = self.request(id) else {
                return;
            };
            if request.is_pending() {
                self.show_opened(&request);
                if request.kind_name() != KindName::Shutdown {
                    self.send_frame(&request, request.opened_frame(&self.setup.tool_names))
                        .await;
                }
            }
            self.clone().see_to(&request);
            // Whoever waits until all is looked after may look again.
            self.activity.look_again();
        })
    }

    /// Begins whatever brings a request to its end.
    fn see_to(self: Arc<Self>, request: &Request) {
        let id = request.id;
        match &request.kind {
            Kind::Shutdown(_) => {
                drop(tokio::spawn(self.see_off(id)));
            }
            // Its end is told for itself.
            Kind::Plan(_) | Kind::Permission(_) if !request.is_pending() => {}
            Kind::Plan(plan) => {
                self.watch_deadline(request);
                let (under_way, plan) = (self.activity.begin(), plan.clone());
                drop(tokio::spawn(async move {
                    self.has_plan_answered(id, plan).await;
                    drop(under_way);
                }));
            }
            Kind::Permission(_) => self.watch_deadline(request),
        }
    }

    /// Whether somebody sees to everything that is open, and nobody is being shut down.
    pub(crate) fn are_requests_seen_to(&self) -> bool {
        let team = self.ledger.team();
        let announced = self.open.announced();
        let requests = team.requests();
        let goes_on = |request: &&Arc<Request>| !team.is_paused_request(request);
        let mut pending = requests.pending().filter(goes_on);
        pending.all(|request| {
            announced.contains(&request.id) && request.kind_name() != KindName::Shutdown
        }) && !requests.untold().any(|request| goes_on(&request))
    }

    /// Makes a request; the same call makes one.
    pub(crate) async fn open_request(
        &self,
        kind: Kind,
        from: Party,
        call: &str,
        deadline: Option<Timestamp>,
    ) -> Result<Arc<Request>, LedgerError> {
        let open = RequestCommand::Open {
            kind,
            from,
            call: call.to_owned(),
            deadline,
        };
        self.ledger.decide(Command::Request(open)).await?;
        let made = self.ledger.team().requests().made_by(call).cloned();
        // What was decided is there, unless the value was folded anew by a team that closes.
        made.ok_or(LedgerError::Closed)
    }

    /// A request that is known.
    pub(crate) fn request(&self, id: RequestId) -> Option<Arc<Request>> {
        self.ledger.team().requests().get(id).cloned()
    }

    /// The request as it was settled.
    pub(crate) async fn settled(&self, id: RequestId) -> Option<Arc<Request>> {
        let mut changes = self.ledger.changes();
        loop {
            changes.borrow_and_update();
            match self.request(id) {
                Some(request) if request.is_pending() => {}
                request => return request,
            }
            changes.changed().await.ok()?;
        }
    }

    /// The person answers.
    pub(crate) async fn answer_as_user(
        &self,
        id: RequestId,
        answer: Answer,
    ) -> Result<(), Refusal> {
        self.answer(id, None, Party::User, answer).await
    }

    /// Answers. What counts for nothing is noted and said.
    pub(crate) async fn answer(
        &self,
        request: RequestId,
        expects: Option<KindName>,
        by: Party,
        answer: Answer,
    ) -> Result<(), Refusal> {
        let who = by.name().cloned().unwrap_or_else(MemberName::lead);
        let command = RequestCommand::Answer {
            request,
            expects,
            by,
            answer,
            at: self.world.clock.now(),
        };
        match self.ledger.decide(Command::Request(command)).await {
            Ok(_) => Ok(()),
            Err(error) => {
                if let LedgerError::Refused(why) = &error {
                    let text = format!("an answer to {request} counts for nothing: {why}");
                    self.feed.notice(&who, text);
                }
                Err(error.into())
            }
        }
    }

    async fn is_settled(self: &Arc<Self>, id: RequestId) {
        let Some(request) = self.request(id) else {
            return;
        };
        self.show_settled(&request);
        match &request.kind {
            // It is told when the member is gone.
            Kind::Shutdown(_) => {}
            Kind::Plan(_) => {
                self.tell_mode(&request);
                let frame = request.settled_frame(self.setup.mode, &self.setup.tool_names);
                self.send_frame(&request, frame).await;
                self.told(id).await;
            }
            Kind::Permission(ask) => {
                self.open.announced().remove(&id);
                if let (State::Approved(approval), Some(rule)) = (&request.state, &ask.rule)
                    && approval.always
                {
                    let kept = self.gate.allow_always(rule);
                    if let (Err(error), Some(member)) = (kept, request.from.name()) {
                        let text = format!("'{rule}' holds until the team is closed: {error}");
                        self.feed.notice(member, text);
                    }
                }
            }
        }
    }

    async fn told(&self, request: RequestId) {
        let told = Command::Request(RequestCommand::Told { request });
        // If the team closes before it is noted, it is told again at the next opening and dropped by its id.
        let _ = self.insist(told).await;
        self.activity.look_again();
    }

    /// Decides what must follow; while the journal takes nothing, again and again. Nobody waits for a broken journal, but
    /// when it is well again, nobody shall wait for what was lost.
    async fn insist(&self, command: Command) -> Verdict {
        loop {
            let verdict = self.ledger.decide(command.clone()).await;
            if !matches!(verdict, Err(LedgerError::Journal(_))) {
                return verdict;
            }
            self.activity.look_again();
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// After its deadline nobody waits for an answer any more.
    fn watch_deadline(self: &Arc<Self>, request: &Request) {
        let (Some(deadline), id, shared) = (request.deadline, request.id, self.clone()) else {
            return;
        };
        tokio::spawn(async move {
            tokio::select! {
                _ = shared.settled(id) => {}
                () = shared.sleep_until(deadline) => shared.expire(id, deadline).await,
            }
        });
    }

    /// The wall clock may lag behind the timer: what is due by one is due.
    async fn expire(&self, request: RequestId, deadline: Timestamp) {
        let at = self.world.clock.now().max(deadline);
        let expire = RequestCommand::Expire { request, at };
        // If the team closes before it is noted, the next opening does it.
        let _ = self.insist(Command::Request(expire)).await;
    }
}

#[cfg(test)]
mod tests;
