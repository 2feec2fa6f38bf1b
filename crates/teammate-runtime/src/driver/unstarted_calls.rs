//! How a member leaves: it agrees to a shutdown automatically when it is idle, and makes a turn unfinished again if the user
//! interrupted only to leave. And what it comes back to: calls that only waited for permission when the program ended were not
//! begun, and are asked about again.

use teammate_core::{
    agent::{Input, Leave},
    cause::Cause,
    request::{
        Answer, PermissionRequest, Principal, Request, RequestCommand, RequestId, RequestKind,
    },
    team::Command,
    tool::CallId,
};

use super::Driver;
use crate::members::MemberError;

impl Driver {
    /// The shutdown that this incarnation is asked for.
    pub(super) fn open_shutdown(&self) -> Option<RequestId> {
        let team = self.base.ledger.team();
        let asked = team.requests().shutdown_of(&self.name, self.incarnation);
        asked.map(|request| request.id)
    }

    /// Whether this incarnation is about to end: its model is not asked again. The lead's shutdown is a pause of the team, which ends
    /// no life.
    pub(super) fn has_agreed_to_shut_down(&self) -> bool {
        let team = self.base.ledger.team();
        !self.name.is_lead()
            && team
                .requests()
                .is_shutting_down(&self.name, self.incarnation)
    }

    /// Makes a turn unfinished again that the last interrupt ended, and ends the loop with that. False when it has ended.
    pub(super) async fn take_back(&mut self) -> Result<bool, MemberError> {
        let is_taken_back = self.agent.is_idle() && self.agent.is_interrupted();
        if self.step_and_track(Input::TakeBack).await? {
            return Ok(true);
        }
        if is_taken_back {
            let work = Command::StartTurn {
                member: self.name.clone(),
                incarnation: self.incarnation,
            };
            // Waited for, because the program ends. Without it the transcript has the turn go on all the same.
            let _ = self.base.ledger.decide(work).await;
        }
        Ok(false)
    }

    /// An idle member that is asked to shut down agrees automatically, without its model. False when its loop has ended. The
    /// lead goes with its team only.
    pub(super) async fn agree_if_idle(&mut self) -> Result<bool, MemberError> {
        if self.name.is_lead() || !self.agent.is_idle() {
            return Ok(true);
        }
        let Some(request) = self.open_shutdown() else {
            return Ok(true);
        };
        let agree = RequestCommand::Answer {
            request,
            expects: Some(RequestKind::Shutdown),
            by: Principal::member(&self.name, self.incarnation),
            answer: Answer::yes(),
            at: self.base.ports.clock.now(),
        };
        match self.base.ledger.decide(Command::Request(agree)).await {
            Ok(_) => self.run_effects(Input::Leave(Leave::Shutdown)).await,
            // Too late, perhaps: then it is stopped in a moment.
            Err(_) => Ok(true),
        }
    }

    /// Calls whose permission nobody has given or used: nothing of them has happened. What else was asked is over.
    pub(super) async fn unstarted_calls(&self) -> Vec<CallId> {
        let by = Principal::member(&self.name, self.incarnation);
        let at = self.agent.conversation().last_answer().unwrap_or_default();
        let calls = self.untouched_calls(&by, at);
        let is_asked_again = |request: &Request| {
            let mut calls = calls.iter();
            calls.any(|call| is_for_call(request, &self.cause(at, call)))
        };
        self.parts
            .requests
            .withdraw_orphans(&by, is_asked_again)
            .await;
        calls
    }

    fn untouched_calls(&self, by: &Principal, at: u64) -> Vec<CallId> {
        let team = self.base.ledger.team();
        let calls = self.agent.conversation().open_calls();
        let is_untouched = |call: &CallId| {
            let call = self.cause(at, call);
            let mut unused = team.requests().unresolved_permissions();
            unused.any(|request| request.from == *by && is_for_call(request, &call))
        };
        calls.into_iter().filter(is_untouched).collect()
    }

    /// The cause of what this call does.
    pub(super) fn cause(&self, at: u64, call: &CallId) -> Cause {
        Cause::call(&self.name, self.incarnation, at, call)
    }
}

/// Whether a permission is asked for this very call: what a subagent asks stands below its call, which has long begun.
fn is_for_call(request: &Request, call: &Cause) -> bool {
    request
        .permission()
        .is_some_and(|ask| request.call == PermissionRequest::cause(call, &ask.digest))
}
