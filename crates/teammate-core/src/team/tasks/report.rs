//! The board notice for the lead: sent once when all tasks are finished or none can continue.

use std::{fmt::Write as _, sync::Arc};

use crate::{
    MemberName, Timestamp,
    board::{Progress, Task, TaskRefusal, TaskStatus, list},
    id::TaskId,
    mail::MessageId,
    member::MemberPhase,
    message_cause::MessageCause,
    team::{Record, TeamEvent, TeamState, branches_of},
};

/// The most tasks that a notice lists.
const LISTED_MAX: usize = 40;

/// The most characters of a result in a notice.
const RESULT_CHARS_MAX: usize = 600;

/// One line of the board.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskSummary {
    pub task: Arc<Task>,
    /// Its status in words, and why it does not continue if it does not.
    pub status_text: String,
}

/// A task with all that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskReport {
    pub task: Arc<Task>,
    /// Its state.
    pub status_text: String,
    /// The history of the task, oldest first.
    pub history: Vec<(Timestamp, String)>,
}

/// The notice for the lead when all members are idle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardNotice {
    /// The version of the board that it describes.
    pub changes: u64,
    /// The id of the notice: one for each version.
    pub id: MessageId,
    pub text: String,
}

impl TeamState {
    /// True if the lead should get a board notice, given that all members are idle. Not while a member
    /// with a task in progress has a job running, whose end will wake it.
    pub fn is_board_notice_due(&self) -> bool {
        if !self.board().has_unreported_changes() {
            return false;
        }
        let progress = self.present_progress();
        let is_over = progress.open() == 0
            || !self
                .jobs()
                .running()
                .any(|job| self.board().task_of(&job.owner).is_some());
        progress.total() > 0 && is_over
    }

    /// The tasks that are not another conversation's.
    fn present_tasks(&self) -> impl Iterator<Item = &Arc<Task>> {
        self.board().tasks().filter(|task| self.is_present(task))
    }

    fn present_progress(&self) -> Progress {
        if self.has_one_conversation() {
            return self.board().progress();
        }
        let mut progress = Progress::default();
        for task in self.present_tasks() {
            progress.count_move(None, &task.status);
        }
        progress
    }

    /// The notice's text.
    pub fn board_notice(&self) -> Option<BoardNotice> {
        if !self.is_board_notice_due() {
            return None;
        }
        let changes = self.board().changes();
        let progress = self.present_progress();
        let mut text = if progress.open() > 0 {
            let are = match progress.open() {
                1 => "is",
                _ => "are",
            };
            format!(
                "No member is working, but {} of {} tasks {are} open.\n",
                progress.open(),
                progress.total()
            )
        } else if progress.failed > 0 {
            format!(
                "All tasks are finished: {} completed, {} failed.\n",
                progress.completed, progress.failed
            )
        } else if progress.completed == 1 {
            "The task is completed.\n".to_owned()
        } else {
            format!("All {} tasks are completed.\n", progress.completed)
        };
        let is_open = |task: &&Arc<Task>| !task.status.is_settled();
        let open_first = self
            .present_tasks()
            .filter(is_open)
            .chain(self.present_tasks().filter(|task| !is_open(task)));
        for task in open_first.take(LISTED_MAX) {
            let _ = writeln!(
                text,
                "{} {}: {}",
                task.id,
                task.subject,
                self.status_text(task)
            );
        }
        if progress.total() > LISTED_MAX {
            let more = progress.total() - LISTED_MAX;
            let _ = writeln!(text, "... and {more} more");
        }
        let id = self.message_id(MessageCause::Board(changes));
        Some(BoardNotice { changes, id, text })
    }

    /// All tasks that are not deleted, by id, each with its status text.
    pub fn task_summaries(&self) -> Vec<TaskSummary> {
        let line = |task: &Arc<Task>| TaskSummary {
            task: task.clone(),
            status_text: self.status_text(task),
        };
        self.board().tasks().map(line).collect()
    }

