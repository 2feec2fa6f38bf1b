//! Draws the words to somebody who begins: in the place of a story that nobody has told yet.

use ratatui::text::Line;
use teammate_view::screens::welcome::Welcome;
use teammate_view::t;

use super::{filled_or_cut, team::members_of_new};
use crate::{
    app::App,
    row::{Row, rows as plain_rows},
    text::{painted, rule, wrapped},
};

/// The words alone, beside the team.
pub(crate) fn welcome(app: &App, welcome: &Welcome, columns: usize, rows: usize) -> Vec<Row> {
    fitted(app, plain_rows(lines(app, welcome, columns)), rows)
}

/// The team and, below it, the words.
pub(crate) fn new_team(app: &App, welcome: &Welcome, columns: usize, rows: usize) -> Vec<Row> {
    let mut all = members_of_new(app, columns);
    all.extend(plain_rows(lines(app, welcome, columns)));
    fitted(app, all, rows)
}

/// The rows, without the blank ones where there is no room for all.
fn fitted(app: &App, mut all: Vec<Row>, rows: usize) -> Vec<Row> {
    if all.len() > rows {
        all.retain(|row| row.line.width() > 0);
    }
    filled_or_cut(all, rows, &app.setup.theme)
}

fn lines(app: &App, welcome: &Welcome, columns: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let room = columns.saturating_sub(4);
    let plain = |text: &str| {
        let rows = wrapped(text, room).into_iter();
        rows.map(|row| Line::raw(format!(" {row}")))
            .collect::<Vec<_>>()
    };
    let dim = |head: &str, text: &str| {
        let rows = wrapped(&format!("{head} {text}"), room).into_iter();
        rows.map(|row| Line::styled(format!(" {row}"), theme.dim))
            .collect::<Vec<_>>()
    };
    let mut all = vec![rule(t(Welcome::TITLE), columns, theme.dim)];
    all.extend(plain(&welcome.who));
    all.push(Line::default());
    all.extend(plain(t(Welcome::SAY)));
    for example in welcome.examples {
        let rows = wrapped(example, room.saturating_sub(4)).into_iter();
        let begin = std::iter::once("   \"").chain(std::iter::repeat("    "));
        let rows: Vec<String> = begin
            .zip(rows)
            .map(|(begin, row)| format!("{begin}{row}"))
            .collect();
        let last = rows.len().saturating_sub(1);
        for (number, row) in rows.into_iter().enumerate() {
            let end = if number == last { "\"" } else { "" };
            all.push(Line::styled(format!("{row}{end}"), theme.name));
        }
    }
    all.push(Line::default());
    all.extend(dim(t("Model"), &welcome.model));
    all.extend(dim(t("Mode"), &welcome.mode));
    all.push(Line::default());
    all.extend(painted(vec![Welcome::keys(&app.setup.keys)], " ", theme));
    all
}
