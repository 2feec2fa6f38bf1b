//! All that is known of one task: it is fetched when its card is opened.

use teammate_core::{
    Timestamp,
    board::{Task, TaskId, TaskStatus},
};
use teammate_view::{TeamView, money_or_tokens};

use super::{LINKED_MAX, joined, line};
use crate::{
    html::Html,
    screens::{
        TeamFacts,
        part::{member_link, moment},
    },
};

/// The inside of a task's card; nothing if there is no such task.
pub(crate) fn task(view: &TeamView, facts: &TeamFacts, id: TaskId) -> Option<Html> {
    let task = view.team().board().task(id)?;
    let mut html = Html::default();
    html.element("dl", &[("class", "inside")], |html| {
        for (name, text) in facts_of(view, facts, task) {
            if !text.is_empty() {
                html.line("dt", &[], name).line("dd", &[], &text);
            }
        }
        html.line("dt", &[], "story")
            .element("dd", &[], |html| story(html, task));
    });
    Some(html)
}

fn facts_of(view: &TeamView, facts: &TeamFacts, task: &Task) -> [(&'static str, String); 9] {
    let team = view.team();
    let result = match &task.status {
        TaskStatus::Completed { result, .. } => result.clone(),
        TaskStatus::Pending { .. }
        | TaskStatus::InProgress { .. }
        | TaskStatus::Failed { .. }
        | TaskStatus::Deleted => String::new(),
    };
    let run = task.status.evidence();
    let spent = view.costs().of_task(task.id);
    let spent = spent.map(|models| money_or_tokens(&facts.prices, models));
    let named = |id: &TaskId| match team.board().task(*id) {
        Some(other) => format!("{id} {}", other.subject),
        None => id.to_string(),
    };
    let blockers = team.board().open_blockers(task);
    [
        ("is", team.status_text(task)),
        ("what", task.description.clone()),
        ("check", task.check.clone().unwrap_or_default()),
        (
            "it printed",
            run.map(|run| run.tail.clone()).unwrap_or_default(),
        ),
        ("result", result),
        ("failed", task.last_failure.clone()),
        (
            "after",
            joined(blockers.iter().map(named), LINKED_MAX).join("\n"),
        ),
        (
            "before",
            joined(task.blocks.iter().map(named), LINKED_MAX).join("\n"),
        ),
        ("cost", spent.unwrap_or_default()),
    ]
}

fn story(html: &mut Html, task: &Task) {
    html.text(&format!("made by {} ", line(&task.by.to_string())));
    moment(html, Timestamp(task.created.0));
    html.text(&format!(", claimed {} times, last changed ", task.claims));
    moment(html, Timestamp(task.updated.0));
    if let Some(owner) = task.owner() {
        html.text(", ");
        member_link(html, owner.as_str());
    }
}
