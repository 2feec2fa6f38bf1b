//! The board: its tasks in columns, with what they wait for and the evidence of those that are done; and all of one task.

use crate::language::translated_sentence;
use crate::t;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{
    Timestamp,
    board::{Evidence, Task, TaskId, TaskStatus, TaskStatusKind},
    team::TeamState,
};

use super::{
    TeamFacts,
    room::{joined, line},
};
use crate::{TeamView, counted, money_or_tokens};

/// So many other tasks are named that one waits for, or that wait for it.
const LINKED_MAX: usize = 10;

/// The mark of a task that is done and has no check.
pub const NOT_VERIFIED: &str = "not verified";

/// A run of a check: `cargo test: exit 0 in 4.1 s, tree 91ab02f3c4d5`.
pub fn check_run(run: &Evidence) -> String {
    format!("{}: {}", run.check, run.describe())
}

/// How it is known that a task is done; nothing of one that is not.
fn evidence(task: &Task) -> Option<String> {
    if !matches!(task.status, TaskStatus::Completed { .. }) {
        return None;
    }
    Some(match (task.status.evidence(), &task.check) {
        (Some(run), _) => check_run(run),
        (None, Some(check)) => t!("{check} (passed)", check),
        (None, None) => t(NOT_VERIFIED).to_owned(),
    })
}

/// The tasks of a board, in lists. Within a list they come by id, the done ones from the last.
#[derive(Debug, Clone, Default)]
pub struct BoardLists {
    /// Can be claimed now.
    pub ready: Vec<Arc<Task>>,
    /// A member works on it.
    pub in_progress: Vec<Arc<Task>>,
    /// Waits for these others.
    pub waiting: Vec<(Arc<Task>, Vec<TaskId>)>,
    pub failed: Vec<Arc<Task>>,
    pub done: Vec<Arc<Task>>,
}

/// The board in columns, as every screen draws it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoardScreen {
    /// As [`BoardLists::title`].
    #[serde(skip)]
    pub title: String,
    pub ready: TaskList,
    pub in_progress: TaskList,
    pub failed: TaskList,
    pub waiting: TaskList,
    pub done: TaskList,
}

/// One of the lists.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskList {
    /// How many tasks are in it.
    pub count: usize,
    /// The first ones.
    pub tasks: Vec<TaskCard>,
}

/// One or two lists in a column.
#[derive(Debug)]
pub struct BoardColumn<'a> {
    pub title: String,
    /// How many tasks are in it.
    pub count: usize,
    /// The first ones.
    pub tasks: Vec<&'a TaskCard>,
}

/// A task in short.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskCard {
    /// `#4`.
    pub id: String,
    pub subject: String,
    #[schemars(with = "String")]
    pub status: TaskStatusKind,
    /// The status in words.
    pub status_text: String,
    pub owner: Option<String>,
    /// Ids of unfinished tasks that must be done before it.
    pub waits_for: Vec<String>,
    /// Ids of tasks that wait for it.
    pub blocks: Vec<String>,
    /// The run of its check that shows that it is done; [`NOT_VERIFIED`] where there is none.
    pub evidence: Option<String>,
    pub spent: String,
    pub updated: u64,
}

/// All that is known of a task.
#[derive(Debug)]
pub struct TaskInside {
    /// Facts about it, each with its name.
    pub facts: Vec<(&'static str, String)>,
    /// Its maker in words: `made by lead`.
    pub made_by: String,
    pub created: Timestamp,
    /// How often: `claimed 2 times`.
    pub claimed: String,
    pub updated: Timestamp,
    pub owner: Option<String>,
}

impl BoardLists {
    /// The lists of a team's board.
    pub fn of(team: &TeamState) -> Self {
        let board = team.board();
        let mut lists = Self::default();
        for task in board.tasks() {
            let task = task.clone();
            match &task.status {
                TaskStatus::Pending { .. } => match board.open_blockers(&task) {
                    blockers if blockers.is_empty() => lists.ready.push(task),
                    blockers => lists.waiting.push((task, blockers)),
                },
                TaskStatus::InProgress { .. } => lists.in_progress.push(task),
                TaskStatus::Completed { .. } => lists.done.push(task),
                TaskStatus::Failed { .. } => lists.failed.push(task),
                TaskStatus::Deleted => {}
            }
        }
        lists.done.reverse();
        lists
    }

    /// All tasks in the order in which one looks at them: in progress, failed, ready, waiting, done.
    pub fn in_order(&self) -> impl Iterator<Item = &Arc<Task>> {
        self.in_progress
            .iter()
            .chain(&self.failed)
            .chain(&self.ready)
            .chain(self.waiting.iter().map(|(task, _)| task))
            .chain(&self.done)
    }

    /// How many tasks there are.
    pub fn total(&self) -> usize {
        self.in_order().count()
    }

    /// `Board: 3 of 9 done, 2 in progress, 1 failed`.
    pub fn title(&self) -> String {
        let (done, total) = (self.done.len(), self.total());
        let rest = [
            (&self.in_progress, t("in progress")),
            (&self.failed, t("failed")),
        ];
        let rest = rest.into_iter().filter(|(list, _)| !list.is_empty());
        let rest: String = rest
            .map(|(list, word)| format!("{}{} {word}", t(", "), list.len()))
            .collect();
        t!("Board: {done} of {total} done{rest}", done, total, rest)
    }
}

impl BoardScreen {
    /// At most so many tasks of each list.
    pub fn of(view: &TeamView, facts: &TeamFacts, most: usize) -> Self {
        let lists = BoardLists::of(view.team());
        let card = |task: &Arc<Task>| TaskCard::of(view, facts, task);
        let list = |tasks: &[Arc<Task>]| TaskList {
            count: tasks.len(),
            tasks: tasks.iter().take(most).map(card).collect(),
        };
        let waiting = lists.waiting.iter().map(|(task, _)| task);
        Self {
            title: lists.title(),
            ready: list(&lists.ready),
            in_progress: list(&lists.in_progress),
            failed: list(&lists.failed),
            waiting: TaskList {
                count: waiting.len(),
                tasks: waiting.take(most).map(card).collect(),
            },
            done: list(&lists.done),
        }
    }

