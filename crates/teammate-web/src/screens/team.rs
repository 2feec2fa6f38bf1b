//! The whole team: its members with what they use, its tasks in short, and what happened last.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::Timestamp;
use teammate_view::TeamView;

use super::{
    TeamFacts,
    board::TaskCard,
    part::{Part, heading, member_link, moment, more},
    room::{self, PAGE_MAX},
    side::{MemberLine, MemberLines},
};

/// So much of what happened is shown.
const RECENT_MAX: usize = 30;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TeamScreen {
    members: MemberLines,
    /// What `before` has to be for the next members.
    more: Option<u64>,
    /// Those that are in progress or failed, the first of them.
    tasks: Vec<TaskCard>,
    /// How many more of those there are.
    more_tasks: usize,
    recent: Vec<Recent>,
    /// Whether these are the first members, with what else is on the screen.
    is_begin: bool,
}

/// Something that happened.
#[derive(Debug, Serialize, JsonSchema)]
struct Recent {
    at: u64,
    who: String,
    text: String,
    /// How far it came, of mail.
    receipt: &'static str,
}

impl TeamScreen {
    /// With all of it, or with the members that come next: they are numbered from the last to the first.
    pub(super) fn of(view: &TeamView, facts: &TeamFacts, before: Option<u64>) -> Self {
        let count = view.team().members().count();
        let before = before.and_then(|before| usize::try_from(before).ok());
        let from = before.map_or(0, |before| (count + 1).saturating_sub(before));
        let members = MemberLines::of(view, facts, from);
        let end = from + members.lines.len();
        let recent = view.recent(RECENT_MAX).into_iter().rev();
        let recent = recent.map(|line| Recent {
            at: line.at.0,
            who: line.who.to_string(),
            text: room::line(&line.text),
            receipt: line.receipt,
        });
        let (tasks, in_hand) = TaskCard::in_hand(view, facts, PAGE_MAX);
        Self {
            more: (end < count).then(|| (count + 1 - end) as u64),
            members,
            more_tasks: in_hand.saturating_sub(tasks.len()),
            tasks,
            recent: recent.collect(),
            is_begin: before.is_none(),
        }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        if self.is_begin {
            parts.push(self.head());
        }
        parts.extend(self.members.lines.iter().map(row));
        if self.is_begin {
            parts.extend(self.in_hand());
            parts.push(self.just_now());
        }
        let label = "More members";
        parts.extend(self.more.map(|before| more("team.more", before, label)));
        parts
    }

    fn head(&self) -> Part {
        Part::new("h2", "team.head", "", |html| {
            html.text(&self.members.counts.title("you"));
        })
    }

    fn in_hand(&self) -> Option<Part> {
        let part = || {
            Part::new("div", "team.tasks", "", |html| {
                heading(html, "In hand");
                for task in &self.tasks {
                    html.element("div", &[("class", "row")], |html| task.brief(html));
                }
                if self.more_tasks > 0 {
                    let more = format!("{} more: the screen Board has them", self.more_tasks);
                    html.line("p", &[("class", "dim")], &more);
                }
            })
        };
        (!self.tasks.is_empty()).then(part)
    }

    fn just_now(&self) -> Part {
        Part::new("div", "team.recent", "", |html| {
            heading(html, "Just now");
            for line in &self.recent {
                html.element("div", &[("class", "row")], |html| {
                    moment(html, Timestamp(line.at));
                    html.text(" ");
                    member_link(html, &line.who);
                    html.text(" ")
                        .line("span", &[("class", "doing")], &line.text);
                    html.line("span", &[("class", "dim")], &format!(" {}", line.receipt));
                });
            }
        })
    }
}

/// A member with what it uses.
fn row(member: &MemberLine) -> Part {
    Part::new("div", format!("team-{}", member.name), "row", |html| {
        member.brief(html);
        let context = member
            .context
            .as_ref()
            .map(|percent| format!(" ctx {percent} %"));
        let worker = member.worker.as_ref();
        let worker = worker.map(|worker| format!(" on worker {worker}"));
        let about = format!(
            " {}{}{} {}",
            member.role,
            worker.unwrap_or_default(),
            context.unwrap_or_default(),
            member.spent
        );
        html.line("span", &[("class", "dim")], &about);
    })
}
