//! The board for the user: a line a task, or one task with its history. Subjects, results and reasons are not ours.

use teammate::{
    MemberName, TaskReport, TaskSummary, Timestamp,
    board::{Board, Evidence, Task, TaskStatus},
};
use teammate_view::t;

use super::{
    Style,
    clean::{clean, clean_line},
    wrap::fit,
};

/// Room for the mark and the blanks around it.
const MARK_COLUMNS: usize = 6;

/// The whole board, the headline first.
pub(crate) fn board_lines(
    board: &Board,
    lines: &[TaskSummary],
    style: Style,
    width: Option<usize>,
) -> Vec<String> {
    if lines.is_empty() {
        return vec![t("No tasks").to_owned()];
    }
    let wide = lines
        .iter()
        .map(|line| line.task.id.to_string().len())
        .max()
        .unwrap_or(0);
    let room = width.map(|width| width.saturating_sub(MARK_COLUMNS));
    let rows = lines.iter().map(|line| {
        let id = line.task.id.to_string();
        let text = format!("{id:wide$} {}", task_text(line));
        format!(
            "  {} {}",
            checkbox(&line.task.status, style),
            fit(&clean_line(&text), room)
        )
    });
    std::iter::once(board.summary_line()).chain(rows).collect()
}

/// One task on a line without colours: what became of it.
pub(crate) fn task_line(line: &TaskSummary) -> String {
    clean_line(&format!("{} {}", line.task.id, task_text(line)))
}

/// A member's task in progress, as the end of a line.
pub(crate) fn in_progress_text(board: &Board, member: &MemberName) -> String {
    match board.task_of(member) {
        Some(task) => clean_line(&format!(", {} {}", task.id, task.subject)),
        None => String::new(),
    }
}

/// One task with all that is known.
pub(crate) fn report_lines(
    report: &TaskReport,
    board: &Board,
    style: Style,
    now: Timestamp,
) -> Vec<String> {
    let task = &report.task;
    let mut lines = vec![format!(
        "{} {} {}",
        checkbox(&task.status, style),
        task.id,
        clean_line(&task.subject)
    )];
    let mut field = |name: &str, text: &str| {
        if !text.is_empty() {
            let name = style.dim(&format!("{name}:"));
            let text = clean(text).replace('\n', "\n    ");
            lines.push(format!("  {name} {text}"));
        }
    };
    field(t("state"), &report.status_text);
    field(t("waits for"), &ids(&board.open_blockers(task)));
    field(t("blocks"), &ids(&task.blocks));
    let requires = task.requires.as_ref().map(ToString::to_string);
    field(t("requires"), &requires.unwrap_or_default());
    field(
        t("team"),
        task.team.as_ref().map_or("", |team| team.as_str()),
    );
    field(
        t("worktree"),
        if task.worktree {
            t("one of its own")
        } else {
            ""
        },
    );
    field(t("check"), task.check.as_deref().unwrap_or(""));
    field(t("description"), &task.description);
    let (name, text) = came_of(task);
    field(name, text);
    let evidence = task.status.evidence();
    field(
        t("verified"),
        &evidence.map(Evidence::describe).unwrap_or_default(),
    );
    field(t("printed"), evidence.map_or("", |run| run.tail.as_str()));
    for (at, what) in &report.history {
        let when = format!("{:>12}", ago(now.millis_since(*at) / 1000));
        let what = clean(what).replace('\n', "\n                ");
        lines.push(format!("  {}  {what}", style.dim(&when)));
    }
    // A line break within a text begins a line of its own.
    lines.join("\n").lines().map(str::to_owned).collect()
}

fn checkbox(state: &TaskStatus, style: Style) -> String {
    let mark = state.kind().mark();
    match state {
        TaskStatus::Pending { .. } => mark.to_owned(),
        TaskStatus::InProgress { .. } => style.bold(mark),
        TaskStatus::Completed { .. } => style.good(mark),
        TaskStatus::Failed { .. } => style.bad(mark),
        TaskStatus::Deleted => style.dim(mark),
    }
}

/// `Implement resolvers (bob), after #1, requires role:backend: waits for #1`.
fn task_text(line: &TaskSummary) -> String {
    let task = &line.task;
    let owner = task.owner().map(|owner| format!(" ({owner})"));
    let is_open = matches!(
        task.status,
        TaskStatus::Pending { .. } | TaskStatus::InProgress { .. }
    );
    let requires = task.requires.as_ref().filter(|_| is_open);
    let requires = requires.map(|requires| t!(", requires {requires}", requires));
    format!(
        "{}{}{}: {}",
        task.subject,
        owner.unwrap_or_default(),
        requires.unwrap_or_default(),
        line.status_text
    )
}

/// Its result so far, with the name of that field.
fn came_of(task: &Task) -> (&'static str, &str) {
    match &task.status {
        TaskStatus::Completed { result, .. } => (t("result"), result),
        TaskStatus::Failed { why, .. } => (t("failed because"), why),
        TaskStatus::Pending { .. } | TaskStatus::InProgress { .. } | TaskStatus::Deleted => {
            (t("last attempt"), &task.last_failure)
        }
    }
}

fn ids<'a>(ids: impl IntoIterator<Item = &'a teammate::board::TaskId>) -> String {
    let ids: Vec<String> = ids.into_iter().map(ToString::to_string).collect();
    ids.join(", ")
}

pub(crate) fn ago(seconds: u64) -> String {
    match seconds {
        0..100 => t!("{seconds} s ago", seconds),
        100..6_000 => t!("{minutes} min ago", minutes = seconds / 60),
        6_000..172_800 => t!("{hours} h ago", hours = seconds / 3_600),
        _ => t!("{days} days ago", days = seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_one_word() {
        let told = [5, 99, 100, 5_999, 6_000, 172_799, 172_800].map(ago);
        let expected = [
            "5 s ago",
            "99 s ago",
            "1 min ago",
            "99 min ago",
            "1 h ago",
            "47 h ago",
            "2 days ago",
        ];
        assert_eq!(told, expected);
    }
}
