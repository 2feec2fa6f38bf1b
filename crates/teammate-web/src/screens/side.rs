//! Always there: the team in a few words, and its members.

use teammate_view::{
    Sign, more,
    screens::team::{MemberLine, SideScreen},
};

use super::{
    Parts,
    part::{Part, member_link, since},
};
use crate::html::Html;

/// Sign, name, what it does, since when.
pub(super) fn brief(member: &MemberLine, html: &mut Html) {
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

impl Parts for SideScreen {
    fn parts(&self) -> Vec<Part> {
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
            html.line("span", &[("class", "dim")], &self.in_words());
        })];
        let count = self.needs.to_string();
        parts.push(Part::new("span", "count", "sr", |html| {
            html.line("data", &[("value", &count)], "");
        }));
        let members = &self.members;
        let (rest, busy): (Vec<_>, Vec<_>) = members
            .lines
            .iter()
            .partition(|member| member.sign == Sign::Rests);
        let hidden = more(members.count, members.lines.len());
        parts.extend(busy.into_iter().map(|member| {
            Part::new("div", format!("side-{}", member.name), "row", |html| {
                brief(member, html);
            })
        }));
        if !rest.is_empty() {
            parts.push(Part::new("div", "side.rest", "row dim", |html| {
                html.text(&members.counts.resting());
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
