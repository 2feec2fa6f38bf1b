//! Questions of services to the user, in the course of a call that already runs: they allow nothing, and the answer is words.

use std::path::Path;

use teammate_core::{
    permission::Mode,
    port::{Action, Caller, Target, UserAnswer, UserQuestion},
    request::{Approval, RequestState},
    tool::EffectClass,
};

use super::{CheckedCall, PermissionGate, digest, questions::WithdrawOnDrop};
use crate::policy::AskPolicy;

impl PermissionGate {
    /// Asks the user in the place of a service. Dropping the future withdraws the question.
    pub(crate) async fn ask_for_service(
        &self,
        caller: &Caller,
        place: &Path,
        ask: &UserQuestion,
    ) -> UserAnswer {
        let AskPolicy::User { deadline } = self.base.setup.config.policy else {
            return UserAnswer::Unanswered;
        };
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
        let Ok(question) = self.open(&passing, &digest, deadline).await else {
            return UserAnswer::Unanswered;
        };
        let withdraw = WithdrawOnDrop {
            base: &self.base,
            request: question.id,
        };
        let state = self.settled(question.id).await;
        drop(withdraw);
        match state {
            RequestState::Approved(Approval { note, .. }) => {
                match self.use_grant(&passing, question.id, digest).await {
                    Ok(()) => UserAnswer::Yes(note),
                    Err(_) => UserAnswer::Unanswered,
                }
            }
            RequestState::Rejected { .. } => UserAnswer::No,
            RequestState::Pending | RequestState::Expired | RequestState::Cancelled { .. } => {
                UserAnswer::Unanswered
            }
        }
    }
}
