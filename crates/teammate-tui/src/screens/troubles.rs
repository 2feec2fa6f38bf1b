//! Troubles that the user should look at and nobody answers: rows below what needs them.

use ratatui::text::Line;

use super::first;
use crate::{
    app::App,
    text::{fit, rule},
};

/// The most that are shown.
const SHOWN_MAX: usize = 4;

/// A row for each, the oldest first; nothing if all is well.
pub(crate) fn trouble_rows(app: &App, columns: usize) -> Vec<Line<'static>> {
    let (theme, now) = (&app.setup.theme, app.view().now());
    let troubles = app.view().troubles();
    if troubles.is_empty() {
        return Vec::new();
    }
    let rows = troubles.iter().map(|trouble| {
        let text = format!(" ~ {}", trouble.in_a_sentence(now));
        Line::raw(fit(&text, columns))
    });
    let title = rule("Look, no answer", columns, theme.dim);
    std::iter::once(title)
        .chain(first(rows, SHOWN_MAX, theme))
        .collect()
}
