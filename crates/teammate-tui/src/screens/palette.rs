//! Draws the palette: what fits the typed words, each with its key and what it does.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use teammate_view::t;
use teammate_view::{PaletteEntry, keys::KeyAction};

use super::window;
use crate::{
    app::{App, ShownPalette, Target},
    row::Row,
    text::{column, fit, rule, width},
};

/// The columns of the words, and of the keys.
const WORD_COLUMNS: usize = 18;
const KEY_COLUMNS: usize = 8;

pub(super) fn rows(app: &App, shown: &ShownPalette, columns: usize, rows: usize) -> Vec<Row> {
    let theme = &app.setup.theme;
    let found = shown.found();
    let mut lines: Vec<Row> = vec![rule(t("Commands and keys"), columns, theme.strong).into()];
    if found.is_empty() {
        let none = fit(t(" Nothing has all these words in it"), columns);
        lines.push(Line::styled(none, theme.dim).into());
        return lines;
    }
    let all = found.iter().enumerate();
    let all = all.map(|(number, entry)| {
        let line = row(app, entry, number == shown.row, columns);
        Row::of(line, Target::Choice(number))
    });
    let room = rows.saturating_sub(2);
    lines.extend(window(all.collect(), shown.row, room, theme));
    lines
}

fn row(app: &App, entry: &PaletteEntry, is_chosen: bool, columns: usize) -> Line<'static> {
    let theme = &app.setup.theme;
    let (sign, style) = match is_chosen {
        true => ('>', theme.chosen),
        false => (' ', Style::default()),
    };
    let word = format!(
        " {sign} {} {} ",
        column(&entry.word, WORD_COLUMNS),
        column(&entry.key, KEY_COLUMNS)
    );
    let about = fit(&entry.about, columns.saturating_sub(width(&word)));
    Line::from(vec![
        Span::styled(word, style),
        Span::styled(about, theme.dim),
    ])
}

pub(super) fn keys(app: &App) -> String {
    let name = |action| app.setup.keys.name(action);
    t!(
        " {up} and {down} choose, Enter takes it, {close} leaves it",
        up = name(KeyAction::ItemUp),
        down = name(KeyAction::ItemDown),
        close = name(KeyAction::Close)
    )
}
