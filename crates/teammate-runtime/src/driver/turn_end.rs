//! Ends a turn: records it in the ledger, sends the lead the idle notice, emits the event.

use teammate_core::{
    agent::TurnEnd, event::EventKind, mail::Metadata, team::Command, transcript::EndReason,
};

use super::Driver;
use crate::{last_turn::LastTurn, mailer::MailDraft};

impl Driver {
    pub(super) async fn end_turn(&mut self, resting: TurnEnd) {
        self.is_working = false;
        self.parts.meter.set_working(&self.name, false);
        self.flush_usage();
        self.base.forget_halt(&self.name);
        // A stalled job is reported each time it is found so.
        let is_paused = matches!(resting, TurnEnd::OutOfBudget { .. });
        let (why, turn, result) = match resting {
            TurnEnd::Done { turn, result } => (EndReason::Done, turn, result),
            TurnEnd::Ended { turn, why } => (why, turn, String::new()),
            TurnEnd::OutOfBudget { turn, what } => (EndReason::Limit { what }, turn, String::new()),
        };
        let rest = Command::EndTurn {
            member: self.name.clone(),
            incarnation: self.incarnation,
            why: why.clone(),
            turn: Some(turn),
            result: result.clone(),
        };
        let is_news = match self.base.decide_or_wait(rest).await {
            Ok(events) => {
                self.parts.meter.turn_ended(&events);
                !events.is_empty()
            }
            Err(error) => {
                self.base.feed.note(
                    &self.name,
                    format!("the end of a turn was not recorded: {error}"),
                );
                true
            }
        };
        if !self.name.is_lead() {
            let (why, result) = (why.clone(), result.clone());
            self.send_idle_notice(&LastTurn { turn, why, result }).await;
        }
        if let Some(saver) = &self.saver {
            saver.turn_ended();
        }
        self.parts.loops.turn_ended(&self.name);
        // An old result is no news, but a resumed job ends with the lead's last one.
        if is_news || is_paused || (self.name.is_lead() && why == EndReason::Done) {
            self.base
                .feed
                .emit(&self.name, EventKind::TurnEnded { why, result });
        }
        // What begins without a look at the board is about something else.
        self.is_turn_for_task = false;
        self.apart = None;
        self.base.emit_rest(&self.name, is_paused);
    }

    /// The idle notice with the result. Its id follows from the turn, so sending it twice is harmless.
    async fn send_idle_notice(&self, ended: &LastTurn) {
        let wakes = match &ended.why {
            // No notice: the board shows a task's result, a continuing member has not ended, and a plan has its own
            // mail.
            EndReason::Done => {
                !self.is_turn_for_task && !self.has_next_task() && !self.waits_for_plan_answer()
            }
            EndReason::Interrupted => false,
            EndReason::Failed { .. } | EndReason::Limit { .. } | EndReason::Waiting { .. } => true,
        };
        let (hops, may_wake) = self.parts.loops.hops_of_notice(&self.name);
        let mailer = &self.parts.mailer;
        let notice = mailer.turn_end_notice(&self.name, self.incarnation, ended);
        let draft = MailDraft {
            wakes: wakes && may_wake,
            metadata: Metadata {
                hops: Some(hops),
                ..notice.metadata.clone()
            },
            ..notice
        };
        if let Err(error) = mailer.send_or_wait(draft).await {
            let text = format!(
                "the lead did not get the notice of this turn's end: {error}; it gets it when the team is opened again"
            );
            self.base.feed.note(&self.name, text);
        }
    }

    /// Records the end of the last turn of an earlier life, and sends its notice, unless that was done. Where several workers run the
    /// team a member may be spawned again before, and go on elsewhere.
    pub(super) async fn note_earlier_life(&mut self) {
        let Some((life, ended)) = self.untold.take() else {
            return;
        };
        let end = ended.to_record(&self.name, life);
        // It counts once; what an engine does not take now is tried again, and else the team closes.
        let _ = self.base.decide_or_wait(end).await;
        let mailer = &self.parts.mailer;
        let notice = mailer.turn_end_notice(&self.name, life, &ended);
        if !self.name.is_lead() && !mailer.is_sent(&notice.to, &notice.id).await {
            let _ = mailer.send_or_wait(notice).await;
        }
    }

    /// Whether it has submitted a plan that is not answered yet.
    fn waits_for_plan_answer(&self) -> bool {
        let team = self.base.ledger.team();
        let member = team.member(&self.name);
        member.is_some_and(|member| member.gate.pending_request().is_some())
    }

    /// Whether it takes something from the board next.
    pub(super) fn has_next_task(&self) -> bool {
        let team = self.base.ledger.team();
        let next = team.member(&self.name).and_then(|me| team.next_for(me));
        next.is_some() && self.parts.meter.require_budget(&self.name).is_ok()
    }

    /// Records the member as idle if the journal still says that it is working.
    pub(super) async fn record_idle(&self) {
        let team = self.base.ledger.team();
        let member = team.member(&self.name);
        if !member.is_some_and(|member| member.phase.is_busy()) {
            return;
        }
        let rest = Command::EndTurn {
            member: self.name.clone(),
            incarnation: self.incarnation,
            why: EndReason::Done,
            turn: None,
            result: String::new(),
        };
        // If it cannot be noted now, the next opening does it.
        let _ = self.base.ledger.decide(rest).await;
        self.base.emit_status(&self.name);
    }
}
