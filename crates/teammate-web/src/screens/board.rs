//! The tasks in columns. What is inside a task is fetched when its card is opened.

use teammate_core::board::{TaskId, TaskStatusKind};
use teammate_view::t;
use teammate_view::{
    TeamView,
    screens::{
        board::{BoardColumn, BoardScreen, NOT_VERIFIED, TaskCard, TaskInside},
        room::PAGE_MAX,
    },
};

use super::{
    ScreenParts, TeamFacts,
    part::{PagePart, heading, left_out, member_link, moment},
};
use crate::html::Html;

/// In a line.
pub(super) fn brief(task: &TaskCard, html: &mut Html) {
    html.line("strong", &[], &task.id)
        .text(" ")
        .theirs(&task.subject);
    let about = format!(" {}", task.status_text);
    html.line("span", &[("class", "dim")], &about);
}

/// Draws the closed card. Its inside is fetched when it is opened.
fn show(task: &TaskCard, html: &mut Html) {
    let id = format!("task-{}", task.number());
    let inside = format!("/h/task/{}", task.number());
    let class = if task.status == TaskStatusKind::Failed {
        "card bad"
    } else {
        "card"
    };
    let attributes = [
        ("id", &*id),
        ("class", class),
        ("data-inside", &*inside),
        ("draggable", "true"),
    ];
    html.element("details", &attributes, |html| {
        html.element("summary", &[], |html| summary(task, html));
    });
}

fn summary(task: &TaskCard, html: &mut Html) {
    html.line("strong", &[], &task.id)
        .text(" ")
        .theirs(&task.subject);
    html.text(" ");
    let mut about = |class, text: String| {
        html.line("span", &[("class", class)], &text);
    };
    if let Some(owner) = &task.owner {
        about("dim", format!(" {owner}"));
    }
    if !task.waits_for.is_empty() {
        about(
            "need",
            t!(" after {others}", others = task.waits_for.join(" ")),
        );
    }
    if !task.blocks.is_empty() {
        about(
            "dim",
            t!(" before {others}", others = task.blocks.join(" ")),
        );
    }
    if let Some(evidence) = &task.evidence {
        let class = if evidence == t(NOT_VERIFIED) {
            "dim"
        } else {
            "good"
        };
        html.void("br", &[])
            .line("small", &[("class", class)], evidence);
    }
}

/// What can be wished of a task in this state, as the page names it.
fn wishes(status: TaskStatusKind) -> &'static [(&'static str, &'static str)] {
    match status {
        TaskStatusKind::Pending | TaskStatusKind::InProgress => &[
            ("assign", "Assign"),
            ("complete", "Complete"),
            ("edit", "Edit"),
            ("fail", "Fail"),
        ],
        TaskStatusKind::Completed | TaskStatusKind::Failed => &[("reopen", "Reopen")],
        TaskStatusKind::Deleted => &[],
    }
}

/// All that is known of a task, and what can be wished of it; nothing if there is no such task.
pub(crate) fn task(view: &TeamView, facts: &TeamFacts, id: TaskId) -> Option<Html> {
    let known = view.team().board().task(id)?;
    let wishes = wishes(known.status.kind());
    let task = TaskInside::of(view, facts, known);
    let number = id.number().to_string();
    let mut html = Html::default();
    html.element("div", &[("class", "acts")], |html| {
        for (wish, label) in wishes {
            let attributes = [("data-wish", *wish), ("data-of", &*number)];
            html.line("button", &attributes, t(label));
        }
        let address = format!("/board#task-{number}");
        html.line("a", &[("href", &address)], t("Link"));
    });
    html.element("dl", &[("class", "inside")], |html| {
        for (name, text) in &task.facts {
            html.line("dt", &[], name).line("dd", &[], text);
        }
        html.line("dt", &[], t("story")).element("dd", &[], |html| {
            html.text(&format!("{} ", task.made_by));
            moment(html, task.created);
            html.text(&t!(", {claimed}, last changed ", claimed = task.claimed));
            moment(html, task.updated);
            if let Some(owner) = &task.owner {
                html.text(", ");
                member_link(html, owner);
            }
        });
    });
    Some(html)
}

impl ScreenParts for BoardScreen {
    fn parts(&self) -> Vec<PagePart> {
        let head = PagePart::new("h2", "board.head", "wide", |html| {
            html.text(&self.title);
        });
        let ids = ["board.ready", "board.hand", "board.waits", "board.done"];
        let columns = ids.into_iter().zip(self.columns());
        let columns = columns.map(|(id, list)| column(id, &list));
        std::iter::once(head).chain(columns).collect()
    }
}

fn column(id: &str, list: &BoardColumn<'_>) -> PagePart {
    PagePart::new("section", id, "column", |html| {
        heading(html, &list.title);
        let tasks = list.tasks.iter().take(PAGE_MAX);
        let shown = tasks.map(|task| show(task, html)).count();
        left_out(html, list.count - shown, t("more: /tasks lists all"));
    })
}
