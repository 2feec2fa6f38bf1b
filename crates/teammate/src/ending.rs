//! How a job ended: what the events told of it, and what the team leaves undone.

use std::{collections::BTreeMap, time::Duration};

use teammate_core::{
    MemberName,
    event::{Event, RunId, What},
    team::{Spending, Team},
    transcript::RestReason,
};

use crate::Tally;

/// How a job ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// How.
    pub how: How,
    /// The lead's last word.
    pub text: String,
    /// Whether the lead ended a turn at all, so that there should be a last word.
    pub has_answered: bool,
    /// What it took.
    pub tally: Tally,
    /// What was spent since the team was opened.
    pub spent: Spending,
    /// In which opening of the team.
    pub run: RunId,
}

/// How a job ended. Where several of these hold, the first of them that holds is told, in the order that
/// `docs/headless.md` gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// The lead is done and nobody works.
    Done,
    /// The lead's model failed, or gave no result.
    Failed(String),
    /// A limit was reached.
    Limit(String),
    /// Everybody rests, but members failed or have tasks in hand: which, for people.
    Unfinished(String),
    /// A transcript or the journal could not be written: which and why, for people.
    Storage(String),
    /// It took longer than it may.
    TimedOut(Duration),
    /// It was interrupted.
    Interrupted,
}

/// What the events of a job have told so far.
#[derive(Debug, Default)]
pub(crate) struct Account {
    tally: Tally,
    /// How the lead's last turn ended, and its last word.
    last: Option<(RestReason, String)>,
    /// Members that a limit stopped in their work: which limit.
    limited: BTreeMap<MemberName, String>,
    /// Teammates whose last turn failed: why.
    failed: BTreeMap<MemberName, String>,
}

impl Account {
    /// Takes an event.
    pub(crate) fn take(&mut self, event: &Event) {
        self.tally.take(event);
        let member = &event.member;
        if let What::Rested { why, result } = &event.what {
            self.rests(member, why, result);
        } else if let What::Asked { .. } = &event.what {
            // It goes on.
            self.limited.remove(member);
            self.failed.remove(member);
        } else if let What::Terminated { .. } = &event.what {
            // Somebody has dealt with it.
            self.failed.remove(member);
        }
    }

    fn rests(&mut self, member: &MemberName, why: &RestReason, result: &str) {
        if member.is_lead() {
            self.last = Some((why.clone(), result.to_owned()));
        }
        match why {
            RestReason::Limit { what } => {
                self.limited.insert(member.clone(), what.clone());
            }
            RestReason::Failed { what } if !member.is_lead() => {
                self.failed.insert(member.clone(), what.clone());
            }
            RestReason::Failed { .. }
            | RestReason::Done
            | RestReason::Interrupted
            | RestReason::Waiting { .. } => {}
        }
    }

    /// How the job ended if nobody works any more, `team` is what it left, and nothing came between.
    pub(crate) fn how(&self, team: &Team) -> How {
        let lead = self.last.as_ref().map_or(How::Done, |(why, _)| why.into());
        // The lead may think that it is done; a member was stopped in its work, or left it undone.
        match (lead, self.limited.values().next()) {
            (How::Done, Some(limit)) => How::Limit(limit.clone()),
            (How::Done, None) => {
                let is_ours = |name: &MemberName| team.paused_for(name).is_none();
                undone(team, &self.failed, is_ours).map_or(How::Done, How::Unfinished)
            }
            (how, _) => how,
        }
    }

    /// The job as it ended.
    pub(crate) fn ending(&self, how: How, spent: Spending, run: RunId) -> Ending {
        let last = self.last.as_ref();
        Ending {
            how,
            text: last.map_or_else(String::new, |(_, text)| text.clone()),
            has_answered: last.is_some(),
            tally: self.tally.clone(),
            spent,
            run,
        }
    }
}

/// What the members that are `ours` leave undone, in a sentence: tasks that they have in hand, and failures that nobody has
/// dealt with.
fn undone(
    team: &Team,
    failed: &BTreeMap<MemberName, String>,
    is_ours: impl Fn(&MemberName) -> bool,
) -> Option<String> {
    let ours = || team.members().filter(|member| is_ours(&member.name));
    let in_hand = ours().filter_map(|member| {
        let task = team.board().held_by(&member.name)?;
        Some(format!("{} has task {} in hand", member.name, task.id))
    });
    let failed = ours().filter_map(|member| {
        let why = failed.get(&member.name)?;
        Some(format!("{} failed: {why}", member.name))
    });
    let undone: Vec<String> = in_hand.chain(failed).collect();
    (!undone.is_empty()).then(|| undone.join("; "))
}

impl From<&RestReason> for How {
    fn from(why: &RestReason) -> Self {
        match why {
            RestReason::Done | RestReason::Waiting { .. } => Self::Done,
            RestReason::Interrupted => Self::Interrupted,
            RestReason::Failed { what } => Self::Failed(what.clone()),
            RestReason::Limit { what } => Self::Limit(what.clone()),
        }
    }
}
