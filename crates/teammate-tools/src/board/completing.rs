//! How a member completes a task: one that is done in a worktree not over files that are not committed there, unless the call
//! says so. Nobody merges what is not committed.

use teammate_core::{
    board::{TaskAction, TaskId},
    port::{Refusal, TaskChange, ToolContext},
};

/// How many files a refusal names.
const NAMED_MAX: usize = 10;

/// The fate of files in the task's worktree that are not committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Uncommitted {
    /// They stand in the way.
    Refused,
    /// They stay where they are.
    Left,
}

impl Uncommitted {
    pub(super) fn left_if(is_left: bool) -> Self {
        if is_left { Self::Left } else { Self::Refused }
    }
}

/// Completes the task, unless files are in the way.
pub(super) async fn complete(
    context: &ToolContext,
    id: TaskId,
    result: String,
    uncommitted: Uncommitted,
) -> Result<TaskChange, Refusal> {
    let files = context.team.uncommitted(id).await;
    if !files.is_empty() && uncommitted == Uncommitted::Refused {
        return Err(Refusal::Rule(format!(
            "{id} is not completed: {} in its worktree: {}. Either commit them there (git add, git commit) and complete it again, or \
             complete it with leave_uncommitted: true; then they stay in the worktree, and are not merged with its branch",
            not_committed(files.len()),
            named(&files)
        )));
    }
    let ask = TaskAction::Complete(id, result);
    context.team.act_on_task(ask).await
}

/// Where the caller's tools work after it has completed the task.
pub(super) fn workdir_text(done: &TaskChange, context: &ToolContext) -> &'static str {
    let name = format!("task-{}", done.task.id.number());
    if done.task.worktree
        && context
            .workspace
            .root
            .components()
            .any(|part| part.as_os_str() == name.as_str())
    {
        " Your tools stay in its worktree until your turn ends."
    } else {
        ""
    }
}

fn not_committed(count: usize) -> String {
    match count {
        1 => "1 file is not committed".to_owned(),
        count => format!("{count} files are not committed"),
    }
}

fn named(files: &[String]) -> String {
    let shown = files[..files.len().min(NAMED_MAX)].join(", ");
    match files.len().saturating_sub(NAMED_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
