//! The files that members have changed, with each change: the latest file first, so that somebody can look over all of it.

use crate::t;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::room::{PAGE_MAX, line};
use crate::{TeamView, counted};

/// So many changes of a file are listed: the latest ones.
const CHANGES_MAX: usize = 20;

/// The changed files.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChangesScreen {
    /// How many files there are.
    pub count: usize,
    /// The first ones.
    pub files: Vec<ChangedFile>,
}

/// A file that members have changed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChangedFile {
    /// Its first change that is kept, by which it is known: `alice-7`.
    pub id: String,
    /// As members write its path.
    pub path: String,
    pub added: u64,
    pub removed: u64,
    /// How many older changes there are, which are not listed.
    pub older: usize,
    /// The latest first.
    pub changes: Vec<ListedChange>,
}

/// One call that changed it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ListedChange {
    pub at: u64,
    pub member: String,
    /// The number of the call among the member's entries.
    pub number: u64,
    pub added: u64,
    pub removed: u64,
}

impl ChangesScreen {
    pub const NONE: &str = "No member has changed a file yet";

    /// The changes that are kept of this view's members.
    pub fn of(view: &TeamView) -> Self {
        let mut files: BTreeMap<&str, Vec<ListedChange>> = BTreeMap::new();
        for (member, story) in view.stories() {
            for (number, item) in story.numbered() {
                let Some(change) = item.change() else {
                    continue;
                };
                let changes = files.entry(&change.path).or_default();
                changes.push(ListedChange {
                    at: item.at.0,
                    member: member.to_string(),
                    number,
                    added: change.added,
                    removed: change.removed,
                });
            }
        }
        let count = files.len();
        let mut files: Vec<ChangedFile> = files
            .into_iter()
            .map(|(path, changes)| ChangedFile::of(path, changes))
            .collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.changes.first().map(|last| last.at)));
        files.truncate(PAGE_MAX);
        Self { count, files }
    }

    /// `3 files changed`.
    pub fn title(&self) -> String {
        let count = counted(self.count as u64, "file", "files");
        t!("{count} changed", count)
    }
}

impl ChangedFile {
    fn of(path: &str, mut changes: Vec<ListedChange>) -> Self {
        changes.sort_by_key(|change| std::cmp::Reverse(change.at));
        let (added, removed) = changes
            .iter()
            .fold((0_u64, 0_u64), |(added, removed), change| {
                (
                    added.saturating_add(change.added),
                    removed.saturating_add(change.removed),
                )
            });
        let first = changes.last();
        let id = first.map(|one| format!("{}-{}", one.member, one.number));
        let older = changes.len().saturating_sub(CHANGES_MAX);
        changes.truncate(CHANGES_MAX);
        Self {
            id: id.unwrap_or_default(),
            path: line(path),
            added,
            removed,
            older,
            changes,
        }
    }
}
