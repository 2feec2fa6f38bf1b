//! Making, answering and awaiting requests: commands to the ledger, and what the fold says about them. What
//! follows from a request is not done here; this module records which requests are being followed.

#[cfg(feature = "fleet")]
mod moved;
mod settling;
mod shutdowns;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use teammate_core::{
    MemberName, Timestamp,
    audit::{AuditEvent, Surface},
    cause::Cause,
    lock::Hold,
    name::DeviceName,
    port::Refusal,
    request::{
        Answer, Digest, Principal, Request, RequestCommand, RequestId, RequestKind, RequestPayload,
    },
    team::Command,
};
use tokio::sync::{Notify, watch};

use crate::{
    base::Base,
    ledger::{CommitResult, LedgerError},
};

/// The pause before what could not be noted is tried again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The team's requests in this process.
pub(crate) struct OpenRequests {
    base: Arc<Base>,
    /// The requests that were open when this process began, or took over the member that they belong to.
    inherited: Mutex<BTreeSet<RequestId>>,
    /// The requests that are followed to their end. One task alone writes here, the reader of the journal's news; others wait
    /// for it.
    followed: watch::Sender<BTreeSet<RequestId>>,
    /// Wakes those who take up requests that were open before, or were paused.
    take_up: Notify,
    /// Calls that wait for a shutdown which they asked for: their outcomes tell the lead, with what the member
    /// leaves behind.
    awaited: Mutex<BTreeMap<Cause, String>>,
    /// Requests whose answers are carried out outside of any call.
    settled_outside: Mutex<BTreeSet<RequestId>>,
}

impl OpenRequests {
    pub(crate) fn new(base: Arc<Base>) -> Self {
        let team = base.ledger.team();
        let open = team
            .requests()
            .pending()
            .chain(team.requests().unresolved_permissions());
        Self {
            base,
            inherited: Mutex::new(open.map(|request| request.id).collect()),
            followed: watch::Sender::new(BTreeSet::new()),
            take_up: Notify::new(),
            awaited: Mutex::default(),
            settled_outside: Mutex::default(),
        }
    }

    /// Whether it was open when this process began, or took over the member that it belongs to.
    pub(crate) fn is_inherited(&self, id: RequestId) -> bool {
        self.inherited.hold().contains(&id)
    }

    /// Somebody of this process waits for it.
    pub(crate) fn disinherit(&self, id: RequestId) {
        self.inherited.hold().remove(&id);
    }

    /// Whether it is followed to its end.
    pub(crate) fn is_followed(&self, id: RequestId) -> bool {
        self.followed.borrow().contains(&id)
    }

    /// It is watched from now on, and the approver has the notice.
    pub(crate) fn follow(&self, id: RequestId) {
        self.followed.send_modify(|followed| {
            followed.insert(id);
        });
        // A wait until all is followed may end.
        self.base.activity.recheck();
    }

    /// Everything that follows from it is done.
    pub(crate) fn unfollow(&self, id: RequestId) {
        self.followed.send_modify(|followed| {
            followed.remove(&id);
        });
    }

    /// Resolves when the approver has the notice, or needs none.
    pub(crate) async fn announced(&self, id: RequestId) {
        let mut followed = self.followed.subscribe();
        let is_announced = |followed: &BTreeSet<RequestId>| followed.contains(&id);
        tokio::select! {
            // The sender lives as long as self.
            _ = followed.wait_for(is_announced) => {}
            _ = self.wait_settled(id) => {}
        }
    }

    /// Has what is open taken up that is not followed yet.
    pub(crate) fn ask_to_take_up(&self) {
        self.take_up.notify_one();
    }

    /// Resolves when that was asked for.
    pub(crate) async fn asked_to_take_up(&self) {
        self.take_up.notified().await;
    }

