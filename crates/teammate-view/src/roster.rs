//! One line for each member: what it does, since when, and what it needs.

use crate::language::translated_sentence;
use crate::t;
use teammate_core::{
    MemberName, Timestamp,
    event::WaitsOn,
    name::WorkerName,
    team::{Member, MemberPhase},
    transcript::EndReason,
};

use crate::{DoingKind, Need, NeedKind, TeamView};

/// How a member is, as one sign and one word. Colour only comes besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    NeedsYou,
    Failed,
    Works,
    /// It waits for a machine.
    Waits,
    /// It is between turns, or stopped.
    Rests,
}

impl Sign {
    /// The sign.
    pub fn as_char(self) -> char {
        match self {
            Self::NeedsYou => '!',
            Self::Failed => 'x',
            Self::Works => '>',
            Self::Waits => '~',
            Self::Rests => '-',
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::NeedsYou => t("needs you"),
            Self::Failed => t("failed"),
            Self::Works => t("works"),
            Self::Waits => t("waits"),
            Self::Rests => t("rests"),
        }
    }
}

/// A member's line.
#[derive(Debug, Clone, PartialEq)]
pub struct RosterLine {
    pub sign: Sign,
    pub name: MemberName,
    pub role: String,
    /// The activity, in a line.
    pub text: String,
    pub since: Option<Timestamp>,
    /// The worker that holds it, where several run the team.
    pub worker: Option<WorkerName>,
}

impl TeamView {
    /// All members: who needs the user comes first, then who failed, works, waits and rests.
    pub fn roster(&self) -> Vec<RosterLine> {
        let needs = self.needs();
        let mut lines: Vec<RosterLine> = self
            .team()
            .members()
            .map(|member| self.roster_line(member, &needs))
            .collect();
        lines.sort_by_key(|line| line.sign);
        lines
    }

    /// The line of a member that is in the middle of something.
    pub fn at_work(&self, name: &MemberName) -> Option<RosterLine> {
        let story = self.story(name).filter(|_| self.is_live());
        story.and_then(|story| story.doing())?;
        let member = self.team().member(name)?;
        Some(self.roster_line(member, &self.needs()))
    }

    fn roster_line(&self, member: &Member, needs: &[Need]) -> RosterLine {
        let mut mine = needs.iter();
        let need = mine.find(|need| need.member.as_ref() == Some(&member.name));
        let (sign, text, since) = need
            .and_then(asking)
            .or_else(|| self.cut_off(member))
            .or_else(|| self.doing_of(member))
            .or_else(|| self.waiting(member))
            .unwrap_or_else(|| resting(member));
        RosterLine {
            sign,
            name: member.name.clone(),
            role: member.role_and_engine(),
            text,
            since,
            worker: self.worker_of(&member.name).cloned(),
        }
    }

    /// A member in a turn whose worker does not answer: another one goes on with it soon, if one can.
    fn cut_off(&self, member: &Member) -> Option<(Sign, String, Option<Timestamp>)> {
        let worker = self.worker_of(&member.name)?;
        let is_cut_off =
            member.phase.is_busy() && self.is_live() && self.presence().silent.contains(worker);
        is_cut_off.then(|| {
            (
                Sign::Waits,
                t!("worker '{worker}' does not answer", worker),
                None,
            )
        })
    }

    fn doing_of(&self, member: &Member) -> Option<(Sign, String, Option<Timestamp>)> {
        if !member.phase.is_busy() {
            return None;
        }
        if !self.is_live() {
            return Some((Sign::Rests, t("paused").to_owned(), None));
        }
        let Some(doing) = self.story(&member.name).and_then(|story| story.doing()) else {
            let text = match member.phase {
                MemberPhase::Starting if member.name.is_lead() => return None,
                _ => translated_sentence(&member.phase.describe()).into_owned(),
            };
            return Some((Sign::Works, text, None));
        };
        let task = self.team().board().task_of(&member.name);
        let of_task = task.map_or_else(String::new, |task| format!("{} ", task.id));
        let (sign, text) = match &doing.what {
            DoingKind::Asks { round } => (Sign::Works, t!("asks its model, round {round}", round)),
            DoingKind::Writes => (Sign::Works, t("writes").to_owned()),
            DoingKind::Retries {
                why,
                attempt,
                until,
            } => {
                let seconds = until.millis_since(self.now()).div_ceil(1_000);
                (
                    Sign::Waits,
                    t!("try {attempt} in {seconds} s: {why}", attempt, seconds, why),
                )
            }
            DoingKind::Runs { tool, summary, .. } => {
                let text = match &doing.progress {
                    Some(progress) => format!("{tool}: {progress}"),
                    None => format!("{tool} {summary}"),
                };
                (Sign::Works, text)
            }
            DoingKind::WaitsFor { .. } => (Sign::NeedsYou, t("waits for your answer").to_owned()),
        };
        Some((sign, format!("{of_task}{text}"), Some(doing.since)))
    }

    /// A member between turns that waits for something that comes by itself.
    fn waiting(&self, member: &Member) -> Option<(Sign, String, Option<Timestamp>)> {
        let waits = self.story(&member.name)?.waits()?;
        let id = waits.id.as_deref().unwrap_or_default();
        let (sign, what) = match waits.on {
            WaitsOn::Task => (Sign::Rests, t!("waits for task {id}", id)),
            WaitsOn::Job => (Sign::Waits, t!("waits for {id} in the background", id)),
            WaitsOn::Model => (Sign::Waits, t("waits for its model").to_owned()),
            // A need says it, or it is how every member rests.
            WaitsOn::Permission | WaitsOn::Plan | WaitsOn::Budget | WaitsOn::Mail => return None,
        };
        let is_idle = matches!(member.phase, MemberPhase::Idle { .. });
        (is_idle && self.is_live()).then(|| (sign, member.with_remark(what), Some(waits.since)))
    }
}

fn asking(need: &Need) -> Option<(Sign, String, Option<Timestamp>)> {
    let sign = match &need.kind {
        NeedKind::Permission(_)
        | NeedKind::Plan(_)
        | NeedKind::LimitedMember(_)
        | NeedKind::UnplacedMember(_) => Sign::NeedsYou,
        NeedKind::FailedMember(_) => Sign::Failed,
        NeedKind::FailedTask(_) | NeedKind::MissedGoal(_) => return None,
    };
    Some((
        sign,
        format!("{}: {}", need.kind.word(), need.subject()),
        need.since,
    ))
}

fn resting(member: &Member) -> (Sign, String, Option<Timestamp>) {
    let text = match &member.phase {
        MemberPhase::Starting => t("has nothing to do yet").to_owned(),
        MemberPhase::Idle {
            why: EndReason::Done,
            ..
        } => member.with_remark(t("rests").to_owned()),
        phase => member.with_remark(translated_sentence(&phase.describe()).into_owned()),
    };
    (Sign::Rests, text, None)
}
