//! Shutdown, plans and permission, on behalf of a member.

use std::time::Duration;

use teammate_core::{
    MemberName, Sender,
    cause::Cause,
    port::{Caller, PlanRequired, Refusal, ShutdownArgs, ShutdownReply, SubmittedPlan},
    request::{
        Answer, PlanRequest, Principal, Request, RequestId, RequestKind, RequestPayload,
        RequestState,
    },
    team::MemberPhase,
};

use super::TeamService;
use crate::{open_requests::OpenRequests, permission_gate::digest_of};

/// How long a call waits for what is settled in code: a member that is idle agrees at once.
const SHUTDOWN_TOOL_WAIT: Duration = Duration::from_secs(2);

impl TeamService {
    pub(super) async fn shut_down(
        &self,
        caller: &Caller,
        ask: ShutdownArgs,
    ) -> Result<ShutdownReply, Refusal> {
        let name = self.0.mailer.parse_member(&ask.name)?;
        let within = if ask.now {
            Duration::ZERO
        } else {
            self.0.base.setup.config.shutdown_within
        };
        let from = Principal::member(&caller.name, caller.incarnation);
        let awaiting = AwaitedShutdown::begin(&self.0.requests, &caller.call);
        let request = self
            .0
            .requests
            .open_shutdown(from, &caller.call, &name, within, &ask.reason)
            .await?;
        Ok(self.await_shutdown(&name, &request, awaiting).await)
    }

    pub(super) async fn request_plan(
        &self,
        caller: &Caller,
        to: String,
        about: String,
    ) -> Result<PlanRequired, Refusal> {
        let from = Sender::Member(caller.name.clone());
        let name = self.0.mailer.resolve_recipient(&from, &to)?;
        let by = Principal::member(&caller.name, caller.incarnation);
        self.require_plan(by, &caller.call, &name, &about).await
    }

    pub(super) async fn lift_plan_of(
        &self,
        caller: &Caller,
        to: String,
    ) -> Result<MemberName, Refusal> {
        let from = Sender::Member(caller.name.clone());
        let name = self.0.mailer.resolve_recipient(&from, &to)?;
        let by = Principal::member(&caller.name, caller.incarnation);
        self.lift_plan(by, &caller.call, &name).await?;
        Ok(name)
    }

    pub(super) async fn submit_plan(
        &self,
        caller: &Caller,
        plan: String,
    ) -> Result<SubmittedPlan, Refusal> {
        let submit = PlanRequest {
            digest: digest_of(&[plan.as_bytes()]),
            text: plan,
            approver: self.0.base.setup.config.plans.approver(),
        };
        let from = Principal::member(&caller.name, caller.incarnation);
        let request = self
            .0
            .requests
            .open(RequestPayload::Plan(submit), from, &caller.call, None)
            .await?;
        self.0.requests.announced(request.id).await;
        Ok(SubmittedPlan {
            request: request.id,
            to: request.to(),
        })
    }

    /// The caller answers. Returns the member that asked. Repeating the call changes nothing.
    pub(super) async fn answer(
        &self,
        caller: &Caller,
        request: RequestId,
        kind: RequestKind,
        answer: Answer,
    ) -> Result<Sender, Refusal> {
        let by = Principal::member(&caller.name, caller.incarnation);
        self.0
            .requests
            .answer((request, None), Some(kind), (by, None), answer)
            .await?;
        let request = self.0.requests.request(request);
        let asker = request.map(|request| request.from.sender());
        asker.ok_or_else(|| Refusal::Broken("the request is gone".to_owned()))
    }

    /// Waits a moment for an idle member's shutdown. The lead gets one report, from this call or by mail.
    async fn await_shutdown(
        &self,
        name: &MemberName,
        request: &Request,
        awaiting: AwaitedShutdown<'_>,
    ) -> ShutdownReply {
        let id = request.id;
        // A timeout is not a failure: the result comes by mail then.
        let _ = tokio::time::timeout(SHUTDOWN_TOOL_WAIT, self.0.requests.wait_until_stopped(name))
            .await;
        let left = awaiting.end();
        let team = self.0.base.ledger.team();
        let is_stopped = team
            .member(name)
            .is_none_or(|member| member.phase == MemberPhase::Stopped);
        let known = team.requests().get(id);
        match known.map(|known| &known.state) {
            state if is_stopped => ShutdownReply::Stopped {
                member: name.clone(),
                request: id,
                how: state.map_or_else(String::new, |state| agreement_text(state).to_owned()),
                left,
            },
            Some(RequestState::Rejected { because, .. }) => ShutdownReply::Refused {
                member: name.clone(),
                request: id,
                because: because.clone(),
            },
            Some(_) | None => ShutdownReply::Asked {
                member: name.clone(),
                request: id,
                within: self.0.base.setup.config.shutdown_within,
            },
        }
    }
}

/// A call that waits for a shutdown, also if it is given up.
struct AwaitedShutdown<'a>(&'a OpenRequests, &'a Cause);

impl<'a> AwaitedShutdown<'a> {
    fn begin(requests: &'a OpenRequests, call: &'a Cause) -> Self {
        requests.awaited().insert(call.clone(), String::new());
        Self(requests, call)
    }

    /// Ends the wait: the text about what the member left behind.
    fn end(self) -> String {
        self.0.awaited().remove(self.1).unwrap_or_default()
    }
}

impl Drop for AwaitedShutdown<'_> {
    fn drop(&mut self) {
        self.0.awaited().remove(self.1);
    }
}

/// How a member that is stopped came to it.
fn agreement_text(state: &RequestState) -> &'static str {
    match state {
        RequestState::Approved(_) => "it agreed",
        RequestState::Expired => "without its agreement",
        RequestState::Pending | RequestState::Rejected { .. } | RequestState::Cancelled { .. } => {
            "it had ended already"
        }
    }
}
