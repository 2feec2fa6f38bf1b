//! How a turn ends: noted in the ledger, told to the lead, shown on the screen.

use teammate_core::{
    MemberName, MessageKind, Sender, agent::Resting, event::What, loops::HOPS, mail::Metadata,
    team::Command, team::MessageCause, transcript::RestReason,
};

use super::Driver;
use crate::mailer::{Draft, within_limit};

impl Driver {
    pub(super) async fn end_turn(&mut self, resting: Resting) {
        self.is_working = false;
        self.parts.meter.works(&self.name, false);
        self.hand_over();
        // That a job stands still is told each time it is found so.
        let is_paused = matches!(resting, Resting::Paused { .. });
        let (why, turn, result) = match resting {
            Resting::Done { turn, result } => (RestReason::Done, turn, result),
            Resting::Cut { turn, why } => (why, turn, String::new()),
            Resting::Paused { turn, what } => (RestReason::Limit { what }, turn, String::new()),
        };
        let rest = Command::Rest {
            member: self.name.clone(),
            incarnation: self.incarnation,
            why: why.clone(),
            turn: Some(turn),
            result: result.clone(),
        };
        let is_news = match self.base.ledger.decide(rest).await {
            Ok(events) => {
                self.parts.meter.turn_ended(&events);
                !events.is_empty()
            }
            Err(error) => {
                self.base.feed.notice(
                    &self.name,
                    format!("the end of a turn was not noted: {error}"),
                );
                true
            }
        };
        if !self.name.is_lead() {
            self.tell_lead(&why, turn, &result).await;
        }
        self.parts.loops.rest(&self.name);
        // What was said last time is no news today, but the lead's last word is what a resumed job ends with.
        if is_news || is_paused || (self.name.is_lead() && why == RestReason::Done) {
            self.base
                .feed
                .tell(&self.name, What::Rested { why, result });
        }
        // What begins without a look at the board is about something else.
        self.is_at_a_task = false;
        self.apart = None;
        self.base.tell_status(&self.name);
    }

    /// The idle notice with the result. Its id follows from the turn, so telling it twice is harmless.
    pub(super) async fn tell_lead(&self, why: &RestReason, turn: u64, result: &str) {
        let (word, content) = match why {
            RestReason::Done if result.is_empty() => {
                ("done", "(finished without a last word)".to_owned())
            }
            RestReason::Done => ("done", result.to_owned()),
            RestReason::Interrupted => ("interrupted", "(interrupted by the user)".to_owned()),
            RestReason::Failed { what } => ("failed", format!("failed: {what}")),
            RestReason::Limit { what } => ("limit", what.clone()),
            RestReason::Waiting { what } => (
                "waiting",
                format!("waits for {what}; its work goes on then"),
            ),
        };
        let mut metadata = Metadata::new();
        metadata.insert("why".to_owned(), word.into());
        let wakes = match why {
            // What comes of a task is seen on the board, who goes on has not ended, and a plan speaks for itself.
            RestReason::Done => !self.is_at_a_task && !self.goes_on() && !self.waits_for_answer(),
            RestReason::Interrupted => false,
            RestReason::Failed { .. } | RestReason::Limit { .. } | RestReason::Waiting { .. } => {
                true
            }
        };
        let (hops, may_wake) = self.parts.loops.hops_of_notice(&self.name);
        metadata.insert(HOPS.to_owned(), hops.into());
        let id = self.base.ledger.team().message_id(MessageCause::TurnEnd(
            &self.name,
            self.incarnation,
            turn,
        ));
        let draft = Draft {
            id,
            kind: MessageKind::IdleNotification,
            from: Sender::Member(self.name.clone()),
            from_incarnation: Some(self.incarnation),
            to: MemberName::lead(),
            content: within_limit(content),
            request: None,
            to_incarnation: None,
            wakes: wakes && may_wake,
            metadata,
        };
        if let Err(error) = self.parts.mailer.send(draft).await {
            let text = format!(
                "the lead was not told of the end of this turn: {error}; it is told when the team is opened again"
            );
            self.base.feed.notice(&self.name, text);
        }
    }

    /// Whether it has submitted a plan that is not answered yet.
    fn waits_for_answer(&self) -> bool {
        let team = self.base.ledger.team();
        let member = team.member(&self.name);
        member.is_some_and(|member| member.gate.waits_for().is_some())
    }

    /// Whether it takes something from the board next.
    fn goes_on(&self) -> bool {
        let team = self.base.ledger.team();
        let next = team.member(&self.name).and_then(|me| team.next_for(me));
        next.is_some() && self.parts.meter.may_spend(&self.name).is_ok()
    }

    /// A member that has nothing to do is not shown to be in a turn, whatever the journal's last word was.
    pub(super) async fn record_idle(&self) {
        let team = self.base.ledger.team();
        let member = team.member(&self.name);
        if !member.is_some_and(|member| member.phase.is_busy()) {
            return;
        }
        let rest = Command::Rest {
            member: self.name.clone(),
            incarnation: self.incarnation,
            why: RestReason::Done,
            turn: None,
            result: String::new(),
        };
        // If it cannot be noted now, the next opening does it.
        let _ = self.base.ledger.decide(rest).await;
        self.base.tell_status(&self.name);
    }
}
