//! The graph of who writes to whom, and who did what when, in time.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{MemberName, Sender, Timestamp};

use super::{
    TeamFacts,
    room::{PAGE_MAX, line},
    team::MemberLine,
};
use crate::{Receipt, Story, TeamView};

/// So many members are drawn, each with its name; of a line for each more are a smear.
const MEMBERS_MAX: usize = 128;

/// So many pieces of time of a member are drawn.
const SPANS_MAX: usize = 200;

/// The mail between members, and the time of each.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GraphScreen {
    /// The lead, then the first members: those that need the user, then those at work, then idle ones.
    pub members: Vec<MemberLine>,
    /// How many more there are, which are not drawn.
    pub more: usize,
    /// How often somebody wrote to somebody, among the latest messages.
    pub letters: Vec<Letters>,
    /// How many older messages do not count among them.
    pub older_letters: usize,
    pub lanes: Vec<Lane>,
    pub from: u64,
    pub to: u64,
}

/// Mail from one to another.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Letters {
    pub from: String,
    pub to: String,
    pub count: u64,
    /// How many of them nobody has heard.
    pub queued: u64,
    /// When the last one was sent.
    pub last: u64,
}

/// The time line of a member.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Lane {
    pub member: String,
    /// How many older pieces there are, which are not drawn.
    pub older: usize,
    pub spans: Vec<LaneSpan>,
}

/// A piece of time.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LaneSpan {
    pub from: u64,
    pub to: u64,
    /// `turn`, `tool`, `failed`, `refused`, or `waits`: the user was waited for, and no call ran.
    pub kind: &'static str,
    pub text: String,
}

impl GraphScreen {
    /// The latest mail and pieces of time of this view.
    pub fn of(view: &TeamView) -> Self {
        let mut letters: BTreeMap<(String, String), Letters> = BTreeMap::new();
        for mail in view.mail().iter().rev().take(PAGE_MAX) {
            let from = match &mail.from {
                Sender::User => "you".to_owned(),
                Sender::Member(name) => name.to_string(),
                Sender::System | Sender::Unverified(_) => continue,
            };
            let key = (from.clone(), mail.to.to_string());
            let to = mail.to.to_string();
            let entry = letters.entry(key).or_insert(Letters {
                from,
                to,
                count: 0,
                queued: 0,
                last: 0,
            });
            entry.count += 1;
            entry.queued += u64::from(mail.receipt == Receipt::Queued);
            entry.last = entry.last.max(mail.at.0);
        }
        let now = view.now();
        let roster = view.roster();
        let count = roster.len();
        let (lead, others): (Vec<_>, Vec<_>) =
            roster.into_iter().partition(|line| line.name.is_lead());
        let drawn = lead.iter().chain(&others).take(MEMBERS_MAX);
        let facts = TeamFacts::default();
        let lines: Vec<MemberLine> = drawn
            .map(|line| MemberLine::of(line, view, &facts))
            .collect();
        let is_drawn = |name: &str| lines.iter().any(|line| line.name == name);
        let lanes: Vec<Lane> = view
            .stories()
            .filter(|(member, _)| is_drawn(member.as_str()))
            .map(|(member, story)| lane(member, story, now))
            .collect();
        let begins = lanes
            .iter()
            .flat_map(|lane| &lane.spans)
            .map(|span| span.from);
        Self {
            more: count - lines.len(),
            members: lines,
            older_letters: view.mail().iter().len().saturating_sub(PAGE_MAX),
            letters: letters.into_values().collect(),
            from: begins.min().unwrap_or(now.0),
            to: now.0,
            lanes,
        }
    }
}

/// The newest pieces of a member's time, and how many older ones there are.
fn lane(member: &MemberName, story: &Story, now: Timestamp) -> Lane {
    let mut all = story.spans(now);
    let older = all.len().saturating_sub(SPANS_MAX);
    let spans = all.split_off(older).into_iter().map(|span| LaneSpan {
        from: span.from.0,
        to: span.to.0,
        kind: span.kind.as_str(),
        text: line(&span.text),
    });
    Lane {
        member: member.to_string(),
        older,
        spans: spans.collect(),
    }
}
