//! The team: its members in their order with what they do and use, the tasks in progress, and what happened last.

use crate::t;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{Timestamp, team::TeamPause};

use super::{
    TeamFacts,
    board::{BoardLists, TaskCard},
    goal::GoalLines,
    room::{self, PAGE_MAX},
};
use crate::{
    ContextShare, ItemKind, RosterLine, Sign, TeamCounts, TeamView, known_amount,
    money::context_text, need_you,
};

/// So much of what happened is shown.
const RECENT_MAX: usize = 30;

/// The team in a few words, and its members.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SideScreen {
    /// The team's id.
    pub team_id: String,
    pub name: String,
    pub workspace: String,
    pub is_live: bool,
    /// The sentence for a team whose process has ended without a word.
    pub lost: Option<String>,
    /// How it goes on while nobody runs it and that is no accident; empty otherwise.
    pub way_on: String,
    /// The pause of the whole team: who ordered it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<String>,
    /// Since when it is paused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<u64>")]
    pub paused_since: Option<Timestamp>,
    /// How much waits for the user.
    pub needs: usize,
    pub spent: String,
    /// The latest moment that is known of, in milliseconds.
    pub now: u64,
    pub members: MemberLines,
}

/// Members with what they use, tasks and what happened last.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TeamScreen {
    /// What the team goes on for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<GoalLines>,
    pub members: MemberLines,
    /// The value of `before` that gives the next members.
    pub more: Option<u64>,
    /// Those that are in progress or failed, the first of them.
    pub tasks: Vec<TaskCard>,
    /// How many more of those there are.
    pub more_tasks: usize,
    /// The newest first.
    pub recent: Vec<RecentLine>,
    /// Whether these are the first members, with what else is on the screen.
    pub is_begin: bool,
}

/// The members: who needs the user comes first, then who failed, works, waits and rests.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MemberLines {
    /// How many there are.
    pub count: usize,
    /// How many of them rest.
    pub resting: usize,
    /// How many work, wait for the user, failed, wait for a machine and rest.
    #[schemars(with = "BTreeMap<String, usize>")]
    pub counts: TeamCounts,
    /// Some of them, in their order.
    pub lines: Vec<MemberLine>,
}

/// A member in a line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MemberLine {
    pub name: String,
    pub role: String,
    /// `needs you`, `failed`, `works`, `waits` or `rests`.
    pub state: &'static str,
    #[serde(skip)]
    pub sign: Sign,
    pub text: String,
    #[schemars(with = "Option<u64>")]
    pub since: Option<Timestamp>,
    /// How full its context is, in percent, with a mark if that is estimated.
    pub context: Option<String>,
    /// The same as a number.
    #[serde(skip)]
    pub context_share: Option<ContextShare>,
    /// The context in words; empty where nothing is known.
    #[serde(skip)]
    pub context_text: String,
    pub spent: String,
    /// The worker that holds it, where several run the team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
}

/// Something that happened lately.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RecentLine {
    #[schemars(with = "u64")]
    pub at: Timestamp,
    /// The member that did it.
    pub who: String,
    /// What, in a line.
    pub text: String,
    /// How far it came, of mail.
    pub receipt: &'static str,
}

impl MemberLines {
    /// Those from this place on, as many as are sent at once.
    pub fn of(view: &TeamView, facts: &TeamFacts, from: usize) -> Self {
        let roster = view.roster();
        let counts = TeamCounts::of(&roster);
        let shown = roster.iter().skip(from).take(PAGE_MAX);
        Self {
            count: counts.members,
            resting: counts.rest,
            counts,
            lines: shown
                .map(|line| MemberLine::of(line, view, facts))
                .collect(),
        }
    }
}

