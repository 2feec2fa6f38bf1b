//! The tasks in lists, with what they wait for, and the evidence of those that are done.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{
    Timestamp,
    board::{Task, TaskStatus},
};
use teammate_view::{BoardLists, TeamView};

use super::{
    TeamFacts,
    money::money_or_tokens,
    part::{Part, heading, member_link, moment},
};
use crate::html::Html;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct BoardScreen {
    ready: Vec<TaskCard>,
    in_progress: Vec<TaskCard>,
    failed: Vec<TaskCard>,
    waiting: Vec<TaskCard>,
    done: Vec<TaskCard>,
}

/// A task.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TaskCard {
    /// `#4`.
    id: String,
    subject: String,
    description: String,
    status: &'static str,
    /// The status in words.
    status_text: String,
    owner: Option<String>,
    /// What must be done before it and is not.
    waits_for: Vec<String>,
    /// What waits for it.
    blocks: Vec<String>,
    check: Option<String>,
    /// The run of its check that shows that it is done; `not verified` where there is none.
    evidence: Option<String>,
    /// What the check printed last.
    evidence_tail: String,
    result: String,
    last_failure: String,
    spent: String,
    made_by: String,
    created: u64,
    updated: u64,
    claims: u32,
}

impl TaskCard {
    fn of(view: &TeamView, facts: &TeamFacts, task: &Task) -> Self {
        let team = view.team();
        let ids = |ids: &mut dyn Iterator<Item = String>| ids.collect::<Vec<_>>();
        let spent = view.costs().by_task().find(|(id, _)| *id == task.id);
        let spent = spent.map(|(_, models)| money_or_tokens(&facts.prices, models));
        let run = task.status.evidence();
        let is_done = matches!(task.status, TaskStatus::Completed { .. });
        let evidence = match (run, &task.check) {
            (Some(run), _) => Some(format!("{}: {}", run.check, run.describe())),
            (None, Some(check)) if is_done => Some(format!("{check} (passed)")),
            (None, None) if is_done => Some("not verified".to_owned()),
            (None, _) => None,
        };
        let result = match &task.status {
            TaskStatus::Completed { result, .. } => result.clone(),
            TaskStatus::Pending { .. }
            | TaskStatus::InProgress { .. }
            | TaskStatus::Failed { .. }
            | TaskStatus::Deleted => String::new(),
        };
        let blockers = team.board().open_blockers(task);
        Self {
            id: task.id.to_string(),
            subject: task.subject.clone(),
            description: task.description.clone(),
            status: task.status.kind().as_str(),
            status_text: team.status_text(task),
            owner: task.owner().map(ToString::to_string),
            waits_for: ids(&mut blockers.iter().map(ToString::to_string)),
            blocks: ids(&mut task.blocks.iter().map(ToString::to_string)),
            check: task.check.clone(),
            evidence,
            evidence_tail: run.map(|run| run.tail.clone()).unwrap_or_default(),
            result,
            last_failure: task.last_failure.clone(),
            spent: spent.unwrap_or_default(),
            made_by: task.by.to_string(),
            created: task.created.0,
            updated: task.updated.0,
            claims: task.claims,
        }
    }

    /// Those that members work on, and those that failed.
    pub(super) fn in_hand(view: &TeamView, facts: &TeamFacts) -> Vec<Self> {
        let lists = BoardLists::of(view.team());
        let all = lists.in_progress.iter().chain(&lists.failed);
        all.map(|task| Self::of(view, facts, task)).collect()
    }

    /// In a line.
    pub(super) fn brief(&self, html: &mut Html) {
        html.line("strong", &[], &self.id)
            .text(" ")
            .text(&self.subject);
        let about = format!(" {}", self.status_text);
        html.line("span", &[("class", "dim")], &about);
    }

    fn card(&self, html: &mut Html) {
        html.element("summary", &[], |html| {
            html.line("strong", &[], &self.id)
                .text(" ")
                .text(&self.subject);
            if let Some(owner) = &self.owner {
                html.line("span", &[("class", "dim")], &format!(" {owner}"));
            }
            if !self.waits_for.is_empty() {
                let text = format!(" after {}", self.waits_for.join(" "));
                html.line("span", &[("class", "need")], &text);
            }
            if let Some(evidence) = &self.evidence {
                let class = if evidence == "not verified" {
                    "dim"
                } else {
                    "good"
                };
                html.void("br", &[])
                    .line("small", &[("class", class)], evidence);
            }
        });
        html.element("dl", &[], |html| self.facts(html));
    }

    fn facts(&self, html: &mut Html) {
        let check = self.check.clone().unwrap_or_default();
        for (name, text) in [
            ("is", &self.status_text),
            ("what", &self.description),
            ("check", &check),
            ("it printed", &self.evidence_tail),
            ("result", &self.result),
            ("failed", &self.last_failure),
            ("blocks", &self.blocks.join(" ")),
            ("cost", &self.spent),
        ] {
            if !text.is_empty() {
                html.line("dt", &[], name).line("dd", &[], text);
            }
        }
        html.line("dt", &[], "story").element("dd", &[], |html| {
            html.text(&format!("made by {} ", self.made_by));
            moment(html, Timestamp(self.created));
            html.text(&format!(", claimed {} times, last changed ", self.claims));
            moment(html, Timestamp(self.updated));
            if let Some(owner) = &self.owner {
                html.text(", ");
                member_link(html, owner);
            }
        });
    }
}

impl BoardScreen {
    pub(super) fn of(view: &TeamView, facts: &TeamFacts) -> Self {
        let lists = BoardLists::of(view.team());
        let card = |task: &std::sync::Arc<Task>| TaskCard::of(view, facts, task);
        Self {
            ready: lists.ready.iter().map(card).collect(),
            in_progress: lists.in_progress.iter().map(card).collect(),
            failed: lists.failed.iter().map(card).collect(),
            waiting: lists.waiting.iter().map(|(task, _)| card(task)).collect(),
            done: lists.done.iter().rev().map(card).collect(),
        }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let lists: [(&str, Vec<&TaskCard>); 4] = [
            ("Ready", self.ready.iter().collect()),
            (
                "In hand",
                self.in_progress.iter().chain(&self.failed).collect(),
            ),
            ("Waits", self.waiting.iter().collect()),
            ("Done", self.done.iter().collect()),
        ];
        let total: usize = lists.iter().map(|(_, list)| list.len()).sum();
        let mut parts = vec![Part::new("h2", "board.head", "wide", |html| {
            html.text(&format!("Board: {} of {total} done", self.done.len()));
        })];
        let ids = ["board.ready", "board.hand", "board.waits", "board.done"];
        for ((title, list), id) in lists.into_iter().zip(ids) {
            parts.push(Part::new("section", id, "column", |html| {
                heading(html, &format!("{title} {}", list.len()));
                for task in list.iter().take(super::PAGE_MAX) {
                    let id = format!("task-{}", task.id.trim_start_matches('#'));
                    let class = if task.status == "failed" {
                        "card bad"
                    } else {
                        "card"
                    };
                    html.element("details", &[("id", &id), ("class", class)], |html| {
                        task.card(html);
                    });
                }
                if list.len() > super::PAGE_MAX {
                    let more = format!("{} more: /tasks lists all", list.len() - super::PAGE_MAX);
                    html.line("p", &[("class", "dim")], &more);
                }
            }));
        }
        parts
    }
}
