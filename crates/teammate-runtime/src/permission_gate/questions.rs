//! Questions to the user: opened, or found again after a restart, awaited, and withdrawn once no
//! call waits for them.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    cause::Cause,
    event::RefusedBy,
    permission::{NET, OfferedRules, Rule, RuleOrigin},
    port::Caller,
    request::{
        Digest, PermissionRequest, Principal, Request, RequestCommand, RequestId, RequestPayload,
        RequestState,
    },
    team::Command,
};

use super::{CallRefusal, CheckedCall, PermissionGate, digest};
use crate::base::Base;

impl PermissionGate {
    pub(super) async fn ask_user(
        &self,
        passing: &CheckedCall<'_>,
        deadline: Duration,
        waiting: impl FnOnce(),
    ) -> Result<RequestId, CallRefusal> {
        let digest = digest::digest(passing);
        let refused = self.hooks_refuse_question(passing).await;
        refused.map_or(Ok(()), |why| {
            Err(CallRefusal::of(RefusedBy::Hook, format!("Not run: {why}")))
        })?;
        let request = self.open_question(passing, &digest, deadline).await?;
        waiting();
        let withdraw = WithdrawOnDrop {
            base: &self.base,
            request: request.id,
        };
        let state = self.settled(request.id).await;
        drop(withdraw);
        self.show_hooks_settled(passing, request.id, &state).await;
        match state {
            RequestState::Approved(_) => {
                self.use_grant(passing, request.id, digest).await?;
                self.hold_always(request.id);
                Ok(request.id)
            }
            RequestState::Rejected { by, because, .. } => {
                let why = if because.is_empty() {
                    String::new()
                } else {
                    format!(" ({because})")
                };
                Err(CallRefusal::of(
                    RefusedBy::Answer,
                    format!(
                        "Not run: {by} denied it{why}. Do not retry it in another form; ask, or continue without it."
                    ),
                ))
            }
            RequestState::Expired | RequestState::Pending => Err(CallRefusal::of(
                RefusedBy::Deadline,
                "Not run: nobody answered the permission question in time, so it is denied."
                    .to_owned(),
            )),
            RequestState::Cancelled { why } => Err(format!("Not run: {why}.").into()),
        }
    }

    /// How a question ends.
    pub(super) async fn settled(&self, question: RequestId) -> RequestState {
        match self.requests.wait_settled(question).await {
            Some(settled) => settled.state.clone(),
            // The team has closed: the call continues at the next opening.
            None if self.base.ledger.is_closed() => std::future::pending().await,
            None => RequestState::Expired,
        }
    }

    /// Opens the question of this call, or finds it: after a restart the call waits for the same one.
    async fn open_question(
        &self,
        passing: &CheckedCall<'_>,
        digest: &Digest,
        deadline: Duration,
    ) -> Result<Arc<Request>, String> {
        let call = PermissionRequest::cause(&passing.caller.call, digest);
        self.withdraw_questions(passing.caller, Some(&call)).await?;
        self.open(passing, digest, deadline).await
    }

    /// The rules that an "always" could make. One that holds a secret is not shown, so it is not offered.
    fn offered(&self, passing: &CheckedCall<'_>) -> OfferedRules {
        if !passing.offers_rules {
            return OfferedRules::default();
        }
        let secrets = &self.base.setup.secrets;
        let rules = self.rules();
        rules
            .offered(passing.mode, passing.tool, passing.class, passing.action)
            .filter(|rule| secrets.redact(rule) == rule)
    }

