//! Questions to the user that no call waits for: their answers come to their members as mail. They outlive the program.

use std::{path::Path, sync::Arc};

use teammate_core::{
    MemberName, MessageKind,
    port::{Caller, LaterQuestion, OpenQuestion, UserAnswer},
    request::RequestId,
    team::{MemberPhase, MessageCause},
};

use super::TeamService;
use crate::{
    mailer::{MailDraft, truncated_to_limit},
    permission_gate::ServiceQuestion,
};

impl TeamService {
    /// Asks, and does what follows from the answer, for as long as the team is open.
    pub(super) fn ask_later(&self, caller: Caller, place: Arc<Path>, question: LaterQuestion) {
        let service = self.clone();
        drop(tokio::spawn(async move {
            let gate = &service.0.gate;
            let opened = gate.open_for_service(&caller, &place, &question.ask).await;
            service.follow(caller, place, question, opened).await;
        }));
    }

    /// Asks again what was open when an earlier program ended. Before members start: then the same requests go on.
    pub(crate) async fn ask_again(&self) {
        let Some(kept) = self.0.base.ports.questions.clone() else {
            return;
        };
        for OpenQuestion {
            caller,
            place,
            question,
        } in kept.left_open().await
        {
            let gate = &self.0.gate;
            let opened = gate.open_for_service(&caller, &place, &question.ask).await;
            if opened.is_none() && !gate.asks() {
                // It stays as it is until somebody can be asked.
                continue;
            }
            let service = self.clone();
            drop(tokio::spawn(async move {
                service.follow(caller, place.into(), question, opened).await;
            }));
        }
    }

    async fn follow(
        &self,
        mut caller: Caller,
        place: Arc<Path>,
        question: LaterQuestion,
        opened: Option<ServiceQuestion>,
    ) {
        let gate = &self.0.gate;
        let settle = |request| self.0.requests.settle_outside(request);
        let mut request = opened.as_ref().map(|opened| opened.request);
        let mut settling = request.map(settle);
        let mut answer = match opened {
            Some(opened) => gate.answer_for_service(opened).await,
            None => UserAnswer::Unanswered,
        };
        // A member that has stopped asks nothing any more; what it left is the lead's to hear of.
        if answer == UserAnswer::Unanswered && !self.works(&caller) {
            caller = self.lead_in_place_of(&caller);
            let opened = gate.open_for_service(&caller, &place, &question.ask).await;
            request = opened.as_ref().map(|opened| opened.request);
            settling = request.map(settle);
            if let Some(opened) = opened {
                answer = gate.answer_for_service(opened).await;
            }
        }
        let said = (question.settle)(answer).await;
        if let (Some(request), Some(said)) = (request, said) {
            self.send_notice(&caller, request, said).await;
        }
        drop(settling);
    }

    fn works(&self, caller: &Caller) -> bool {
        let team = self.0.base.ledger.team();
        let member = team.member(&caller.name);
        member.is_some_and(|member| {
            member.incarnation == caller.incarnation && member.phase != MemberPhase::Stopped
        })
    }

    fn lead_in_place_of(&self, caller: &Caller) -> Caller {
        let lead = MemberName::lead();
        let team = self.0.base.ledger.team();
        let incarnation = team.member(&lead).map(|lead| lead.incarnation);
        Caller {
            call: caller.call.part(&lead),
            incarnation: incarnation.unwrap_or(caller.incarnation),
            name: lead,
            ..caller.clone()
        }
    }

    async fn send_notice(&self, caller: &Caller, request: RequestId, content: String) {
        let base = &self.0.base;
        let cause = MessageCause::Settled(request);
        let id = base.ledger.team().message_id(cause);
        let draft = MailDraft {
            kind: MessageKind::PermissionResponse,
            to_incarnation: Some(caller.incarnation),
            request: Some(request),
            wakes: true,
            ..MailDraft::notice(id, &caller.name, truncated_to_limit(content))
        };
        if let Err(error) = self.0.mailer.send_with_retries(draft).await {
            let text = format!("{} did not hear how {request} ended: {error}", caller.name);
            base.feed.note(&caller.name, text);
        }
    }
}
