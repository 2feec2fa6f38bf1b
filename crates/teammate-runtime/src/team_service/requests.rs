//! Shutdown, plans and permission, on behalf of a member.

use std::time::Duration;

use teammate_core::{
    MemberName, Sender,
    cause::Cause,
    port::{Caller, PlanRequired, Refusal, Shutdown, ShutdownAsk, Submitted},
    request::{Answer, Kind, KindName, Party, Request, RequestId, State, SubmitPlan},
    team::Phase,
};

use super::TeamService;
use crate::{gate::digest_of, open_requests::OpenRequests};

/// How long a call waits for what is settled in code: a member that rests agrees at once.
const AT_ONCE: Duration = Duration::from_secs(2);

impl TeamService {
    pub(super) async fn shut_down(
        &self,
        caller: &Caller,
        ask: ShutdownAsk,
    ) -> Result<Shutdown, Refusal> {
        let name = self.0.mailer.known(&ask.name)?;
        let within = if ask.now {
            Duration::ZERO
        } else {
            self.0.base.setup.config.shutdown_within
        };
        let from = Party::member(&caller.name, caller.incarnation);
        let awaiting = Awaiting::begin(&self.0.requests, &caller.call);
        let request = self
            .0
            .requests
            .ask_shutdown(from, &caller.call, &name, within, &ask.reason)
            .await?;
        Ok(self.seen_off(&name, &request, awaiting).await)
    }

    pub(super) async fn request_plan(
        &self,
        caller: &Caller,
        to: String,
        about: String,
    ) -> Result<PlanRequired, Refusal> {
        let from = Sender::Member(caller.name.clone());
        let name = self.0.mailer.recipient(&from, &to)?;
        let by = Party::member(&caller.name, caller.incarnation);
        self.require_plan(by, &caller.call, &name, &about).await
    }

    pub(super) async fn lift_plan_of(
        &self,
        caller: &Caller,
        to: String,
    ) -> Result<MemberName, Refusal> {
        let from = Sender::Member(caller.name.clone());
        let name = self.0.mailer.recipient(&from, &to)?;
        let by = Party::member(&caller.name, caller.incarnation);
        self.lift_plan(by, &caller.call, &name).await?;
        Ok(name)
    }

    pub(super) async fn submit_plan(
        &self,
        caller: &Caller,
        plan: String,
    ) -> Result<Submitted, Refusal> {
        let submit = SubmitPlan {
            digest: digest_of(&[plan.as_bytes()]),
            text: plan,
            approver: self.0.base.setup.config.plans.approver(),
        };
        let from = Party::member(&caller.name, caller.incarnation);
        let request = self
            .0
            .requests
            .open(Kind::Plan(submit), from, &caller.call, None)
            .await?;
        self.0.requests.announced(request.id).await;
        Ok(Submitted {
            request: request.id,
            to: request.to(),
        })
    }

    /// The caller answers; whose request it was. The same call again changes nothing.
    pub(super) async fn answer(
        &self,
        caller: &Caller,
        request: RequestId,
        kind: KindName,
        answer: Answer,
    ) -> Result<Sender, Refusal> {
        let by = Party::member(&caller.name, caller.incarnation);
        self.0
            .requests
            .answer(request, Some(kind), by, answer)
            .await?;
        let request = self.0.requests.request(request);
        let asker = request.map(|request| request.from.sender());
        asker.ok_or_else(|| Refusal::Broken("the request is gone".to_owned()))
    }

    /// Looks after a shutdown, and waits a moment for one that rests. Whether it went meanwhile or not, the lead is told once.
    async fn seen_off(
        &self,
        name: &MemberName,
        request: &Request,
        awaiting: Awaiting<'_>,
    ) -> Shutdown {
        let id = request.id;
        // Too long is no failure: what comes of it is told by mail then.
        let _ = tokio::time::timeout(AT_ONCE, self.0.requests.gone(name)).await;
        let left = awaiting.end();
        let team = self.0.base.ledger.team();
        let is_stopped = team
            .member(name)
            .is_none_or(|member| member.phase == Phase::Stopped);
        let known = team.requests().get(id);
        match known.map(|known| &known.state) {
            state if is_stopped => Shutdown::Stopped {
                member: name.clone(),
                request: id,
                how: state.map_or_else(String::new, |state| how_it_went(state).to_owned()),
                left,
            },
            Some(State::Rejected { because, .. }) => Shutdown::Refused {
                member: name.clone(),
                request: id,
                because: because.clone(),
            },
            Some(_) | None => Shutdown::Asked {
                member: name.clone(),
                request: id,
                within: self.0.base.setup.config.shutdown_within,
            },
        }
    }
}

/// A call that waits for a shutdown, also if it is given up.
struct Awaiting<'a>(&'a OpenRequests, &'a Cause);

impl<'a> Awaiting<'a> {
    fn begin(requests: &'a OpenRequests, call: &'a Cause) -> Self {
        requests.awaited().insert(call.clone(), String::new());
        Self(requests, call)
    }

    /// What the member left behind.
    fn end(self) -> String {
        self.0.awaited().remove(self.1).unwrap_or_default()
    }
}

impl Drop for Awaiting<'_> {
    fn drop(&mut self) {
        self.0.awaited().remove(self.1);
    }
}

/// How a member that is stopped came to it.
fn how_it_went(state: &State) -> &'static str {
    match state {
        State::Approved(_) => "it agreed",
        State::Expired => "without its agreement",
        State::Pending | State::Rejected { .. } | State::Cancelled { .. } => "it had ended already",
    }
}
