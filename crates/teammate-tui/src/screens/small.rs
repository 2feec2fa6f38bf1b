//! The screen of a terminal that is too small for screens.

use ratatui::text::Line;

use super::window;
use crate::{
    app::App,
    text::{fit, passed},
};

/// A row for each member: so many at most.
pub(crate) fn small(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let view = app.view();
    let roster = view.roster();
    let lines = roster.iter().map(|line| {
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
    window(lines.collect(), 0, rows, &app.setup.theme)
}
