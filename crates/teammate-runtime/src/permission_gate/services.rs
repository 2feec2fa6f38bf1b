//! Questions of services to the user, in the course of a call that already runs: they allow nothing, and the answer is words.

use std::path::Path;

use teammate_core::{
    permission::Mode,
    port::{Action, Caller, Target, UserAnswer, UserQuestion},
    request::{Approval, Digest, PermissionRequest, RequestId, RequestState},
    tool::EffectClass,
};

use super::{CheckedCall, PermissionGate, digest, questions::WithdrawOnDrop};
use crate::policy::AskPolicy;

/// A question of a service that waits for its answer.
pub(crate) struct ServiceQuestion {
    pub(crate) request: RequestId,
    caller: Caller,
    digest: Digest,
}

impl PermissionGate {
    /// Whether the user can be asked anything.
    pub(crate) fn asks(&self) -> bool {
        matches!(self.base.setup.config.policy, AskPolicy::User { .. })
    }

    /// Asks the user in the place of a service. Dropping the future withdraws the question.
    pub(crate) async fn ask_for_service(
        &self,
        caller: &Caller,
        place: &Path,
        ask: &UserQuestion,
    ) -> UserAnswer {
        match self.open_for_service(caller, place, ask).await {
            Some(question) => self.answer_for_service(question).await,
            None => UserAnswer::Unanswered,
        }
    }

    /// Opens the question, or finds it, also one that an earlier program asked. `None` if nobody can be asked.
    pub(crate) async fn open_for_service(
        &self,
        caller: &Caller,
        place: &Path,
        ask: &UserQuestion,
    ) -> Option<ServiceQuestion> {
        // Questions about the call itself are others.
        let caller = Caller {
            call: caller.call.part(&ask.by),
            ..caller.clone()
        };
        let action = Action {
            target: Target::Team,
            shows: ask.text.clone(),
            summary: ask.summary.clone(),
        };
        let passing = CheckedCall {
            caller: &caller,
            mode: Mode::Ask,
            tool: &ask.by,
            class: EffectClass::Calls,
            action: &action,
            place,
            call: None,
            offers_rules: false,
            asked_by_hook: None,
            subagent: None,
        };
        let digest = digest::digest(&passing);
        let request = match self.base.setup.config.policy {
            AskPolicy::User { deadline } => self.open(&passing, &digest, deadline).await.ok()?,
            // An answer that came before counts all the same.
            AskPolicy::Never => {
                let call = PermissionRequest::cause(&caller.call, &digest);
                let team = self.base.ledger.team();
                let made = team.requests().made_by(&call).cloned();
                made.filter(|request| !request.is_pending())?
            }
        };
        let request = request.id;
        self.requests.disinherit(request);
        Some(ServiceQuestion {
            request,
            caller,
            digest,
        })
    }

    /// How it ends. Dropping the future withdraws it.
    pub(crate) async fn answer_for_service(&self, question: ServiceQuestion) -> UserAnswer {
        let ServiceQuestion {
            request,
            caller,
            digest,
        } = question;
        let withdraw = WithdrawOnDrop {
            base: &self.base,
            request,
        };
        let state = self.settled(request).await;
        drop(withdraw);
        match state {
            RequestState::Approved(Approval { note, .. }) => {
                match self.use_grant_of(&caller, request, digest).await {
                    Ok(()) => UserAnswer::Yes(note),
                    Err(_) => UserAnswer::Unanswered,
                }
            }
            RequestState::Rejected { because, .. } => UserAnswer::No(because),
            RequestState::Pending | RequestState::Expired | RequestState::Cancelled { .. } => {
                UserAnswer::Unanswered
            }
        }
    }
}
