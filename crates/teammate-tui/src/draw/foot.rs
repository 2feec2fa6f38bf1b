//! The last rows: where this is, and which keys matter here.

use ratatui::text::{Line, Span};

use crate::{
    app::{App, Focus, ScreenKind},
    screens::money_line,
    text::{fit, rule, spread, width},
};

pub(super) fn lines(app: &App, columns: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let place = format!(
        "{} · {} · mode {}",
        app.setup.workspace,
        app.model(),
        app.setup.mode
    );
    let money = money_line(app);
    let right = Line::from(Span::raw(format!("{money} ")));
    let room = columns.saturating_sub(width(&money) + 3);
    let left = Line::from(Span::styled(
        fit(&format!(" {}", keys(app)), room),
        theme.dim,
    ));
    vec![
        rule(&place, columns, theme.dim),
        spread(left, right, columns),
    ]
}

fn keys(app: &App) -> &'static str {
    match (app.focus, app.kind) {
        (Focus::Pane, ScreenKind::Needs) => {
            "y once  a always  n no  w no, and why  Down more  ^N next  Tab prompt  Esc later"
        }
        (Focus::Pane, ScreenKind::Member) => {
            "Up/Down scroll  End follow  [ ] time  ^O unfold  c copy  Tab prompt  ? keys"
        }
        (Focus::Pane, _) => {
            "Up/Down choose  Enter open  [ ] time  Tab prompt  F1-F6 screens  ? keys"
        }
        (Focus::Prompt, _) => {
            "Enter send  Tab pane  ^N needs you  F1-F6 screens  Esc Esc interrupt  ? help"
        }
    }
}