    pub(crate) fn awaited(&self) -> MutexGuard<'_, BTreeMap<Cause, String>> {
        self.awaited.hold()
    }

    /// Ends the questions of an incarnation that an earlier process asked, but for those of calls that ask again: nobody waits for
    /// their answers.
    pub(crate) async fn withdraw_orphans(&self, asker: &Principal, but: impl Fn(&Request) -> bool) {
        let orphans: Vec<RequestId> = {
            let team = self.base.ledger.team();
            let unused = team.requests().unresolved_permissions();
            unused
                .filter(|request| request.from == *asker && !but(request))
                .filter(|request| !team.is_paused_request(request))
                .map(|request| request.id)
                .filter(|id| self.is_inherited(*id))
                .collect()
        };
        for request in orphans {
            // If it cannot be noted, its deadline ends it.
            let forget = Command::Request(RequestCommand::Withdraw { request });
            let _ = self.base.ledger.decide(forget).await;
        }
    }

    /// True if every pending request is watched and none is a shutdown, and no answer is being carried out outside of any call.
    pub(crate) fn all_followed(&self) -> bool {
        if self.settles_any() {
            return false;
        }
        let team = self.base.ledger.team();
        let followed = self.followed.borrow();
        let requests = team.requests();
        let goes_on = |request: &&Arc<Request>| {
            !team.is_paused_request(request) && self.base.is_duty_of_request(request)
        };
        let mut pending = requests.pending().filter(goes_on);
        pending.all(|request| followed.contains(&request.id) && request.shutdown().is_none())
            && !requests.not_notified().any(|request| goes_on(&request))
    }

    /// Makes a request; the same call makes one.
    pub(crate) async fn open(
        &self,
        kind: RequestPayload,
        from: Principal,
        call: &Cause,
        deadline: Option<Timestamp>,
    ) -> Result<Arc<Request>, LedgerError> {
        let open = RequestCommand::Open {
            kind,
            from,
            call: call.clone(),
            deadline,
            at: self.base.ports.clock.now(),
        };
        self.make(open, call).await
    }

    /// The request that a command makes by this call.
    async fn make(
        &self,
        command: RequestCommand,
        call: &Cause,
    ) -> Result<Arc<Request>, LedgerError> {
        self.base.ledger.decide(Command::Request(command)).await?;
        let made = self.base.ledger.team().requests().made_by(call).cloned();
        // What was decided is there, unless the value was folded anew by a team that closes.
        made.ok_or(LedgerError::Closed)
    }

    /// A request that is known.
    pub(crate) fn request(&self, id: RequestId) -> Option<Arc<Request>> {
        self.base.ledger.team().requests().get(id).cloned()
    }

    /// The request as it was settled.
    pub(crate) async fn wait_settled(&self, id: RequestId) -> Option<Arc<Request>> {
        let mut changes = self.base.ledger.changes();
        loop {
            changes.borrow_and_update();
            match self.request(id) {
                Some(request) if request.is_pending() => {}
                request => return request,
            }
            changes.changed().await.ok()?;
        }
    }

    /// Answers, if what is asked is what was seen, where that is said. An answer without effect is reported.
    pub(crate) async fn answer(
        &self,
        (request, saw): (RequestId, Option<Digest>),
        expects: Option<RequestKind>,
        (by, device): (Principal, Option<DeviceName>),
        answer: Answer,
    ) -> Result<(), Refusal> {
        let who = by.name().cloned().unwrap_or_else(MemberName::lead);
        let command = RequestCommand::Answer {
            request,
            expects,
            saw,
            by: by.clone(),
            answer: answer.clone(),
            device,
            at: self.base.ports.clock.now(),
        };
        match self.base.ledger.decide(Command::Request(command)).await {
            Ok(_) => {
                self.audit_answer(&who, request, by, &answer);
                Ok(())
            }
            Err(error) => {
                if let LedgerError::Refused(why) = &error {
                    let text = format!("an answer to {request} has no effect: {why}");
                    self.base.feed.note(&who, text);
                }
                Err(error.into())
            }
        }
    }

    fn audit_answer(&self, who: &MemberName, id: RequestId, by: Principal, answer: &Answer) {
        let surface = match &by {
            Principal::User | Principal::System => Surface::Host,
            Principal::Member { .. } => Surface::Tool,
        };
        if let Some(request) = self.request(id) {
            let event = AuditEvent::answered(&request, by, answer, surface);
            self.base.audit_later(who, event);
        }
        let covered: Vec<_> = self.base.ledger.team().settled_with(id).cloned().collect();
        for other in covered {
            let event = AuditEvent::answered(&other, Principal::User, &Answer::yes(), surface);
            self.base.audit_later(who, event);
        }
    }

    /// The requests that wait for the user's answer, oldest first.
    pub(crate) fn questions(&self) -> Vec<Arc<Request>> {
        let team = self.base.ledger.team();
        team.questions().cloned().collect()
    }

    /// Retries every second until the journal accepts the command, so that a failing journal loses no
    /// follow-up.
    pub(crate) async fn decide_until_written(&self, command: Command) -> CommitResult {
        loop {
            let result = self.base.ledger.decide(command.clone()).await;
            if !matches!(result, Err(LedgerError::Journal(_))) {
                return result;
            }
            self.base.activity.recheck();
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    }

    /// The wall clock may lag behind the timer: what is due by one is due.
    pub(crate) async fn expire(&self, request: &Request) {
        let deadline = request.deadline.unwrap_or(request.opened);
        let at = self.base.ports.clock.now().max(deadline);
        let request = request.id;
        let expire = RequestCommand::Expire { request, at };
        // If the team closes before it is noted, the next opening does it.
        let _ = self.decide_until_written(Command::Request(expire)).await;
    }
}
