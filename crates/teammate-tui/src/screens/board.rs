//! The board as columns, or one list where there is little room, and the chosen task in full.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use teammate_core::board::{Task, TaskId, TaskStatusKind};
use teammate_view::t;
use teammate_view::{
    BoardLists, Window,
    screens::board::{BoardScreen, TaskCard, TaskInside},
};

use super::{cut_row, filled, member::latest_rows, window};
use crate::{
    app::{App, Focus, Target},
    row::{Row, rows as rows_of},
    text::{column, fit, rule, width, wrapped},
    theme::Theme,
};

/// The most rows of a card.
const CARD_ROWS_MAX: usize = 3;

/// A narrower board is one list.
const ACROSS_MIN: usize = 76;

/// The fewest rows of the chosen task that are shown.
const DETAIL_ROWS_MIN: usize = 4;

/// The rows from which on the work of who has the task is shown.
const WORK_ROWS_MIN: usize = 8;

/// The width of the names of what is known of a task.
const NAMES_WIDTH: usize = 11;

pub(crate) fn board(app: &App, columns: usize, rows: usize) -> Vec<Row> {
    let theme = &app.setup.theme;
    let lists = BoardLists::of(app.view().team());
    let mut lines: Vec<Row> = vec![rule(&lists.title(), columns, theme.dim).into()];
    let row = app.places.task_row;
    let chosen = lists.in_order().nth(row).or(lists.in_order().next());
    let Some(chosen) = chosen else {
        let none = t(" No tasks yet: /tasks add SUBJECT makes one");
        lines.push(Line::styled(none, theme.dim).into());
        return filled(lines, rows);
    };
    // A title alone says nothing.
    let is_narrow = columns < ACROSS_MIN;
    let of_list = if is_narrow { lists.total() + 1 } else { rows };
    let detail = match (rows / 2).max(rows.saturating_sub(of_list)) {
        ..DETAIL_ROWS_MIN => Vec::new(),
        most => detail_rows(app, chosen, columns, most),
    };
    let room = rows.saturating_sub(lines.len() + detail.len());
    let style = |card: &TaskCard| match (app.focus, card.status) {
        (Focus::Pane, _) if card.id == chosen.id.to_string() => theme.chosen,
        (_, TaskStatusKind::Failed) => theme.bad,
        (..) => Style::new(),
    };
    let list = if is_narrow {
        // Only what is seen is laid out.
        let part = Window::of(lists.total(), row, room);
        let seen = lists.in_order().skip(part.above).take(part.shown);
        let mut list: Vec<_> = seen
            .map(|task| {
                let card = TaskCard::of(app.view(), &app.setup.facts, task);
                let text = format!(" {} {}: {}", card.id, card.subject, card.status_text);
                let line = Line::styled(fit(&text, columns), style(&card));
                Row::of(line, Target::Task(task.id))
            })
            .collect();
        list.extend(part.hidden().map(|hidden| cut_row(&hidden, theme).into()));
        list
    } else {
        across(app, style, columns, (room, chosen.id))
    };
    let left = room.saturating_sub(list.len());
    let work = work_rows(app, chosen, columns, left);
    match work.is_empty() {
        // What is known of the task stands at the bottom.
        true => lines.extend(filled(list, room)),
        false => lines.extend(list),
    }
    lines.extend(detail);
    lines.extend(work);
    filled(lines, rows)
}

