//! The rules of goals.

use super::goals::{
    ALIKE_MAX, CHECK_BYTES_MAX, Goal, GoalCommand, GoalEnd, GoalEvent, GoalRefusal, GoalRun,
    NewGoal, TEXT_BYTES_MAX, TRIES_MAX,
};
use crate::{
    MemberName,
    id::GoalId,
    member::MemberPhase,
    team::{Decision, Durability, TeamEvent, TeamRefusal, TeamState, decision::Events},
    transcript::EndReason,
};

impl TeamState {
    /// The goals of the team.
    pub fn goals(&self) -> &super::goals::Goals {
        &self.goals
    }

    /// The goal that keeps the team going: it is open, and the lead ended its last turn by itself, in the conversation of the
    /// goal, and nobody paused the team. A lead that failed, was interrupted or came to a limit goes on when somebody speaks to it.
    pub fn goal_in_force(&self) -> Option<&Goal> {
        let goal = self.goals().open().filter(|_| self.pause().is_none())?;
        let lead = self.member(&MemberName::lead())?;
        let goes_on = match &lead.phase {
            MemberPhase::Starting | MemberPhase::Working | MemberPhase::Waiting(_) => true,
            MemberPhase::Idle { why, .. } => match why {
                EndReason::Done | EndReason::Waiting { .. } => true,
                EndReason::Failed { .. } | EndReason::Interrupted | EndReason::Limit { .. } => {
                    false
                }
            },
            MemberPhase::Stopped => false,
        };
        (goes_on && goal.conversation == self.conversation()).then_some(goal)
    }

    /// Synced: a run that was counted is not counted again.
    pub(super) fn decide_goal(&self, command: &GoalCommand) -> Result<Decision, TeamRefusal> {
        let events = match command {
            GoalCommand::Set(new) => self.set_goal(new)?,
            GoalCommand::Try { goal, number, run } => match self.open_goal(*goal) {
                Some(goal) if goal.tries + 1 == *number => tried(goal, run),
                Some(_) | None => Vec::new(),
            },
            GoalCommand::Tell { goal, number } => {
                let known = self.open_goal(*goal);
                let is_new = known.is_some_and(|goal| goal.is_untold && goal.tries == *number);
                let told = event(*goal, GoalEvent::Told { number: *number });
                is_new.then_some(told).into_iter().collect()
            }
            GoalCommand::End { goal, end } => {
                let known = match end {
                    GoalEnd::Dropped => self.goals().to_give_up(),
                    GoalEnd::Reached
                    | GoalEnd::Stuck
                    | GoalEnd::Tried
                    | GoalEnd::Budget { .. }
                    | GoalEnd::Unchecked { .. } => self.goals().open(),
                };
                let known = known.filter(|known| known.id == *goal);
                known.ok_or(GoalRefusal::None)?;
                vec![ended(*goal, end.clone())]
            }
        };
        Ok(Decision {
            events,
            durability: Durability::Synced,
        })
    }

    fn set_goal(&self, new: &NewGoal) -> Events {
        let last = self.goals().last();
        if last.is_some_and(|last| last.call == new.call) {
            return Ok(Vec::new());
        }
        if let Some(open) = self.goals().open() {
            return Err(GoalRefusal::Open(open.id).into());
        }
        let (text, check) = (new.text.trim(), new.check.trim());
        if text.is_empty() || text.len() > TEXT_BYTES_MAX {
            return Err(GoalRefusal::Text.into());
        }
        if check.is_empty() || check.len() > CHECK_BYTES_MAX {
            return Err(GoalRefusal::Check.into());
        }
        if !(1..=TRIES_MAX).contains(&new.tries_max) {
            return Err(GoalRefusal::Tries.into());
        }
        let id = GoalId::new(last.map_or(0, |last| last.id.number()) + 1);
        let set = GoalEvent::Set {
            call: new.call.clone(),
            text: text.to_owned(),
            check: check.to_owned(),
            tries_max: new.tries_max,
        };
        Ok(vec![event(id, set)])
    }

    fn open_goal(&self, id: GoalId) -> Option<&Goal> {
        self.goals().open().filter(|goal| goal.id == id)
    }
}

/// A run, and the end of the goal if that is its last one.
fn tried(goal: &Goal, run: &GoalRun) -> Vec<TeamEvent> {
    let number = goal.tries + 1;
    let run = run.clone();
    let end = if run.has_passed() {
        Some(GoalEnd::Reached)
    } else if number >= goal.tries_max {
        Some(GoalEnd::Tried)
    } else if goal.alike_with(&run) >= ALIKE_MAX {
        Some(GoalEnd::Stuck)
    } else {
        None
    };
    let tried = event(goal.id, GoalEvent::Tried { number, run });
    let ended = end.map(|end| ended(goal.id, end));
    [tried].into_iter().chain(ended).collect()
}

fn ended(goal: GoalId, end: GoalEnd) -> TeamEvent {
    event(goal, GoalEvent::Ended { end })
}

fn event(goal: GoalId, change: GoalEvent) -> TeamEvent {
    TeamEvent::Goal { goal, change }
}
