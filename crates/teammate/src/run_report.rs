//! How a job ended: from its events, and what the team leaves undone.

use std::{collections::BTreeMap, time::Duration};

use teammate_core::{
    MemberName,
    event::{Event, EventKind, RunId},
    id::GoalId,
    team::{GoalEnd, Spending, TeamState},
    transcript::EndReason,
};

use crate::RunStats;

/// How a job ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RunReport {
    /// How.
    pub outcome: RunOutcome,
    /// The lead's final text.
    pub text: String,
    /// Whether the lead ended a turn at all, so that there should be a final text.
    pub has_answered: bool,
    /// Requests, tokens and time that the job took.
    pub stats: RunStats,
    /// The spending since the team was opened.
    pub spent: Spending,
    /// In which opening of the team.
    pub run: RunId,
}

/// How a run ended: the first of these that holds, in the order of `docs/headless.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunOutcome {
    /// The lead is done and no member works.
    Done,
    /// The lead's model failed, or gave no result.
    Failed(String),
    /// A limit was reached.
    Limit(String),
    /// All members are idle, but some failed or have tasks in progress: which ones.
    Unfinished(String),
    /// The goal was not reached: which, and why the team goes on for it no more.
    GoalMissed(String),
    /// A transcript or the journal could not be written: which and why, for the user.
    Storage(String),
    /// It took longer than it may.
    TimedOut(Duration),
    /// It was interrupted.
    Interrupted,
}

/// The state of a job, from its events so far.
#[derive(Debug, Default)]
pub(crate) struct Account {
    stats: RunStats,
    /// How the lead's last turn ended, and its final text.
    last: Option<(EndReason, String)>,
    /// Members that a limit stopped in their work: which limit.
    limited: BTreeMap<MemberName, String>,
    /// Teammates whose last turn failed: why.
    failed: BTreeMap<MemberName, String>,
    /// The goal for which the team works.
    goal: Option<GoalId>,
}

impl Account {
    /// Takes an event.
    pub(crate) fn take(&mut self, event: &Event) {
        self.stats.record(event);
        let member = &event.member;
        if let EventKind::TurnEnded { why, result } = &event.what {
            self.turn_ended(member, why, result);
        } else if let EventKind::ModelAsked { .. } = &event.what {
            // It refused and continues.
            self.limited.remove(member);
            self.failed.remove(member);
        } else if let EventKind::Terminated { .. } = &event.what {
            // Somebody has dealt with it.
            self.failed.remove(member);
        }
    }

    fn turn_ended(&mut self, member: &MemberName, why: &EndReason, result: &str) {
        if member.is_lead() {
            self.last = Some((why.clone(), result.to_owned()));
        }
        match why {
            EndReason::Limit { what } => {
                self.limited.insert(member.clone(), what.clone());
            }
            EndReason::Failed { what } if !member.is_lead() => {
                self.failed.insert(member.clone(), what.clone());
            }
            EndReason::Failed { .. }
            | EndReason::Done
            | EndReason::Interrupted
            | EndReason::Waiting { .. } => {}
        }
    }

    /// How the job ended, if no member works, `team` is what it left, and nothing came between.
    pub(crate) fn how(&self, team: &TeamState) -> RunOutcome {
        let lead = self
            .last
            .as_ref()
            .map_or(RunOutcome::Done, |(why, _)| why.into());
        if let (RunOutcome::Done, Some(missed)) = (&lead, self.missed_goal(team)) {
            return RunOutcome::GoalMissed(missed);
        }
        // The lead may think that it is done; a member was stopped in its work, or left it undone.
        match (lead, self.limited.values().next()) {
            (RunOutcome::Done, Some(limit)) => RunOutcome::Limit(limit.clone()),
            (RunOutcome::Done, None) => {
                let is_ours = |name: &MemberName| team.paused_for(name).is_none();
                undone(team, &self.failed, is_ours).map_or(RunOutcome::Done, RunOutcome::Unfinished)
            }
            (how, _) => how,
        }
    }

    /// The goal, if it was open when the job began and was not reached.
    fn missed_goal(&self, team: &TeamState) -> Option<String> {
        let goal = team
            .goals()
            .last()
            .filter(|goal| Some(goal.id) == self.goal)?;
        let ending = goal
            .ending()
            .filter(|_| goal.end != Some(GoalEnd::Reached))?;
        let (id, check) = (goal.id, &goal.check);
        Some(format!("the goal {id} ({check}) was {ending}"))
    }

    /// From now on the job is about the goal that is open.
    pub(crate) fn note_goal(&mut self, team: &TeamState) {
        self.goal = team.goals().open().map(|goal| goal.id);
    }

    /// The job as it ended.
    pub(crate) fn report(&self, how: RunOutcome, spent: Spending, run: RunId) -> RunReport {
        let last = self.last.as_ref();
        RunReport {
            outcome: how,
            text: last.map_or_else(String::new, |(_, text)| text.clone()),
            has_answered: last.is_some(),
            stats: self.stats.clone(),
            spent,
            run,
        }
    }
}

/// The work that the members for which `ours` holds leave undone, in a sentence: tasks in progress, and failures without a
/// later turn.
fn undone(
    team: &TeamState,
    failed: &BTreeMap<MemberName, String>,
    is_ours: impl Fn(&MemberName) -> bool,
) -> Option<String> {
    let ours = || team.members().filter(|member| is_ours(&member.name));
    let in_hand = ours().filter_map(|member| {
        let task = team.board().task_of(&member.name)?;
        Some(format!("{} has task {} in progress", member.name, task.id))
    });
    let failed = ours().filter_map(|member| {
        let why = failed.get(&member.name)?;
        Some(format!("{} failed: {why}", member.name))
    });
    let undone: Vec<String> = in_hand.chain(failed).collect();
    (!undone.is_empty()).then(|| undone.join("; "))
}

impl From<&EndReason> for RunOutcome {
    fn from(why: &EndReason) -> Self {
        match why {
            EndReason::Done | EndReason::Waiting { .. } => Self::Done,
            EndReason::Interrupted => Self::Interrupted,
            EndReason::Failed { what } => Self::Failed(what.clone()),
            EndReason::Limit { what } => Self::Limit(what.clone()),
        }
    }
}