/// The columns side by side. A card has as many rows as all cards have room for.
fn across(
    app: &App,
    style: impl Fn(&TaskCard) -> Style,
    columns: usize,
    (rows, chosen): (usize, TaskId),
) -> Vec<Row> {
    let theme = &app.setup.theme;
    let cell = columns / 4;
    // As many of each column as it takes to see the chosen one.
    let most = rows + app.places.task_row;
    let board = BoardScreen::of(app.view(), &app.setup.facts, most);
    let all = board.columns();
    let chosen = chosen.to_string();
    let rows = rows.saturating_sub(1);
    let fullest = all.iter().map(|list| list.count).max().unwrap_or(0);
    let rows_each = (rows / fullest.max(1)).clamp(1, CARD_ROWS_MAX);
    let lists: Vec<Vec<(Span<'static>, Option<Target>)>> = all
        .iter()
        .map(|list| {
            let mut ids = list.tasks.iter().map(|card| &card.id);
            let chosen = ids.position(|id| *id == chosen).unwrap_or(0);
            let shown = Window::of(list.count, chosen, rows);
            let cards = list.tasks.iter().skip(shown.above).take(shown.shown);
            let cards = cards.flat_map(|card| {
                let target = card.id.parse().ok().map(Target::Task);
                let rows = card_rows(card, cell, rows_each, style(card), theme).into_iter();
                rows.map(move |row| (row, target.clone()))
            });
            let hidden = shown.hidden().map(|hidden| {
                let text = column(&format!("   … {hidden}"), cell);
                (Span::styled(text, theme.dim), None)
            });
            cards.chain(hidden).collect()
        })
        .collect();
    let head = |title: &str| Span::styled(column(&format!(" {title}"), cell), theme.strong);
    let heads = Line::from_iter(all.iter().map(|list| head(&list.title)));
    let empty = || (Span::raw(" ".repeat(cell)), None);
    let filled = lists.iter().map(Vec::len).max().unwrap_or(0);
    let body = (0..filled.min(rows)).map(|number| {
        let mut row = Row::default();
        for list in &lists {
            let (span, target) = list.get(number).cloned().unwrap_or_else(empty);
            row.push(span, target);
        }
        row
    });
    std::iter::once(heads.into()).chain(body).collect()
}

/// A card in at most so many rows, each as wide as its column: the subject, and what stands beside it in the last one.
fn card_rows(
    card: &TaskCard,
    cell: usize,
    rows: usize,
    style: Style,
    theme: &Theme,
) -> Vec<Span<'static>> {
    if rows == 1 {
        return vec![Span::styled(
            column(&format!(" {}", card.brief()), cell),
            style,
        )];
    }
    let indent = width(&card.id) + 2;
    let room = cell.saturating_sub(indent + 1);
    let about = card.about();
    let of_subject = rows - usize::from(!about.is_empty());
    let mut subject = wrapped(&card.subject, room);
    if subject.len() > of_subject {
        let rest = subject.split_off(of_subject - 1);
        subject.push(fit(&rest.join(" "), room));
    }
    let subject = subject.into_iter().enumerate().map(|(number, text)| {
        let begin = match number {
            0 => format!(" {} ", card.id),
            _ => " ".repeat(indent),
        };
        Span::styled(column(&format!("{begin}{text}"), cell), style)
    });
    let about = (!about.is_empty()).then(|| {
        let text = format!("{}{}", " ".repeat(indent), fit(&about, room));
        Span::styled(column(&text, cell), theme.dim)
    });
    subject.chain(about).collect()
}

/// The latest of the member that has the task, where there is room.
fn work_rows(app: &App, task: &Task, columns: usize, rows: usize) -> Vec<Row> {
    let Some(owner) = task.owner().filter(|_| rows >= WORK_ROWS_MIN) else {
        return Vec::new();
    };
    let latest = latest_rows(app, owner, columns, rows - 1);
    let title = rule(&format!("{owner}, lately"), columns, app.setup.theme.dim);
    let title = (!latest.is_empty()).then(|| Row::from(title));
    title.into_iter().chain(latest).collect()
}

fn detail_rows(app: &App, task: &Task, columns: usize, most: usize) -> Vec<Row> {
    let theme = &app.setup.theme;
    let title = format!("{} {}", task.id, task.subject);
    let mut lines = vec![rule(&title, columns, theme.dim)];
    let inside = TaskInside::of(app.view(), &app.setup.facts, task);
    let story = t!(
        "{made} {at}, {claimed}, last changed {changed}",
        made = inside.made_by,
        at = app.clock(inside.created),
        claimed = inside.claimed,
        changed = app.clock(inside.updated)
    );
    for (name, text) in inside.facts.into_iter().chain([(t("story"), story)]) {
        let room = columns.saturating_sub(NAMES_WIDTH + 1);
        let rows = text.lines().flat_map(|line| wrapped(line, room));
        lines.extend(rows.enumerate().map(|(number, row)| {
            let name = if number == 0 { name } else { "" };
            let name = format!(" {}", column(name, NAMES_WIDTH));
            Line::from(vec![Span::styled(name, theme.dim), Span::raw(row)])
        }));
    }
    rows_of(window(lines, 0, most.max(2), theme))
}
