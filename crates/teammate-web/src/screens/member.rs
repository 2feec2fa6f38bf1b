//! One member: what it heard, said and did, newest at the end, and what it writes now.

use teammate_core::Timestamp;
use teammate_view::t;
use teammate_view::{
    CallState, Story,
    diff::read_diff,
    markdown::{parse, parse_message, parse_unfinished},
    screens::member::{EntryCall, EntryKind, MemberScreen, StoryEntry},
};

use super::{
    ScreenParts,
    part::{PagePart, left_out, moment_of, older, since},
};
use crate::{html::Html, markup};

fn part(entry: &StoryEntry, member: &str) -> PagePart {
    let class = match entry.kind {
        EntryKind::Heard => "entry heard",
        EntryKind::Said => "entry said",
        EntryKind::Failed => "entry bad",
        EntryKind::Request => "entry need",
        EntryKind::Call => "entry call",
        EntryKind::Sent | EntryKind::Subagent | EntryKind::Task | EntryKind::Note => "entry dim",
    };
    let id = format!("entry-{member}-{}", entry.number);
    let address = format!("/m/{member}#{id}");
    PagePart::new("div", id, class, |html| match (&entry.call, &entry.from) {
        (Some(call), _) => show(call, html, member, entry.number),
        (None, Some(from)) => {
            html.element("p", &[("class", "head")], |html| {
                moment_of(html, Timestamp(entry.at), &address);
                html.line("b", &[], &t!(" heard from {from}", from));
            });
            markup::blocks(html, &parse_message(&entry.text));
        }
        (None, None) if entry.kind == EntryKind::Said => {
            markup::blocks(html, &parse(&entry.text));
        }
        (None, None) => {
            moment_of(html, Timestamp(entry.at), &address);
            html.text(" ").theirs(&entry.text);
        }
    })
}

fn show(call: &EntryCall, html: &mut Html, member: &str, number: u64) {
    let address = format!("/h/call/{member}/{number}");
    html.element("details", &[("data-inside", &address)], |html| {
        html.element("summary", &[], |html| {
            let class = match call.state {
                CallState::Done | CallState::Runs => "good",
                CallState::Failed => "bad",
                CallState::Refused => "refused",
                CallState::Waits => "need",
                CallState::Cut => "dim",
            };
            let hidden = [("class", class), ("aria-hidden", "true")];
            html.line("span", &hidden, call.state.sign());
            let by = call.subagent.as_ref().map(|kind| format!("({kind}) "));
            html.text(" ").text(&by.unwrap_or_default());
            html.line("b", &[], &call.tool)
                .text(" ")
                .theirs(&call.summary)
                .text("  ");
            html.line("span", &[("class", class)], &call.ended);
        });
    });
    if call.pictures > 0 {
        html.element("p", &[("class", "pictures")], |html| {
            for which in 0..call.pictures {
                let address = format!("/p/{member}/{number}/{which}");
                let label = format!("Picture {} of {}", which + 1, call.pictures);
                html.line(
                    "button",
                    &[("data-picture", &address), ("type", "button")],
                    &label,
                );
            }
        });
    }
    for question in &call.asked {
        let class = if question.is_open { "need" } else { "dim" };
        html.line("p", &[("class", class)], &question.text);
    }
    if let Some(beginning) = &call.diff {
        markup::diff(html, &read_diff(beginning));
        let words = if call.more == 1 {
            t("line more")
        } else {
            t("lines more")
        };
        left_out(html, call.more, &t!("{words}: open the call", words));
    }
}

/// The inside of a call: arguments, output and changes, as far as its events hold them; nothing if there is no such call.
pub(crate) fn call(story: &Story, number: u64) -> Option<Html> {
    let mut entries = story.numbered();
    let (_, item) = entries.find(|(known, _)| *known == number)?;
    let call = item.call()?;
    let mut html = Html::default();
    html.element("div", &[("class", "inside")], |html| {
        if let Some(input) = &call.input {
            html.line("p", &[("class", "dim")], t("given"));
            html.line("pre", &[("tabindex", "0")], input);
        }
        let Some(end) = &call.ended else { return };
        match (&end.change, &end.output) {
            (Some(change), _) => markup::diff(html, &read_diff(&change.diff)),
            (None, Some(output)) => {
                html.line("p", &[("class", "dim")], t("came of it"));
                html.line("pre", &[("tabindex", "0")], &output.head);
                if !output.tail.is_empty() {
                    html.line(
                        "p",
                        &[("class", "dim")],
                        t("… what is between is not in the event"),
                    );
                    html.line("pre", &[("tabindex", "0")], &output.tail);
                }
            }
            (None, None) => {
                html.line("p", &[], &end.summary);
            }
        }
        if let Some(file) = &end.file {
            html.line(
                "p",
                &[("class", "dim")],
                &t!("all of it is in {file}", file),
            );
        }
    });
    Some(html)
}

impl ScreenParts for MemberScreen {
    fn parts(&self) -> Vec<PagePart> {
        let name = &self.name;
        let mut parts = Vec::new();
        if self.is_end {
            parts.push(PagePart::new("h2", format!("head-{name}"), "", |html| {
                html.theirs(name)
                    .line("span", &[("class", "dim")], &format!(" {}", self.about));
            }));
        }
        let id = format!("older-{name}");
        parts.extend(older(&id, self.older, self.dropped, t("entries")));
        parts.extend(self.entries.iter().map(|entry| part(entry, name)));
        if self.is_end {
            parts.push(PagePart::new("div", writing_id(name), "writing", |html| {
                markup::blocks(html, &parse_unfinished(&self.writing));
            }));
            parts.push(PagePart::new("p", format!("doing-{name}"), "dim", |html| {
                html.text(self.doing.as_deref().unwrap_or_default())
                    .text(" ");
                if let Some(at) = self.doing_since {
                    since(html, Timestamp(at));
                }
            }));
            if !self.todos.is_empty() {
                parts.push(PagePart::new("div", format!("todos-{name}"), "", |html| {
                    html.line("h2", &[], t(Self::TODOS));
                    for (sign, text) in &self.todos {
                        html.line("div", &[("class", "row")], &format!("{sign} {text}"));
                    }
                }));
            }
        }
        parts
    }
}

/// The element that pieces of an answer are added to.
pub(crate) fn writing_id(name: &str) -> String {
    format!("writing-{name}")
}
