//! How spending follows from what happens in the team.

use super::TeamEvent;
use crate::{
    MemberName,
    model::UsageTotal,
    spending::{ActiveTime, Spending},
    transcript::EndReason,
};

impl Spending {
    /// Counts the end of a turn, and nothing else from the event.
    pub fn end_turn(&mut self, event: &TeamEvent) {
        if let TeamEvent::TurnEnded { .. } = event {
            self.apply(event);
        }
    }

    /// Takes what happened: what was spent, and the ends of turns.
    pub(super) fn apply(&mut self, event: &TeamEvent) {
        if let TeamEvent::Spent {
            member,
            incarnation: _,
            model,
            requests,
            usage,
            upto,
            worked_ms,
            team_ms,
        } = event
        {
            let (requests, usage) = (*requests, *usage);
            let sum = UsageTotal { requests, usage };
            if sum != UsageTotal::default() {
                self.add(member, model, sum);
            }
            let worked = ActiveTime {
                member: *worked_ms,
                team: *team_ms,
            };
            self.add_active_time(member, worked);
            if let Some(upto) = upto {
                self.mark_counted(member, *upto);
            }
        } else if let Some((member, turn)) = counted_turn(event) {
            self.count_turn(member, turn);
        }
    }

    /// Whether this is the end of a turn that is not counted yet.
    pub(super) fn is_new_turn_of(&self, event: &TeamEvent) -> bool {
        counted_turn(event).is_some_and(|(member, turn)| self.is_new_turn(member, turn))
    }
}

/// Whose turn has ended and which, if that counts: one that a limit has stopped does not.
fn counted_turn(event: &TeamEvent) -> Option<(&MemberName, u64)> {
    match event {
        TeamEvent::TurnEnded {
            member,
            why:
                EndReason::Done
                | EndReason::Interrupted
                | EndReason::Failed { .. }
                | EndReason::Waiting { .. },
            turn: Some(turn),
            ..
        } => Some((member, *turn)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
