//! The whole team: its members with what they use, its tasks in short, and what happened last.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::Timestamp;
use teammate_view::TeamView;

use super::{
    TeamFacts,
    board::TaskCard,
    part::{Part, heading, member_link, moment},
    side::MemberLine,
};

/// So much of what happened is shown.
const RECENT_MAX: usize = 30;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TeamScreen {
    members: Vec<MemberLine>,
    /// Those that are in progress or failed.
    tasks: Vec<TaskCard>,
    recent: Vec<Recent>,
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
    pub(super) fn of(view: &TeamView, facts: &TeamFacts) -> Self {
        let recent = view.recent(RECENT_MAX).into_iter().rev();
        let recent = recent.map(|line| Recent {
            at: line.at.0,
            who: line.who.to_string(),
            text: line.text,
            receipt: line.receipt,
        });
        Self {
            members: MemberLine::all(view, facts),
            tasks: TaskCard::in_hand(view, facts),
            recent: recent.collect(),
        }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let mut parts = vec![Part::new("h2", "team.head", "", |html| {
            let busy = self.members.iter().filter(|member| !member.is_resting());
            html.text(&format!(
                "Team: {}, {} at it",
                self.members.len(),
                busy.count()
            ));
        })];
        parts.extend(self.members.iter().map(|member| {
            Part::new("div", format!("team-{}", member.name), "row", |html| {
                member.brief(html);
                let context = member.context.map(|percent| format!(" ctx {percent} %"));
                let about = format!(
                    " {}{} {}",
                    member.role,
                    context.unwrap_or_default(),
                    member.spent
                );
                html.line("span", &[("class", "dim")], &about);
            })
        }));
        if !self.tasks.is_empty() {
            parts.push(Part::new("div", "team.tasks", "", |html| {
                heading(html, "In hand");
                for task in &self.tasks {
                    html.element("div", &[("class", "row")], |html| task.brief(html));
                }
            }));
        }
        parts.push(Part::new("div", "team.recent", "", |html| {
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
        }));
        parts
    }
}
