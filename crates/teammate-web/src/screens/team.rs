//! The whole team: its members with what they use, its tasks in short, and what happened last. At its side, always there, the
//! team in a few words, and its members.

use teammate_view::t;
use teammate_view::{
    Sign, more as list_end,
    screens::{
        goal::GoalLines,
        team::{MemberLine, SideScreen, TeamScreen},
    },
};

use super::{
    ScreenParts, board,
    part::{PagePart, heading, left_out, member_link, moment, more, since},
};
use crate::html::Html;

/// Sign, name, what it does, since when.
fn brief(member: &MemberLine, html: &mut Html) {
    let class = match member.sign {
        Sign::NeedsYou => "sign need",
        Sign::Failed => "sign bad",
        Sign::Works => "sign good",
        Sign::Waits | Sign::Rests => "sign",
    };
    html.element(
        "span",
        &[("class", class), ("title", member.state)],
        |html| {
            html.line(
                "span",
                &[("aria-hidden", "true")],
                &member.sign.as_char().to_string(),
            );
            html.line("span", &[("class", "sr")], member.state);
        },
    );
    html.text(" ");
    member_link(html, &member.name);
    html.text(" ")
        .line("span", &[("class", "doing")], &member.text);
    if let Some(at) = member.since {
        html.text(" ");
        since(html, at);
    }
}

impl ScreenParts for SideScreen {
    fn parts(&self) -> Vec<PagePart> {
        let mut parts = vec![PagePart::new("p", "state", "state", |html| {
            html.line("strong", &[], &self.name).text(" ");
            html.line("span", &[("class", "dim")], &self.workspace)
                .text(" ");
            let (class, word) = match self.is_live {
                true => ("good", t("live")),
                false => ("bad", t("not running")),
            };
            let mut attributes = vec![("class", class), ("id", "alive")];
            // The page says it where the reader looks, and takes no answers.
            attributes.extend(self.lost.as_deref().map(|lost| ("data-lost", lost)));
            if !self.way_on.is_empty() {
                attributes.push(("data-closed", &self.way_on));
            }
            html.line("span", &attributes, word).text(" ");
            if let Some(paused) = &self.paused {
                html.element("span", &[("class", "need"), ("id", "held")], |html| {
                    html.text(paused);
                    if let Some(at) = self.paused_since {
                        html.text(" ");
                        since(html, at);
                    }
                });
                html.text(" ");
            }
            html.line("span", &[("class", "dim")], &self.in_words());
        })];
        let count = self.needs.to_string();
        parts.push(PagePart::new("span", "count", "sr", |html| {
            html.line("data", &[("value", &count)], "");
        }));
        let members = &self.members;
        let (rest, busy): (Vec<_>, Vec<_>) = members
            .lines
            .iter()
            .partition(|member| member.sign == Sign::Rests);
        let hidden = list_end(members.count, members.lines.len());
        parts.extend(busy.into_iter().map(|member| {
            PagePart::new("div", format!("side-{}", member.name), "row", |html| {
                brief(member, html);
            })
        }));
        if !rest.is_empty() {
            parts.push(PagePart::new("div", "side.rest", "row dim", |html| {
                html.text(&members.counts.resting());
                for member in rest {
                    member_link(html, &member.name);
                    html.text(" ");
                }
            }));
        }
        if let Some(hidden) = hidden {
            parts.push(PagePart::new("div", "side.more", "row dim", |html| {
                html.text(&t!("{hidden}: the screen Team lists them", hidden));
            }));
        }
        parts
    }
}

impl ScreenParts for TeamScreen {
    fn parts(&self) -> Vec<PagePart> {
        let mut parts = Vec::new();
        if self.is_begin {
            parts.extend(self.goal.as_ref().map(goal));
            parts.push(head(self));
        }
        parts.extend(self.members.lines.iter().map(row));
        if self.is_begin {
            parts.extend(in_hand(self));
            parts.push(just_now(self));
        }
        let label = t("More members");
        parts.extend(self.more.map(|before| more("team.more", before, label)));
        parts
    }
}

fn head(team: &TeamScreen) -> PagePart {
    PagePart::new("h2", "team.head", "", |html| {
        html.text(&team.members.counts.title(t("you")));
    })
}

fn goal(goal: &GoalLines) -> PagePart {
    PagePart::new("div", "team.goal", "", |html| {
        heading(html, t("Goal"));
        html.line("div", &[("class", "row")], &goal.title);
        let class = if goal.is_missed { "row bad" } else { "row dim" };
        html.line("div", &[("class", class)], &goal.progress);
    })
}

fn in_hand(team: &TeamScreen) -> Option<PagePart> {
    let part = || {
        PagePart::new("div", "team.tasks", "", |html| {
            heading(html, t("In hand"));
            for task in &team.tasks {
                html.element("div", &[("class", "row")], |html| board::brief(task, html));
            }
            left_out(html, team.more_tasks, t("more: the screen Board has them"));
        })
    };
    (!team.tasks.is_empty()).then(part)
}

fn just_now(team: &TeamScreen) -> PagePart {
    PagePart::new("div", "team.recent", "", |html| {
        heading(html, t("Just now"));
        for line in &team.recent {
            html.element("div", &[("class", "row")], |html| {
                moment(html, line.at);
                html.text(" ");
                member_link(html, &line.who);
                html.text(" ")
                    .line("span", &[("class", "doing")], &line.text);
                html.line("span", &[("class", "dim")], &format!(" {}", line.receipt));
            });
        }
    })
}

/// A member with what it uses.
fn row(member: &MemberLine) -> PagePart {
    PagePart::new("div", format!("team-{}", member.name), "row", |html| {
        brief(member, html);
        let worker = member.worker.as_ref();
        let worker = worker.map(|worker| t!(" on worker {worker}", worker));
        let about = format!(
            " {}{} {} {}",
            member.role,
            worker.unwrap_or_default(),
            member.context_text,
            member.spent
        );
        html.line("span", &[("class", "dim")], &about);
    })
}
