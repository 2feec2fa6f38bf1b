//! The next work of a member without mail, and which idle members to wake. All of a team's autonomy is decided here.

use std::collections::HashSet;

use crate::{
    MemberName,
    id::TaskId,
    member::{Member, MemberPhase},
    team::TeamState,
    transcript::EndReason,
};

/// Work that an idle member begins without mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextTask {
    Continue(TaskId),
    Claim(TaskId),
}

impl TeamState {
    /// The next work of a member: its task in progress, then a task assigned to it, then any ready one. The lead takes
    /// nothing by itself, nor does a member that was interrupted, failed or stopped. Nobody takes anything before its plan is
    /// approved, nor while an approved plan is being carried out. What belongs to another conversation of the lead waits for
    /// that.
    pub fn next_for(&self, member: &Member) -> Option<NextTask> {
        self.next_for_except(member, &HashSet::new())
    }

    /// Idle members to wake for ready tasks, at most one for each task.
    pub fn members_to_wake(&self) -> Vec<MemberName> {
        self.members_to_wake_among(|_| true)
    }

    /// The members to wake among those who can begin anything at all.
    pub fn members_to_wake_among(
        &self,
        can_begin: impl Fn(&MemberName) -> bool,
    ) -> Vec<MemberName> {
        if self.board().has_no_work() {
            return Vec::new();
        }
        let mut given = HashSet::new();
        self.teammates()
            .filter(|member| {
                matches!(member.phase, MemberPhase::Idle { .. }) && can_begin(&member.name)
            })
            .filter_map(|member| {
                let (NextTask::Continue(task) | NextTask::Claim(task)) =
                    self.next_for_except(member, &given)?;
                given.insert(task);
                Some(member.name.clone())
            })
            .collect()
    }

    fn next_for_except(&self, member: &Member, given: &HashSet<TaskId>) -> Option<NextTask> {
        if member.name.is_lead() || !takes_work(&member.phase) {
            return None;
        }
        if self.paused_for(&member.name).is_some() {
            return None;
        }
        let board = self.board();
        if let Some(held) = board.task_of(&member.name) {
            let may_be_nudged =
                held.can_be_nudged() && !waits(&member.phase) && member.gate.lets_remind();
            return may_be_nudged.then_some(NextTask::Continue(held.id));
        }
        if !member.gate.lets_take() {
            return None;
        }
        let goes_on = |id: TaskId| {
            let task = board.task(id);
            task.filter(|task| self.task_paused_for(task).is_none())
        };
        let set_aside = board
            .assigned_to(&member.name)
            .find(|id| goes_on(*id).is_some_and(|task| task.is_for(member)));
        let mut free = board.ready_for(member);
        set_aside
            .or_else(|| free.find(|id| !given.contains(id) && goes_on(*id).is_some()))
            .map(NextTask::Claim)
    }
}

/// Whether a member would begin something without mail.
fn takes_work(phase: &MemberPhase) -> bool {
    match phase {
        MemberPhase::Starting | MemberPhase::Working | MemberPhase::Waiting(_) => true,
        MemberPhase::Idle { why, .. } => match why {
            EndReason::Done | EndReason::Waiting { .. } => true,
            EndReason::Interrupted | EndReason::Failed { .. } | EndReason::Limit { .. } => false,
        },
        MemberPhase::Stopped => false,
    }
}

/// Whether a member called `idle` and said what it waits for, so it needs no reminder.
fn waits(phase: &MemberPhase) -> bool {
    matches!(
        phase,
        MemberPhase::Idle {
            why: EndReason::Waiting { .. },
            ..
        }
    )
}
