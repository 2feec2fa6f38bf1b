//! The first row: the team, the screens, what needs the user, and whether this is now.

use ratatui::text::{Line, Span};
use teammate_core::Timestamp;
use teammate_view::need_you;
use teammate_view::t;

use crate::{
    app::{App, ScreenKind},
    text::{fit, spread},
};

pub(super) fn line(app: &App, columns: usize) -> Line<'static> {
    let theme = &app.setup.theme;
    let mut left = vec![Span::styled(
        format!(" {} ", fit(&app.setup.team, 16)),
        theme.strong,
    )];
    let is_narrow = columns < 72;
    for (number, kind) in (1..).zip(ScreenKind::ALL) {
        let title = match kind {
            ScreenKind::Member => app.member().to_string(),
            other => other.title().to_owned(),
        };
        let text = match (kind == app.kind, is_narrow) {
            (true, _) => format!(" [{number} {}]", fit(&title, 12)),
            (false, false) => format!(" {number} {}", fit(&title, 12)),
            (false, true) => format!(" {number}"),
        };
        let style = if kind == app.kind {
            theme.strong
        } else {
            theme.dim
        };
        left.push(Span::styled(text, style));
    }
    spread(Line::from(left), right(app), columns)
}

fn right(app: &App) -> Line<'static> {
    let theme = &app.setup.theme;
    let mut spans = Vec::new();
    let needs = app.present().needs().len();
    if needs > 0 {
        let text = format!("{}  ", need_you(needs).to_uppercase());
        spans.push(Span::styled(text, theme.attention));
    }
    let state = match (&app.past, app.ended || !app.present().is_live()) {
        // Before the first fact there is no time of day.
        (Some(past), _) if past.view().now() == Timestamp(0) => {
            Span::styled(t("PAST start "), theme.attention)
        }
        (Some(past), _) => Span::styled(
            t!("PAST {time} ", time = app.clock(past.view().now())),
            theme.attention,
        ),
        (None, true) => Span::styled(t("closed "), theme.bad),
        (None, false) => Span::styled(t("live "), theme.good),
    };
    spans.push(state);
    Line::from(spans)
}