    /// A task with its history, from the journal's records about it ([`records_about`](crate::fold::records_about)).
    pub fn task_report(&self, id: TaskId, records: &[Record]) -> Result<TaskReport, TaskRefusal> {
        let task = self.known_task(id)?.clone();
        let of_task = |event: &TeamEvent| match event {
            TeamEvent::Task { task, change } if *task == id => Some(change.describe()),
            _ => None,
        };
        let history = records
            .iter()
            .flat_map(|record| {
                let texts = record.events.iter().filter_map(of_task);
                texts.map(|text| (record.at, text))
            })
            .collect();
        Ok(TaskReport {
            status_text: self.status_text(&task),
            task,
            history,
        })
    }

    /// The task's status in words, and why it does not continue if it does not.
    pub fn status_text(&self, task: &Task) -> String {
        if let Some(conversation) = self.task_paused_for(task) {
            if self.is_dropped(conversation) {
                return format!(
                    "dropped with the lead's conversation {conversation}: assign it, or delete it"
                );
            }
            let owner = task
                .owner()
                .map_or_else(String::new, |owner| format!(", {owner}'s"));
            return format!("paused{owner}: waits for the lead's conversation {conversation}");
        }
        match &task.status {
            TaskStatus::Completed { by, result, .. } => {
                let branch = match task.worktree {
                    true => format!(
                        " on branch {}/task-{}",
                        branches_of(self.name()),
                        task.id.number()
                    ),
                    false => String::new(),
                };
                match result.as_str() {
                    "" => format!("completed by {by}{branch}"),
                    result => format!("completed by {by}{branch}: {}", short(result)),
                }
            }
            TaskStatus::Failed { by, why } => format!("failed ({by}): {}", short(why)),
            TaskStatus::Deleted => "deleted".to_owned(),
            TaskStatus::InProgress { owner, .. } => match self
                .member(owner)
                .map(|member| &member.phase)
            {
                Some(phase) if phase.is_busy() => format!("in progress, {owner} is working on it"),
                Some(phase) => {
                    format!("in progress by {owner}, who is idle ({})", phase.describe())
                }
                None => format!("in progress by {owner}, who is stopped"),
            },
            TaskStatus::Pending { assigned } => {
                let blockers = self.board().open_blockers(task);
                if !blockers.is_empty() {
                    return format!(
                        "waits for {}{}",
                        list(&blockers),
                        self.stuck_reason(&blockers)
                    );
                }
                match assigned {
                    Some(to) if self.has_stopped(to) => {
                        format!("assigned to {to}, who is stopped")
                    }
                    Some(to) => format!("assigned to {to}"),
                    None => self.ready_text(task),
                }
            }
        }
    }

    fn has_stopped(&self, name: &MemberName) -> bool {
        let member = self.member(name);
        member.is_none_or(|member| member.phase == MemberPhase::Stopped)
    }

    fn stuck_reason(&self, blockers: &[TaskId]) -> String {
        let failed: Vec<_> = blockers
            .iter()
            .filter(|id| {
                let blocker = self.board().task(**id);
                blocker.is_some_and(|task| matches!(task.status, TaskStatus::Failed { .. }))
            })
            .collect();
        match failed.len() {
            0 => String::new(),
            1 => format!("; {} failed", list(failed)),
            _ => format!("; {} have failed", list(failed)),
        }
    }

    fn ready_text(&self, task: &Task) -> String {
        let fit: Vec<_> = self
            .teammates()
            .filter(|member| task.is_for(member))
            .collect();
        if let (true, Some(requires)) = (fit.is_empty(), &task.requires) {
            return format!("ready, but no member meets {requires}");
        }
        if fit.is_empty() {
            return "ready, but there is no member to do it".to_owned();
        }
        if fit
            .iter()
            .all(|member| member.phase == MemberPhase::Stopped)
        {
            return "ready, but every member that could do it is stopped".to_owned();
        }
        if task.last_failure.is_empty() {
            "ready".to_owned()
        } else {
            format!("ready; last time: {}", short(&task.last_failure))
        }
    }
}

fn short(text: &str) -> String {
    let mut line: String = text.chars().take(RESULT_CHARS_MAX).collect();
    if line.len() < text.len() {
        line.push_str(" ...");
    }
    line
}
