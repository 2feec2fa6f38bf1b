//! Who writes to whom, and who did what when, as data: the page draws it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::Sender;
use teammate_view::{ItemKind, Story, TeamView};

use super::{
    TeamFacts,
    part::Part,
    room::{PAGE_MAX, line},
    side::{MemberLine, MemberLines},
};

/// So many members are drawn: more in a circle are a smear.
const MEMBERS_MAX: usize = 48;

/// So many pieces of time of a member are drawn.
const SPANS_MAX: usize = 200;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GraphScreen {
    /// The first members: those that need the user, then those at work, then idle ones.
    members: Vec<MemberLine>,
    /// How many more there are, which are not drawn.
    more: usize,
    /// How often somebody wrote to somebody, among the latest messages.
    letters: Vec<Letters>,
    lanes: Vec<Lane>,
    from: u64,
    to: u64,
}

/// Mail from one to another.
#[derive(Debug, Serialize, JsonSchema)]
struct Letters {
    from: String,
    to: String,
    count: u64,
    /// How many of them nobody has heard.
    queued: u64,
    /// When the last one was sent.
    last: u64,
}

/// What a member did, in time.
#[derive(Debug, Serialize, JsonSchema)]
struct Lane {
    member: String,
    spans: Vec<Span>,
}

/// A piece of time.
#[derive(Debug, Serialize, JsonSchema)]
struct Span {
    from: u64,
    to: u64,
    /// `turn`, `tool`, `failed` or `asks`.
    kind: &'static str,
    text: String,
}

impl GraphScreen {
    pub(super) fn of(view: &TeamView) -> Self {
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
            entry.queued += u64::from(mail.receipt == teammate_view::Receipt::Queued);
            entry.last = entry.last.max(mail.at.0);
        }
        let now = view.now().0;
        let MemberLines {
            count, mut lines, ..
        } = MemberLines::of(view, &TeamFacts::default(), 0);
        lines.truncate(MEMBERS_MAX);
        let is_drawn = |name: &str| lines.iter().any(|line| line.name == name);
        let lanes: Vec<Lane> = view
            .stories()
            .filter(|(member, _)| is_drawn(member.as_str()))
            .map(|(member, story)| Lane {
                member: member.to_string(),
                spans: spans(story, now),
            })
            .collect();
        let begins = lanes
            .iter()
            .flat_map(|lane| &lane.spans)
            .map(|span| span.from);
        Self {
            more: count - lines.len(),
            members: lines,
            letters: letters.into_values().collect(),
            from: begins.min().unwrap_or(now),
            to: now,
            lanes,
        }
    }

    /// Only where it is drawn.
    pub(super) fn parts(&self) -> Vec<Part> {
        vec![
            Part::new("div", "graph.members", "drawn", |_| {}),
            Part::new("div", "graph.time", "drawn", |_| {}),
        ]
    }
}

/// Turns, from what was heard to their end, and the calls in them; the newest, in their order.
fn spans(story: &Story, now: u64) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut turn: Option<u64> = None;
    for item in story.items() {
        let at = item.at.0;
        match &item.what {
            ItemKind::Rested { .. } => {
                let from = turn.take().unwrap_or(at);
                spans.push(Span {
                    from,
                    to: at,
                    kind: "turn",
                    text: line(&item.what.line().unwrap_or_default()),
                });
            }
            ItemKind::Stopped { .. } => turn = None,
            ItemKind::Called(call) => {
                turn.get_or_insert(at);
                let (to, kind) = match &call.ended {
                    Some(end) if end.ok => (at + end.took_ms, "tool"),
                    Some(end) => (at + end.took_ms, "failed"),
                    None => (now, "tool"),
                };
                spans.push(Span {
                    from: at,
                    to,
                    kind,
                    text: line(&call.line()),
                });
            }
            ItemKind::Request { text } => {
                spans.push(Span {
                    from: at,
                    to: at,
                    kind: "asks",
                    text: line(text),
                });
            }
            ItemKind::Heard { .. } | ItemKind::Said { .. } | ItemKind::Sent { .. } => {
                turn.get_or_insert(at);
            }
            ItemKind::Began { .. }
            | ItemKind::Subagent { .. }
            | ItemKind::Compacted { .. }
            | ItemKind::Task { .. }
            | ItemKind::Model { .. }
            | ItemKind::Note { .. } => {}
        }
    }
    if let Some(from) = turn.filter(|_| story.doing().is_some()) {
        spans.push(Span {
            from,
            to: now,
            kind: "turn",
            text: "works".to_owned(),
        });
    }
    let first = spans.len().saturating_sub(SPANS_MAX);
    spans.split_off(first)
}
