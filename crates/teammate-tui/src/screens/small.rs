//! What a terminal shows that is too small for screens, and lines that answer what was typed.

use ratatui::text::Line;

use super::{filled, window};
use crate::{
    app::{App, Overlay},
    text::{fit, passed, rule, wrapped},
};

/// Who does what, a row each: so many at most.
pub(crate) fn small(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let view = app.view();
    let roster = view.roster();
    let lines = roster.iter().take(rows).map(|line| {
        let since = line.since.map(|since| passed(since, view.now()));
        let since = since.unwrap_or_default();
        let text = format!(
            "{} {} {since} {}",
            line.sign.as_char(),
            line.name,
            line.text
        );
        Line::styled(fit(&text, columns), app.setup.theme.sign(line.sign))
    });
    lines.collect()
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
