//! The last rows: where this is, and which keys matter here.

use ratatui::text::{Line, Span};
use teammate_view::t;

use crate::{
    app::App,
    input,
    text::{WIDTHS, painted, rule, spread, width},
};

pub(super) fn lines(app: &App, columns: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let place = t!(
        "{place} · {model} · mode {mode}",
        place = app.setup.facts.workspace,
        model = app.model(),
        mode = app.mode()
    );
    let money = app.view().spent(&app.setup.facts);
    let right = Line::from(Span::raw(format!("{money} ")));
    let room = columns.saturating_sub(width(&money) + 3);
    let keys = app.setup.keys.footer(input::context(app), room, WIDTHS);
    let left = Line::from_iter(painted(vec![keys], " ", theme).into_iter().flatten());
    vec![
        rule(&place, columns, theme.dim),
        spread(left, right, columns),
    ]
}
