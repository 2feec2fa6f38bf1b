//! What a member does next by itself, and who has something to do: the whole of a team's autonomy is decided here.

use std::collections::HashSet;

use super::TaskId;
use crate::{
    MemberName,
    team::{Member, Phase, Team},
    transcript::RestReason,
};

/// What a member has to do without being told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Go on with what it has in hand.
    Own(TaskId),
    /// Take this one.
    Take(TaskId),
}

impl Team {
    /// What a member does next: what it has in hand, then what was set aside for it, then what anybody may do. The lead
    /// takes nothing by itself, nor does a member that was interrupted, failed or stopped. Nobody takes anything before
    /// its plan is approved, nor while an approved plan is being carried out. What belongs to another conversation of the lead
    /// waits for that.
    pub fn next_for(&self, member: &Member) -> Option<Next> {
        self.next_beside(member, &HashSet::new())
    }

    /// Who rests although there is something to do, at most one for each task.
    pub fn called(&self) -> Vec<MemberName> {
        self.called_among(|_| true)
    }

    /// The same among those who can begin anything at all.
    pub fn called_among(&self, can_begin: impl Fn(&MemberName) -> bool) -> Vec<MemberName> {
        if self.board().index.is_empty() {
            return Vec::new();
        }
        let mut given = HashSet::new();
        self.teammates()
            .filter(|member| matches!(member.phase, Phase::Idle { .. }) && can_begin(&member.name))
            .filter_map(|member| {
                let (Next::Own(task) | Next::Take(task)) = self.next_beside(member, &given)?;
                given.insert(task);
                Some(member.name.clone())
            })
            .collect()
    }

    fn next_beside(&self, member: &Member, given: &HashSet<TaskId>) -> Option<Next> {
        if member.name.is_lead() || !is_willing(&member.phase) {
            return None;
        }
        if self.paused_for(&member.name).is_some() {
            return None;
        }
        let board = self.board();
        if let Some(held) = board.held_by(&member.name) {
            let may_be_nudged =
                held.may_be_nudged() && !waits(&member.phase) && member.gate.lets_remind();
            return may_be_nudged.then_some(Next::Own(held.id));
        }
        if !member.gate.lets_take() {
            return None;
        }
        let goes_on = |id: TaskId| {
            let task = board.task(id);
            task.filter(|task| self.task_paused_for(task).is_none())
        };
        let set_aside = board
            .index
            .assigned(&member.name)
            .find(|id| goes_on(*id).is_some_and(|task| task.is_for(member)));
        let mut free = board.index.free(member);
        set_aside
            .or_else(|| free.find(|id| !given.contains(id) && goes_on(*id).is_some()))
            .map(Next::Take)
    }
}

/// Whether a member would begin something by itself.
fn is_willing(phase: &Phase) -> bool {
    match phase {
        Phase::Starting | Phase::Working | Phase::Waiting(_) => true,
        Phase::Idle { why, .. } => match why {
            RestReason::Done | RestReason::Waiting { .. } => true,
            RestReason::Interrupted | RestReason::Failed { .. } | RestReason::Limit { .. } => false,
        },
        Phase::Stopped => false,
    }
}

/// Whether a member has said what it waits for, and needs no reminder.
fn waits(phase: &Phase) -> bool {
    matches!(
        phase,
        Phase::Idle {
            why: RestReason::Waiting { .. },
            ..
        }
    )
}
