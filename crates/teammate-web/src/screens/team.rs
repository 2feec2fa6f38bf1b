//! The whole team: its members with what they use, its tasks in short, and what happened last.

use teammate_view::screens::team::{MemberLine, TeamScreen};

use super::{
    Parts,
    board::brief as brief_task,
    part::{Part, heading, left_out, member_link, moment, more},
    side::brief,
};

impl Parts for TeamScreen {
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        if self.is_begin {
            parts.push(head(self));
        }
        parts.extend(self.members.lines.iter().map(row));
        if self.is_begin {
            parts.extend(in_hand(self));
            parts.push(just_now(self));
        }
        let label = "More members";
        parts.extend(self.more.map(|before| more("team.more", before, label)));
        parts
    }
}

fn head(team: &TeamScreen) -> Part {
    Part::new("h2", "team.head", "", |html| {
        html.text(&team.members.counts.title("you"));
    })
}

fn in_hand(team: &TeamScreen) -> Option<Part> {
    let part = || {
        Part::new("div", "team.tasks", "", |html| {
            heading(html, "In hand");
            for task in &team.tasks {
                html.element("div", &[("class", "row")], |html| brief_task(task, html));
            }
            left_out(html, team.more_tasks, "more: the screen Board has them");
        })
    };
    (!team.tasks.is_empty()).then(part)
}

fn just_now(team: &TeamScreen) -> Part {
    Part::new("div", "team.recent", "", |html| {
        heading(html, "Just now");
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
fn row(member: &MemberLine) -> Part {
    Part::new("div", format!("team-{}", member.name), "row", |html| {
        brief(member, html);
        let worker = member.worker.as_ref();
        let worker = worker.map(|worker| format!(" on worker {worker}"));
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
