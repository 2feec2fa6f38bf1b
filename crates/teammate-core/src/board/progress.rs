//! How far all tasks are together.

use std::fmt::Write as _;

use super::{Board, TaskStatus};

/// How many tasks are in which state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Not begun.
    pub pending: usize,
    pub in_progress: usize,
    pub completed: usize,
    /// Given up.
    pub failed: usize,
}

impl Progress {
    pub(crate) fn count_move(&mut self, from: Option<&TaskStatus>, to: &TaskStatus) {
        if let Some(count) = from.and_then(|state| self.of(state)) {
            *count -= 1;
        }
        if let Some(count) = self.of(to) {
            *count += 1;
        }
    }

    fn of(&mut self, state: &TaskStatus) -> Option<&mut usize> {
        match state {
            TaskStatus::Pending { .. } => Some(&mut self.pending),
            TaskStatus::InProgress { .. } => Some(&mut self.in_progress),
            TaskStatus::Completed { .. } => Some(&mut self.completed),
            TaskStatus::Failed { .. } => Some(&mut self.failed),
            TaskStatus::Deleted => None,
        }
    }

    /// How many tasks there are.
    pub fn total(self) -> usize {
        self.open() + self.completed + self.failed
    }

    /// How many are not settled.
    pub fn open(self) -> usize {
        self.pending + self.in_progress
    }
}

impl Board {
    /// `2 of 4 done, 1 in progress`, for a screen.
    pub fn summary_line(&self) -> String {
        let progress = self.progress();
        let mut line = format!("{} of {} done", progress.completed, progress.total());
        if progress.in_progress > 0 {
            let _ = write!(line, ", {} in progress", progress.in_progress);
        }
        if progress.failed > 0 {
            let _ = write!(line, ", {} failed", progress.failed);
        }
        line
    }
}
