//! The board as columns, or one list where there is little room, and the chosen task in full.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use teammate_core::board::{Task, TaskStatusKind};
use teammate_view::t;
use teammate_view::{
    BoardLists, Window,
    screens::board::{BoardScreen, TaskCard, TaskInside},
};

use super::{cut_row, filled, window};
use crate::{
    app::{App, Focus},
    text::{column, fit, rule, width, wrapped},
    theme::Theme,
};

/// The most rows of a card.
const CARD_ROWS_MAX: usize = 3;

/// The width of the names of what is known of a task.
const NAMES_WIDTH: usize = 11;

pub(crate) fn board(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let lists = BoardLists::of(app.view().team());
    let mut lines = vec![rule(&lists.title(), columns, theme.dim)];
    let row = app.places.task_row;
    let chosen = lists.in_order().nth(row).or(lists.in_order().next());
    let Some(chosen) = chosen else {
        let none = t(" No tasks yet: /tasks add SUBJECT makes one");
        lines.push(Line::styled(none, theme.dim));
        return filled(lines, rows);
    };
    let detail = detail_rows(app, chosen, columns, rows / 2);
    let room = rows.saturating_sub(lines.len() + detail.len());
    let style = |card: &TaskCard| match (app.focus, card.status) {
        (Focus::Pane, _) if card.id == chosen.id.to_string() => theme.chosen,
        (_, TaskStatusKind::Failed) => theme.bad,
        (..) => Style::new(),
    };
    let list = if columns >= 76 {
        across(app, style, columns, room)
    } else {
        // Only what is seen is laid out.
        let part = Window::of(lists.total(), row, room);
        let seen = lists.in_order().skip(part.above).take(part.shown);
        let mut list: Vec<_> = seen
            .map(|task| {
                let card = TaskCard::of(app.view(), &app.setup.facts, task);
                let text = format!(" {} {}: {}", card.id, card.subject, card.status_text);
                Line::styled(fit(&text, columns), style(&card))
            })
            .collect();
        list.extend(part.hidden().map(|hidden| cut_row(&hidden, theme)));
        list
    };
    lines.extend(filled(list, room));
    lines.extend(detail);
    filled(lines, rows)
}

/// The columns side by side. A card has as many rows as all cards have room for.
fn across(
    app: &App,
    style: impl Fn(&TaskCard) -> Style,
    columns: usize,
    rows: usize,
) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let cell = columns / 4;
    let board = BoardScreen::of(app.view(), &app.setup.facts, rows);
    let all = board.columns();
    let rows = rows.saturating_sub(1);
    let fullest = all.iter().map(|list| list.count).max().unwrap_or(0);
    let rows_each = (rows / fullest.max(1)).clamp(1, CARD_ROWS_MAX);
    let lists: Vec<Vec<Span<'static>>> = all
        .iter()
        .map(|list| {
            let shown = Window::of(list.count, 0, rows);
            let cards = list.tasks.iter().take(shown.shown);
            let cards = cards.flat_map(|card| card_rows(card, cell, rows_each, style(card), theme));
            let hidden = shown
                .hidden()
                .map(|hidden| Span::styled(column(&format!("   … {hidden}"), cell), theme.dim));
            cards.chain(hidden).collect()
        })
        .collect();
    let head = |title: &str| Span::styled(column(&format!(" {title}"), cell), theme.strong);
    let heads = Line::from_iter(all.iter().map(|list| head(&list.title)));
    let empty = || Span::raw(" ".repeat(cell));
    let body = (0..rows).map(|row| {
        let cells = lists.iter().map(|list| list.get(row).cloned());
        Line::from_iter(cells.map(|cell| cell.unwrap_or_else(empty)))
    });
    std::iter::once(heads).chain(body).collect()
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

fn detail_rows(app: &App, task: &Task, columns: usize, most: usize) -> Vec<Line<'static>> {
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
    window(lines, 0, most.max(2), theme)
}