impl MemberLine {
    /// A line of the roster with what its member has used.
    pub fn of(line: &RosterLine, view: &TeamView, facts: &TeamFacts) -> Self {
        let spent = view.costs().of_member(view.team(), &line.name);
        let context = view.context(&line.name);
        Self {
            state: line.sign.word(),
            sign: line.sign,
            text: room::line(&line.text),
            role: room::line(&line.role),
            since: line.since,
            context_text: context.map(context_text).unwrap_or_default(),
            context: context.map(|share| share.to_string()),
            context_share: context,
            spent: known_amount(&facts.prices, &spent.models).unwrap_or_default(),
            name: line.name.to_string(),
            worker: line.worker.as_ref().map(ToString::to_string),
        }
    }
}

/// That nobody runs the team any more who had not said that it ends.
fn lost(view: &TeamView) -> Option<String> {
    let run = view.run().filter(|run| run.is_lost)?;
    let process = run.pid.map(|pid| t!(", process {pid},", pid));
    Some(t!(
        "The program that ran the team{process} has ended without a word: nothing goes on, and nothing can be answered here, until the team is resumed",
        process = process.unwrap_or_default()
    ))
}

impl SideScreen {
    /// The team now, with the first members.
    pub fn of(view: &TeamView, facts: &TeamFacts) -> Self {
        let team = view.team();
        Self {
            team_id: team.id().to_string(),
            name: team.name().to_owned(),
            workspace: facts.workspace.clone(),
            is_live: view.is_live(),
            lost: lost(view),
            way_on: match view.is_live() || lost(view).is_some() {
                true => String::new(),
                false => facts.way_on.clone(),
            },
            paused: team.pause().map(TeamPause::in_words),
            paused_since: team.pause().map(|pause| pause.since),
            needs: view.needs().len(),
            spent: view.spent(facts),
            now: view.now().0,
            members: MemberLines::of(view, facts, 0),
        }
    }

    /// The team in a line: members that work, needs of the user, and costs.
    pub fn in_words(&self) -> String {
        let members = self.members.counts.in_words("you");
        format!("{members}, {}, {}", need_you(self.needs), self.spent)
    }
}

impl TeamScreen {
    /// With all of it, or with the members that come next: they are numbered from the last to the first.
    pub fn of(view: &TeamView, facts: &TeamFacts, before: Option<u64>) -> Self {
        let count = view.team().members().count();
        let before = before.and_then(|before| usize::try_from(before).ok());
        let from = before.map_or(0, |before| (count + 1).saturating_sub(before));
        let members = MemberLines::of(view, facts, from);
        let end = from + members.lines.len();
        let lists = BoardLists::of(view.team());
        let in_hand = lists.in_progress.iter().chain(&lists.failed);
        let tasks: Vec<_> = in_hand
            .take(PAGE_MAX)
            .map(|task| TaskCard::of(view, facts, task))
            .collect();
        let mut recent = view.recent(RECENT_MAX);
        recent.reverse();
        Self {
            goal: GoalLines::of(view.team()),
            more: (end < count).then(|| (count + 1 - end) as u64),
            members,
            more_tasks: lists.in_progress.len() + lists.failed.len() - tasks.len(),
            tasks,
            recent,
            is_begin: before.is_none(),
        }
    }
}

impl TeamView {
    /// The last things that happened, newest last.
    pub fn recent(&self, most: usize) -> Vec<RecentLine> {
        let mut lines: Vec<RecentLine> = Vec::new();
        for (who, story) in self.stories() {
            let latest = story.items().iter().rev();
            let shown = latest.filter_map(|item| {
                Some(RecentLine {
                    at: item.at,
                    who: who.to_string(),
                    text: room::line(&item.what.line()?),
                    receipt: self.receipt(&item.what),
                })
            });
            let from = lines.len();
            lines.extend(shown.take(most));
            // In their order, which those of the same moment keep.
            lines[from..].reverse();
        }
        lines.sort_by(|a, b| a.at.cmp(&b.at).then_with(|| a.who.cmp(&b.who)));
        lines.split_off(lines.len().saturating_sub(most))
    }

    fn receipt(&self, what: &ItemKind) -> &'static str {
        let ItemKind::Sent { id, .. } = what else {
            return "";
        };
        self.mail().get(id).map_or("", |mail| mail.receipt.word())
    }
}
