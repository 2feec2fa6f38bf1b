//! The tasks in lists, with what they wait for, and the evidence of those that are done. What is inside a task is apart.

mod inside;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::board::{Task, TaskId};
use teammate_view::{BoardLists, NOT_VERIFIED, TeamView, evidence, money_or_tokens};

pub(crate) use self::inside::task;
use super::{
    TeamFacts,
    part::{Part, heading},
    room::{PAGE_MAX, joined, line},
};
use crate::html::Html;

/// So many other tasks are named that one waits for, or that wait for it.
const LINKED_MAX: usize = 10;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BoardScreen {
    ready: TaskList,
    in_progress: TaskList,
    failed: TaskList,
    waiting: TaskList,
    done: TaskList,
}

/// One of the lists.
#[derive(Debug, Serialize, JsonSchema)]
struct TaskList {
    /// How many tasks are in it.
    count: usize,
    /// The first ones.
    tasks: Vec<TaskCard>,
}

impl TaskList {
    fn of<'a>(
        view: &TeamView,
        facts: &TeamFacts,
        tasks: impl ExactSizeIterator<Item = &'a Arc<Task>>,
    ) -> Self {
        Self {
            count: tasks.len(),
            tasks: tasks
                .take(PAGE_MAX)
                .map(|task| TaskCard::of(view, facts, task))
                .collect(),
        }
    }
}

/// A task in short.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TaskCard {
    /// `#4`.
    id: String,
    subject: String,
    status: &'static str,
    /// The status in words.
    status_text: String,
    owner: Option<String>,
    /// What must be done before it and is not.
    waits_for: Vec<String>,
    /// What waits for it.
    blocks: Vec<String>,
    /// The run of its check that shows that it is done; `not verified` where there is none.
    evidence: Option<String>,
    spent: String,
    updated: u64,
}

impl TaskCard {
    fn of(view: &TeamView, facts: &TeamFacts, task: &Task) -> Self {
        let team = view.team();
        let spent = view.costs().of_task(task.id);
        let spent = spent.map(|models| money_or_tokens(&facts.prices, models));
        let blockers = team.board().open_blockers(task);
        let ids = |ids: &[TaskId]| joined(ids.iter().map(ToString::to_string), LINKED_MAX);
        Self {
            id: task.id.to_string(),
            subject: line(&task.subject),
            status: task.status.kind().as_str(),
            status_text: line(&team.status_text(task)),
            owner: task.owner().map(ToString::to_string),
            waits_for: ids(&blockers),
            blocks: joined(task.blocks.iter().map(ToString::to_string), LINKED_MAX),
            evidence: evidence(task).map(|text| line(&text)),
            spent: spent.unwrap_or_default(),
            updated: task.updated.0,
        }
    }

    /// The first of those that members work on and those that failed, and how many they are.
    pub(super) fn in_hand(view: &TeamView, facts: &TeamFacts, max: usize) -> (Vec<Self>, usize) {
        let lists = BoardLists::of(view.team());
        let all = lists.in_progress.iter().chain(&lists.failed).take(max);
        let shown = all.map(|task| Self::of(view, facts, task)).collect();
        (shown, lists.in_progress.len() + lists.failed.len())
    }

    /// In a line.
    pub(super) fn brief(&self, html: &mut Html) {
        html.line("strong", &[], &self.id)
            .text(" ")
            .text(&self.subject);
        let about = format!(" {}", self.status_text);
        html.line("span", &[("class", "dim")], &about);
    }

    fn number(&self) -> &str {
        self.id.trim_start_matches('#')
    }

    /// What is always seen of it. What is inside is fetched when it is opened.
    fn show(&self, html: &mut Html) {
        let id = format!("task-{}", self.number());
        let inside = format!("/h/task/{}", self.number());
        let class = if self.status == "failed" {
            "card bad"
        } else {
            "card"
        };
        let attributes = [("id", &*id), ("class", class), ("data-inside", &*inside)];
        html.element("details", &attributes, |html| {
            html.element("summary", &[], |html| self.summary(html));
        });
    }

    fn summary(&self, html: &mut Html) {
        html.line("strong", &[], &self.id)
            .text(" ")
            .text(&self.subject);
        let mut about = |class, text: String| {
            html.line("span", &[("class", class)], &text);
        };
        if let Some(owner) = &self.owner {
            about("dim", format!(" {owner}"));
        }
        if !self.waits_for.is_empty() {
            about("need", format!(" after {}", self.waits_for.join(" ")));
        }
        if !self.blocks.is_empty() {
            about("dim", format!(" before {}", self.blocks.join(" ")));
        }
        if let Some(evidence) = &self.evidence {
            let class = if evidence == NOT_VERIFIED {
                "dim"
            } else {
                "good"
            };
            html.void("br", &[])
                .line("small", &[("class", class)], evidence);
        }
    }
}

impl BoardScreen {
    pub(super) fn of(view: &TeamView, facts: &TeamFacts) -> Self {
        let lists = BoardLists::of(view.team());
        let list = |tasks: &[Arc<Task>]| TaskList::of(view, facts, tasks.iter());
        let waiting = lists.waiting.iter().map(|(task, _)| task);
        Self {
            ready: list(&lists.ready),
            in_progress: list(&lists.in_progress),
            failed: list(&lists.failed),
            waiting: TaskList::of(view, facts, waiting),
            done: TaskList::of(view, facts, lists.done.iter().rev()),
        }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let columns: [(&str, &str, &[&TaskList]); 4] = [
            ("board.ready", "Ready", &[&self.ready]),
            ("board.hand", "In hand", &[&self.in_progress, &self.failed]),
            ("board.waits", "Waits", &[&self.waiting]),
            ("board.done", "Done", &[&self.done]),
        ];
        let total: usize = columns.iter().map(|(.., lists)| count(lists)).sum();
        let mut parts = vec![Part::new("h2", "board.head", "wide", |html| {
            html.text(&format!("Board: {} of {total} done", self.done.count));
        })];
        parts.extend(
            columns
                .into_iter()
                .map(|(id, title, lists)| column(id, title, lists)),
        );
        parts
    }
}

fn count(lists: &[&TaskList]) -> usize {
    lists.iter().map(|list| list.count).sum()
}

fn column(id: &str, title: &str, lists: &[&TaskList]) -> Part {
    Part::new("section", id, "column", |html| {
        heading(html, &format!("{title} {}", count(lists)));
        let tasks = lists.iter().flat_map(|list| &list.tasks).take(PAGE_MAX);
        let shown = tasks.map(|task| task.show(html)).count();
        let hidden = count(lists) - shown;
        if hidden > 0 {
            let more = format!("{hidden} more: /tasks lists all");
            html.line("p", &[("class", "dim")], &more);
        }
    })
}
