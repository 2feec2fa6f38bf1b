//! The first row: the team, the screens, what needs the user, and whether this is now.

use ratatui::text::{Line, Span};
use teammate_core::Timestamp;
use teammate_view::{need_you, paused_mark, t};

use crate::{
    app::{App, ScreenKind, Target},
    row::Row,
    text::{fit, spread},
};

pub(super) fn row(app: &App, columns: usize) -> Row {
    let theme = &app.setup.theme;
    let team = format!(" {} ", fit(&app.setup.team, 16));
    let mut row = Row::from(Line::styled(team, theme.strong));
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
        row.push(Span::styled(text, style), Some(Target::Screen(kind)));
    }
    row.line = spread(row.line, right(app, is_narrow), columns);
    row
}

fn right(app: &App, is_narrow: bool) -> Line<'static> {
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
        (None, false) => match app.present().team().pause() {
            Some(pause) => {
                let mark = paused_mark(pause, &app.clock(pause.since), is_narrow);
                Span::styled(format!("{mark} "), theme.attention)
            }
            None => Span::styled(t("live "), theme.good),
        },
    };
    spans.push(state);
    Line::from(spans)
}
