//! The board as lists, and the chosen task in full.

use std::sync::Arc;

use ratatui::text::{Line, Span};
use teammate_core::board::{Task, TaskStatus};
use teammate_view::{BoardLists, Window, counted, evidence};

use super::{filled, window};
use crate::{
    app::{App, Focus},
    text::{column, fit, rule, wrapped},
};

pub(crate) fn board(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let lists = BoardLists::of(app.view().team());
    let total = lists.total();
    let title = format!(
        "Board {} of {total} done, {} in progress, {} failed",
        lists.done.len(),
        lists.in_progress.len(),
        lists.failed.len()
    );
    let mut lines = vec![rule(&title, columns, theme.dim)];
    if total == 0 {
        lines.push(Line::styled(
            " No tasks yet: /tasks add SUBJECT makes one",
            theme.dim,
        ));
        return filled(lines, rows);
    }
    let order: Vec<_> = lists.in_order().cloned().collect();
    let chosen = order.get(app.places.task_row).or(order.first()).cloned();
    let detail = chosen
        .as_ref()
        .map_or_else(Vec::new, |task| detail_rows(app, task, columns, rows / 2));
    let room = rows.saturating_sub(lines.len() + detail.len());
    let list = if columns >= 76 {
        across(app, &lists, chosen.as_deref(), columns, room)
    } else {
        let all = order
            .iter()
            .map(|task| task_row(app, task, chosen.as_deref(), columns));
        window(all.collect(), app.places.task_row, room, theme)
    };
    lines.extend(filled(list, room));
    lines.extend(detail);
    filled(lines, rows)
}

/// Four lists side by side.
fn across(
    app: &App,
    lists: &BoardLists,
    chosen: Option<&Task>,
    columns: usize,
    rows: usize,
) -> Vec<Line<'static>> {
    let cell = columns / 4;
    let hand: Vec<(Arc<Task>, String)> = lists
        .in_progress
        .iter()
        .chain(&lists.failed)
        .map(|task| (task.clone(), owner(task)))
        .collect();
    let ready = lists.ready.iter().map(|task| (task.clone(), owner(task)));
    let waiting = lists.waiting.iter().map(|(task, behind)| {
        let behind: Vec<String> = behind.iter().map(ToString::to_string).collect();
        (task.clone(), format!("< {}", behind.join(" ")))
    });
    let done = lists
        .done
        .iter()
        .rev()
        .map(|task| (task.clone(), owner(task)));
    let all = [
        ready.collect(),
        hand,
        waiting.collect(),
        done.collect::<Vec<_>>(),
    ];
    let heads = [" ready", " in progress, failed", " waits", " done"];
    let heads = heads.map(|head| Span::styled(column(head, cell), app.setup.theme.strong));
    let mut lines = vec![Line::from(heads.to_vec())];
    let rows = rows.saturating_sub(1);
    for row in 0..rows {
        let cells = all.iter().map(|list| {
            let shown = Window::of(list.len(), 0, rows);
            if row == shown.shown
                && let Some(hidden) = shown.hidden()
            {
                let text = format!("   … {hidden}");
                return Span::styled(column(&text, cell), app.setup.theme.dim);
            }
            let Some((task, about)) = list.get(row) else {
                return Span::raw(" ".repeat(cell));
            };
            let is_chosen =
                app.focus == Focus::Pane && chosen.is_some_and(|chosen| chosen.id == task.id);
            let bad = matches!(task.status, TaskStatus::Failed { .. });
            let style = match (is_chosen, bad) {
                (true, _) => app.setup.theme.chosen,
                (false, true) => app.setup.theme.bad,
                (false, false) => ratatui::style::Style::new(),
            };
            let text = format!(" {} {} {about}", task.id, task.subject);
            Span::styled(column(&text, cell), style)
        });
        lines.push(Line::from(cells.collect::<Vec<_>>()));
    }
    lines
}

fn task_row(app: &App, task: &Task, chosen: Option<&Task>, columns: usize) -> Line<'static> {
    let state = app.view().team().status_text(task);
    let line = Line::raw(fit(
        &format!(" {} {}: {state}", task.id, task.subject),
        columns,
    ));
    let is_chosen = app.focus == Focus::Pane && chosen.is_some_and(|chosen| chosen.id == task.id);
    if is_chosen {
        line.style(app.setup.theme.chosen)
    } else {
        line
    }
}

fn owner(task: &Task) -> String {
    task.owner().map(ToString::to_string).unwrap_or_default()
}

fn detail_rows(app: &App, task: &Task, columns: usize, most: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let team = app.view().team();
    let title = format!("{} {}  {}", task.id, task.subject, team.status_text(task));
    let mut lines = vec![rule(&title, columns, theme.dim)];
    let mut add = |label: &str, text: &str| {
        for (number, row) in text
            .lines()
            .flat_map(|line| wrapped(line, columns.saturating_sub(9)))
            .enumerate()
        {
            let head = if number == 0 { label } else { "" };
            lines.push(Line::from(vec![
                Span::styled(format!(" {} ", column(head, 7)), theme.dim),
                Span::raw(row),
            ]));
        }
    };
    if !task.description.is_empty() {
        add("what", &task.description);
    }
    let check = || task.check.clone().unwrap_or_else(|| "none".to_owned());
    add("check", &evidence(task).unwrap_or_else(check));
    if let TaskStatus::Completed { result, .. } = &task.status
        && !result.is_empty()
    {
        add("result", result);
    }
    if !task.last_failure.is_empty() {
        add("failed", &task.last_failure);
    }
    add(
        "story",
        &format!(
            "made {} by {}, last changed {}, claimed {}",
            app.clock(task.created),
            task.by,
            app.clock(task.updated),
            counted(task.claims.into(), "time", "times")
        ),
    );
    window(lines, 0, most.max(2), theme)
}
