//! The side of every screen: the team in a line, and each member in one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::Timestamp;
use teammate_view::{RosterLine, Sign, TeamCounts, TeamView, known_amount, money_or_tokens, more};

use super::{
    TeamFacts,
    part::{Part, member_link, since},
    room::{self, PAGE_MAX},
};
use crate::html::Html;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SideScreen {
    /// The team's id.
    team_id: String,
    name: String,
    workspace: String,
    is_live: bool,
    /// What to say where the process that ran the team has ended without a word.
    lost: Option<String>,
    /// How much waits for the user.
    needs: usize,
    spent: String,
    /// The latest moment that is known of, in milliseconds.
    now: u64,
    members: MemberLines,
}

/// The members: who needs the user comes first, then who failed, works, waits and rests.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MemberLines {
    /// How many there are.
    pub(super) count: usize,
    /// How many of them rest.
    pub(super) resting: usize,
    /// How many work, wait for the user, failed, wait for a machine and rest.
    #[schemars(with = "BTreeMap<String, usize>")]
    pub(super) counts: TeamCounts,
    /// Some of them, in their order.
    pub(super) lines: Vec<MemberLine>,
}

/// A member in a line.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MemberLine {
    pub(super) name: String,
    pub(super) role: String,
    /// `needs you`, `failed`, `works`, `waits` or `rests`.
    pub(super) state: &'static str,
    #[serde(skip)]
    sign: char,
    pub(super) text: String,
    /// Milliseconds.
    pub(super) since: Option<u64>,
    /// How full its context is, in percent, with a mark if that is estimated.
    pub(super) context: Option<String>,
    pub(super) spent: String,
    /// The worker that holds it, where several run the team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) worker: Option<String>,
}

impl MemberLines {
    /// Those from this place on, as many as are sent at once.
    pub(super) fn of(view: &TeamView, facts: &TeamFacts, from: usize) -> Self {
        let roster = view.roster();
        let counts = TeamCounts::of(&roster);
        let shown = roster.into_iter().skip(from).take(PAGE_MAX);
        Self {
            count: counts.members,
            resting: counts.rest,
            counts,
            lines: shown
                .map(|line| MemberLine::of(&line, view, facts))
                .collect(),
        }
    }
}

impl MemberLine {
    fn of(line: &RosterLine, view: &TeamView, facts: &TeamFacts) -> Self {
        let spent = view.costs().of_member(view.team(), &line.name);
        Self {
            state: line.sign.word(),
            sign: line.sign.as_char(),
            text: room::line(&line.text),
            role: room::line(&line.role),
            since: line.since.map(|at| at.0),
            context: view.context(&line.name).map(|share| share.to_string()),
            spent: known_amount(&facts.prices, &spent.models).unwrap_or_default(),
            name: line.name.to_string(),
            worker: line.worker.as_ref().map(ToString::to_string),
        }
    }

    pub(super) fn is_resting(&self) -> bool {
        self.state == Sign::Rests.word()
    }

    /// Sign, name, what it does, since when.
    pub(super) fn brief(&self, html: &mut Html) {
        let class = match self.sign {
            '!' => "sign need",
            'x' => "sign bad",
            '>' => "sign good",
            _ => "sign",
        };
        html.element("span", &[("class", class), ("title", self.state)], |html| {
            html.line("span", &[("aria-hidden", "true")], &self.sign.to_string());
            html.line("span", &[("class", "sr")], self.state);
        });
        html.text(" ");
        member_link(html, &self.name);
        html.text(" ")
            .line("span", &[("class", "doing")], &self.text);
        if let Some(at) = self.since {
            html.text(" ");
            since(html, Timestamp(at));
        }
    }
}

/// That nobody runs the team any more who had not said that it ends.
fn lost(view: &TeamView) -> Option<String> {
    let run = view.run().filter(|run| run.is_lost)?;
    let process = run.pid.map(|pid| format!(", process {pid},"));
    Some(format!(
        "The program that ran the team{} has ended without a word: nothing goes on, and nothing can be answered here, until the team is resumed",
        process.unwrap_or_default()
    ))
}

impl SideScreen {
    pub(super) fn of(view: &TeamView, facts: &TeamFacts) -> Self {
        let team = view.team();
        let spending = view.costs().spending(team);
        Self {
            team_id: team.id().to_string(),
            name: team.name().to_owned(),
            workspace: facts.workspace.clone(),
            is_live: view.is_live(),
            lost: lost(view),
            needs: view.needs().len(),
            spent: money_or_tokens(&facts.prices, &spending.models()),
            now: view.now().0,
            members: MemberLines::of(view, facts, 0),
        }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let mut parts = vec![Part::new("p", "state", "state", |html| {
            html.line("strong", &[], &self.name).text(" ");
            html.line("span", &[("class", "dim")], &self.workspace)
                .text(" ");
            let (class, word) = match self.is_live {
                true => ("good", "live"),
                false => ("bad", "not running"),
            };
            let mut attributes = vec![("class", class), ("id", "alive")];
            // The page says it where the reader looks, and takes no answers.
            attributes.extend(self.lost.as_deref().map(|lost| ("data-lost", lost)));
            html.line("span", &attributes, word).text(" ");
            let needs = match self.needs {
                0 => "nothing needs you".to_owned(),
                1 => "1 needs you".to_owned(),
                count => format!("{count} need you"),
            };
            html.line(
                "span",
                &[("class", "dim")],
                &format!(
                    "{}, {needs}, {}",
                    self.members.counts.in_words("you"),
                    self.spent
                ),
            );
        })];
        let count = self.needs.to_string();
        parts.push(Part::new("span", "count", "sr", |html| {
            html.line("data", &[("value", &count)], "");
        }));
        let members = &self.members;
        let (rest, busy): (Vec<_>, Vec<_>) = members.lines.iter().partition(|m| m.is_resting());
        let hidden = more(members.count, members.lines.len());
        parts.extend(busy.into_iter().map(|member| {
            Part::new("div", format!("side-{}", member.name), "row", |html| {
                member.brief(html);
            })
        }));
        if !rest.is_empty() {
            parts.push(Part::new("div", "side.rest", "row dim", |html| {
                html.text(&format!("- {} rest: ", members.resting));
                for member in rest {
                    member_link(html, &member.name);
                    html.text(" ");
                }
            }));
        }
        if let Some(hidden) = hidden {
            parts.push(Part::new("div", "side.more", "row dim", |html| {
                html.text(&format!("{hidden}: the screen Team lists them"));
            }));
        }
        parts
    }
}