    /// From the left to the right.
    pub fn columns(&self) -> [BoardColumn<'_>; 4] {
        let columns: [(&str, &[&TaskList]); 4] = [
            (t("Ready"), &[&self.ready]),
            (t("In hand"), &[&self.in_progress, &self.failed]),
            (t("Waits"), &[&self.waiting]),
            (t("Done"), &[&self.done]),
        ];
        columns.map(|(title, lists)| {
            let count = lists.iter().map(|list| list.count).sum();
            BoardColumn {
                title: format!("{title} {count}"),
                count,
                tasks: lists.iter().flat_map(|list| &list.tasks).collect(),
            }
        })
    }
}

impl TaskCard {
    /// The card of a task.
    pub fn of(view: &TeamView, facts: &TeamFacts, task: &Task) -> Self {
        let team = view.team();
        let blockers = team.board().open_blockers(task);
        let ids = |ids: &mut dyn Iterator<Item = &TaskId>| {
            joined(ids.map(ToString::to_string), LINKED_MAX)
        };
        Self {
            id: task.id.to_string(),
            subject: line(&task.subject),
            status: task.status.kind(),
            status_text: line(&translated_sentence(&team.status_text(task))),
            owner: task.owner().map(ToString::to_string),
            waits_for: ids(&mut blockers.iter()),
            blocks: ids(&mut task.blocks.iter()),
            evidence: evidence(task).map(|text| line(&text)),
            spent: spent(view, facts, task.id),
            updated: task.updated.0,
        }
    }

    /// Its number, without the mark.
    pub fn number(&self) -> &str {
        self.id.trim_start_matches('#')
    }

    /// Beside its subject: who has it or what it waits for, how it is known that it is done, what it has cost.
    pub fn about(&self) -> String {
        let stands = match self.status {
            TaskStatusKind::Pending if self.waits_for.is_empty() => String::new(),
            TaskStatusKind::Pending => t!("after {others}", others = self.waits_for.join(" ")),
            TaskStatusKind::InProgress => self.owner.clone().unwrap_or_default(),
            TaskStatusKind::Failed => self.status_text.clone(),
            TaskStatusKind::Completed | TaskStatusKind::Deleted => {
                self.evidence.clone().unwrap_or_default()
            }
        };
        let parts = [stands.as_str(), self.spent.as_str()];
        let said: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        said.join(" · ")
    }

    /// In a line: what it waits for, or who has it, stands behind its subject.
    pub fn brief(&self) -> String {
        let tail = match (&self.owner, self.waits_for.is_empty()) {
            (_, false) => t!(" after {others}", others = self.waits_for.join(" ")),
            (Some(owner), true) => format!(" ({owner})"),
            (None, true) => String::new(),
        };
        format!("{} {}{tail}", self.id, self.subject)
    }
}

fn spent(view: &TeamView, facts: &TeamFacts, task: TaskId) -> String {
    let spent = view.costs().of_task(task);
    let spent = spent.map(|models| money_or_tokens(&facts.prices, models));
    spent.unwrap_or_default()
}

impl TaskInside {
    /// The inside of a task, with costs at the prices of `facts`.
    pub fn of(view: &TeamView, facts: &TeamFacts, task: &Task) -> Self {
        let team = view.team();
        let result = match &task.status {
            TaskStatus::Completed { result, .. } => result.clone(),
            TaskStatus::Pending { .. }
            | TaskStatus::InProgress { .. }
            | TaskStatus::Failed { .. }
            | TaskStatus::Deleted => String::new(),
        };
        let run = task.status.evidence();
        let check = evidence(task).or_else(|| task.check.clone());
        let named = |ids: &[TaskId]| {
            let named = ids.iter().map(|id| match team.board().task(*id) {
                Some(other) => format!("{id} {}", other.subject),
                None => id.to_string(),
            });
            joined(named, LINKED_MAX).join("\n")
        };
        let blocks: Vec<TaskId> = task.blocks.iter().copied().collect();
        let facts = [
            (
                t("is"),
                translated_sentence(&team.status_text(task)).into_owned(),
            ),
            (t("what"), task.description.clone()),
            (t("check"), check.unwrap_or_default()),
            (
                t("it printed"),
                run.map_or_else(String::new, |run| run.tail.clone()),
            ),
            (t("result"), result),
            (t("failed"), task.last_failure.clone()),
            (t("after"), named(&team.board().open_blockers(task))),
            (t("before"), named(&blocks)),
            (t("cost"), spent(view, facts, task.id)),
        ];
        Self {
            facts: facts
                .into_iter()
                .filter(|(_, text)| !text.is_empty())
                .collect(),
            made_by: t!("made by {name}", name = line(&task.by.to_string())),
            created: task.created,
            claimed: t!(
                "claimed {times}",
                times = counted(task.claims.into(), "time", "times")
            ),
            updated: task.updated,
            owner: task.owner().map(ToString::to_string),
        }
    }
}
