//! What a terminal shows that is too small for screens, and lines that answer what was typed.

use ratatui::text::Line;

use super::{filled, window};
use crate::{
    app::{App, Overlay},
    text::{fit, passed, rule, wrapped},
};

/// Who does what, a row each, and what needs the user.
pub(crate) fn small(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let view = app.view();
    let mut lines: Vec<Line<'static>> = view
        .roster()
        .iter()
        .map(|line| {
            let since = line
                .since
                .map(|since| passed(since, view.now()))
                .unwrap_or_default();
            let text = format!(
                "{} {} {since} {}",
                line.sign.as_char(),
                line.name,
                line.text
            );
            Line::styled(fit(&text, columns), app.setup.theme.sign(line.sign))
        })
        .collect();
    let members = rows / 2;
    lines.truncate(members.max(1));
    let left = rows.saturating_sub(lines.len());
    lines.extend(super::member(app, columns, left).into_iter().take(left));
    filled(lines, rows)
}

/// Lines that answer what was typed.
pub(crate) fn overlay(
    app: &App,
    overlay: &Overlay,
    columns: usize,
    rows: usize,
) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let mut lines = vec![rule(&overlay.title, columns, theme.strong)];
    let all: Vec<Line<'static>> = overlay
        .lines
        .iter()
        .flat_map(|line| line.lines().collect::<Vec<_>>())
        .flat_map(|line| wrapped(line, columns.saturating_sub(2)))
        .map(|line| Line::raw(format!(" {line}")))
        .collect();
    let room = rows.saturating_sub(2);
    let bottom = (overlay.scroll + room).saturating_sub(1);
    lines.extend(window(all, bottom, room));
    let mut lines = filled(lines, rows.saturating_sub(1));
    lines.push(Line::styled(" Esc closes, Up and Down scroll", theme.dim));
    lines
}
