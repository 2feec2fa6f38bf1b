//! The six screens, each as rows of text for some columns and rows.

mod board;
mod cost;
mod mail;
mod member;
mod needs;
mod overlay;
mod small;
mod team;
mod troubles;

pub(crate) use self::{
    board::board,
    cost::{cost, money_line, money_of},
    mail::mail,
    member::member,
    needs::needs,
    overlay::overlay,
    small::small,
    team::team,
};

use ratatui::text::Line;

/// The rows from `top` on, so that row `chosen` is among them.
fn window<T>(all: Vec<T>, chosen: usize, rows: usize) -> Vec<T> {
    let top = (chosen + 1).saturating_sub(rows.max(1));
    all.into_iter().skip(top).take(rows).collect()
}

/// Exactly so many rows: the rest stays empty.
fn filled(mut lines: Vec<Line<'static>>, rows: usize) -> Vec<Line<'static>> {
    lines.truncate(rows);
    lines.resize(rows, Line::default());
    lines
}
