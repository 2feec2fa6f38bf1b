//! What a terminal shows that is too small for screens, and lines that answer what was typed.

use ratatui::text::Line;
use teammate_view::keys::KeyAction;

use super::{filled, window};
use crate::{
    app::{App, Focus, Overlay},
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

/// The rows of lines that answer what was typed.
pub(crate) fn overlay_rows(overlay: &Overlay, columns: usize) -> Vec<String> {
    let lines = overlay.lines.iter().flat_map(|line| line.lines());
    lines
        .flat_map(|line| wrapped(line, columns.saturating_sub(2)))
        .collect()
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
    let all: Vec<Line<'static>> = overlay_rows(overlay, columns)
        .into_iter()
        .map(|line| Line::raw(format!(" {line}")))
        .collect();
    let room = rows.saturating_sub(2);
    let bottom = (overlay.scroll + room).saturating_sub(1);
    lines.extend(window(all, bottom, room));
    let mut lines = filled(lines, rows.saturating_sub(1));
    lines.push(Line::styled(fit(&keys(app), columns), theme.dim));
    lines
}

/// What can be done there.
fn keys(app: &App) -> String {
    let name = |action| app.setup.keys.name(action);
    let to_pane = match app.focus {
        Focus::Prompt => format!("{} ", name(KeyAction::SwitchPane)),
        Focus::Pane => String::new(),
    };
    format!(
        " {} closes, {} and {} scroll, {to_pane}{} finds",
        name(KeyAction::Close),
        name(KeyAction::ItemUp),
        name(KeyAction::ItemDown),
        name(KeyAction::Search)
    )
}