    /// The question itself; the same call asks the same once.
    pub(super) async fn open(
        &self,
        passing: &CheckedCall<'_>,
        digest: &Digest,
        deadline: Duration,
    ) -> Result<Arc<Request>, String> {
        let caller = passing.caller;
        let call = PermissionRequest::cause(&caller.call, digest);
        let lead_may = self.lead_may_allow(passing);
        let ask = PermissionRequest {
            tool: passing.tool.to_owned(),
            shows: self.shown(passing),
            digest: digest.clone(),
            rules: Box::new(self.offered(passing)),
            lead_may,
            because: self.because(passing),
            touches: Some(Box::new(self.touches(passing))),
        };
        let from = Principal::member(&caller.name, caller.incarnation);
        let deadline = Some(self.base.deadline(deadline));
        self.requests
            .open(RequestPayload::Permission(ask), from, &call, deadline)
            .await
            .map_err(|error| format!("Not run: permission could not be asked: {error}."))
    }

    /// Questions that this call asked before and no longer asks end before anything is done: a call whose question
    /// is open counts as one that has not begun. Those about its connections are asked while it runs, and are not meant.
    pub(super) async fn withdraw_questions(
        &self,
        caller: &Caller,
        but: Option<&Cause>,
    ) -> Result<(), String> {
        let by = Principal::member(&caller.name, caller.incarnation);
        let connections = caller.call.part(NET);
        let open: Vec<Arc<Request>> = {
            let team = self.base.ledger.team();
            let open = team.requests().unresolved_permissions();
            open.filter(|open| open.from == by && open.call.is_part_of(&caller.call))
                .filter(|open| !open.call.is_part_of(&connections))
                .filter(|open| Some(&open.call) != but)
                .cloned()
                .collect()
        };
        for request in open {
            let forget = Command::Request(RequestCommand::Withdraw {
                request: request.id,
            });
            let forgotten = self.base.ledger.decide(forget).await;
            forgotten.map_err(|error| format!("Not run: {error}."))?;
        }
        Ok(())
    }

    /// An "always" holds for what its call does next, also where it is not kept yet. On a worker it stands in the journal.
    pub(crate) fn hold_always(&self, question: RequestId) {
        if self.base.deployment.keeps_rules_in_journal() {
            return;
        }
        let team = self.base.ledger.team();
        let Some(request) = team.requests().get(question) else {
            return;
        };
        let RequestState::Approved(approval) = &request.state else {
            return;
        };
        let rules = request.permission().map(|ask| &ask.rules);
        let rule = rules.and_then(|rules| rules.of(approval.always?));
        if let Some(Ok(rule)) = rule.map(|rule| Rule::parse(rule, RuleOrigin::Always)) {
            self.hold(rule);
        }
    }

    pub(super) async fn use_grant(
        &self,
        passing: &CheckedCall<'_>,
        request: RequestId,
        digest: Digest,
    ) -> Result<(), String> {
        self.use_grant_of(passing.caller, request, digest).await
    }

    pub(super) async fn use_grant_of(
        &self,
        caller: &Caller,
        request: RequestId,
        digest: Digest,
    ) -> Result<(), String> {
        let grant = RequestCommand::UseGrant {
            request,
            member: caller.name.clone(),
            incarnation: caller.incarnation,
            digest,
        };
        let used = self.base.ledger.decide(Command::Request(grant)).await;
        used.map(|_| ())
            .map_err(|error| format!("Not run: {error}."))
    }
}

/// Cancels a question when its call is dropped, but not when the team closes, or another worker has taken the member over: then
/// the call continues there, or at the next opening.
pub(super) struct WithdrawOnDrop<'a> {
    pub(super) base: &'a Base,
    pub(super) request: RequestId,
}

impl WithdrawOnDrop<'_> {
    fn is_asked_elsewhere(&self) -> bool {
        let team = self.base.ledger.team();
        let request = team.requests().get(self.request);
        let asker = request.and_then(|request| request.from.name());
        asker.is_some_and(|asker| !self.base.is_mine(asker))
    }
}

impl Drop for WithdrawOnDrop<'_> {
    fn drop(&mut self) {
        if self.base.closing.has_begun() || self.is_asked_elsewhere() {
            return;
        }
        self.base
            .ledger
            .submit(Command::Request(RequestCommand::Cancel {
                request: self.request,
                why: "the call that asked was dropped".to_owned(),
            }));
    }
}
