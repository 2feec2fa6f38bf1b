//! What follows from requests: mail is sent, deadlines are kept, whoever waits is woken. Decides nothing: the rules are the
//! team's own, and the journal says how each request stands.

mod plan;
mod shutdown;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use teammate_core::{
    MemberName, Sender, Timestamp,
    event::What,
    port::{BoxFuture, Refusal},
    request::{
        Answer, Frame, Kind, KindName, Party, Request, RequestCommand, RequestEvent, RequestId,
        State,
    },
    team::Command,
};

pub use self::plan::PlanPolicy;
use crate::{
    desk::refusal, host::Shared, ledger::LedgerError, post::Letter, requests::shutdown::Lasts,
};

/// What this process does about requests.
#[derive(Default)]
pub(crate) struct Open {
    /// What is being looked after.
    announced: Mutex<BTreeSet<RequestId>>,
    /// Shutdowns that a call waits for: it tells the lead itself.
    awaited: Mutex<BTreeSet<RequestId>>,
}

impl Open {
    fn announced(&self) -> MutexGuard<'_, BTreeSet<RequestId>> {
        self.announced
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn awaited(&self) -> MutexGuard<'_, BTreeSet<RequestId>> {
        self.awaited.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Takes up what was open when the host ended, and tells what was not told.
    pub(crate) async fn take_up_requests(self: &Arc<Self>) {
        let (pending, untold): (Vec<_>, Vec<_>) = {
            let team = self.ledger.team();
            let ids = |requests: &mut dyn Iterator<Item = &Arc<Request>>| {
                requests.map(|request| request.id).collect()
            };
            let requests = team.requests();
            (ids(&mut requests.pending()), ids(&mut requests.untold()))
        };
        for id in pending {
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

    /// Something happened to a request, whoever did it.
    pub(crate) async fn request_changed(self: &Arc<Self>, id: RequestId, change: &RequestEvent) {
        match change {
            RequestEvent::Opened { .. } => self.look_after(id).await,
            RequestEvent::Approved { .. }
            | RequestEvent::Rejected { .. }
            | RequestEvent::Expired
            | RequestEvent::Cancelled { .. } => self.is_settled(id).await,
            RequestEvent::Used | RequestEvent::Told => {}
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
                self.send_frame(&request, request.opened_frame()).await;
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
                let lasts = Lasts::begin(&self);
                drop(tokio::spawn(self.see_off(lasts, id)));
            }
            // Its end is told for itself.
            Kind::Plan(_) | Kind::Permission(_) if !request.is_pending() => {}
            Kind::Plan(plan) => {
                self.watch_deadline(request);
                let (lasts, plan) = (Lasts::begin(&self), plan.clone());
                drop(tokio::spawn(async move {
                    self.has_plan_answered(id, plan).await;
                    drop(lasts);
                }));
            }
            Kind::Permission(_) => self.watch_deadline(request),
        }
    }

    /// Whether somebody sees to everything that is open.
    pub(crate) fn are_requests_seen_to(&self) -> bool {
        let team = self.ledger.team();
        let announced = self.open.announced();
        let requests = team.requests();
        let mut pending = requests.pending();
        pending.all(|request| announced.contains(&request.id)) && requests.untold().next().is_none()
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
                Err(refusal(error))
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
                self.send_frame(&request, request.settled_frame()).await;
                self.told(id).await;
            }
            Kind::Permission(ask) => {
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
        // If it cannot be noted, it is told again at the next opening and dropped by its id.
        let _ = self.ledger.decide(told).await;
        self.activity.look_again();
    }

    async fn send_frame(&self, request: &Request, frame: Option<Frame>) {
        let Some(frame) = frame else { return };
        let id = self.ledger.team().frame_id(request, &frame);
        let letter = Letter {
            id,
            kind: frame.kind,
            from: frame.from.sender(),
            from_incarnation: frame.from.life(),
            to: frame.to.clone(),
            to_incarnation: frame.to_life,
            request: Some(request.id),
            metadata: frame.metadata(),
            content: frame.content,
        };
        if let Err(error) = self.post(letter).await {
            let text = format!("{} was not told of {}: {error}", frame.to, request.id);
            self.feed.notice(&frame.to, text);
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

    pub(crate) async fn sleep_until(&self, moment: Timestamp) {
        let millis = moment.millis_since(self.world.clock.now());
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }

    /// The wall clock may lag behind the timer: what is due by one is due.
    async fn expire(&self, request: RequestId, deadline: Timestamp) {
        let at = self.world.clock.now().max(deadline);
        let expire = RequestCommand::Expire { request, at };
        if let Err(error) = self.ledger.decide(Command::Request(expire)).await {
            let text = format!("the end of {request} was not noted: {error}");
            self.feed.notice(&MemberName::lead(), text);
        }
    }

    fn show_opened(&self, request: &Request) {
        let asker = request
            .from
            .name()
            .cloned()
            .unwrap_or_else(MemberName::lead);
        let what = match &request.kind {
            Kind::Permission(ask) => What::PermissionAsked {
                question: request.id.number(),
                tool: ask.tool.clone(),
                shows: ask.shows.clone(),
                rule: ask.rule.clone(),
                deadline: request.deadline,
            },
            Kind::Shutdown(_) | Kind::Plan(_) => What::RequestOpened {
                request: request.id,
                kind: request.kind_name(),
                from: request.from.sender(),
                to: request.to(),
                shows: request.shows(),
                deadline: request.deadline,
            },
        };
        self.feed.tell(&asker, what);
    }

    fn show_settled(&self, request: &Request) {
        let asker = request
            .from
            .name()
            .cloned()
            .unwrap_or_else(MemberName::lead);
        let what = match &request.kind {
            Kind::Permission(_) => What::PermissionAnswered {
                question: request.id.number(),
                allowed: matches!(request.state, State::Approved(_)),
                by: settler(&request.state),
            },
            Kind::Shutdown(_) | Kind::Plan(_) => What::RequestSettled {
                request: request.id,
                kind: request.kind_name(),
                from: request.from.sender(),
                state: request.state.word().to_owned(),
                how: request.state.describe(),
            },
        };
        self.feed.tell(&asker, what);
    }
}

/// Who or what settled it, in a word.
fn settler(state: &State) -> String {
    match state {
        State::Approved(approval) => approval.by.sender().to_string(),
        State::Rejected { by, .. } => Sender::to_string(&by.sender()),
        State::Expired => "deadline".to_owned(),
        State::Pending | State::Cancelled { .. } => "nobody".to_owned(),
    }
}
