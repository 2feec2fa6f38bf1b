//! How a member leaves: it agrees to a shutdown automatically when it is idle, and makes a turn unfinished again if the user
//! interrupted only to leave.

use teammate_core::{
    agent::{Input, Leave},
    request::{Answer, Principal, RequestCommand, RequestId, RequestKind},
    team::Command,
};

use super::Driver;
use crate::members::MemberError;

impl Driver {
    /// The pending shutdown of this incarnation.
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
            // Waits, because the program ends. Without it the turn still continues, by the transcript.
            let _ = self.base.ledger.decide(work).await;
        }
        Ok(false)
    }

    /// An idle member agrees to a shutdown automatically, without a model call. False when its loop has ended. The
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
            saw: None,
            by: Principal::member(&self.name, self.incarnation),
            answer: Answer::yes(),
            device: None,
            at: self.base.ports.clock.now(),
        };
        match self.base.ledger.decide(Command::Request(agree)).await {
            Ok(_) => self.run_effects(Input::Leave(Leave::Shutdown)).await,
            // Too late, perhaps: then it is stopped in a moment.
            Err(_) => Ok(true),
        }
    }
}
