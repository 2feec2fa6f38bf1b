//! Draws the overlay: lines that answer what was typed, or things to choose from.

use ratatui::{style::Style, text::Line};
use teammate_view::t;
use teammate_view::{Choice, keys::KeyAction};

use super::{filled, palette, scrolled, window};
use crate::{
    app::{App, Focus, Overlay, OverlayLines, Picker, Target},
    row::{Row, rows as rows_of},
    text::{fit, rule},
};

/// The rows, with the keys that matter there as the last one.
pub(crate) fn overlay(app: &App, overlay: &Overlay, columns: usize, rows: usize) -> Vec<Row> {
    let (lines, keys) = match overlay {
        Overlay::Lines(lines) => (
            rows_of(to_read(app, lines, columns, rows)),
            reading_keys(app),
        ),
        Overlay::Choices(picker) => (to_choose(app, picker, columns, rows), choosing_keys(app)),
        Overlay::Palette(shown) => (palette::rows(app, shown, columns, rows), palette::keys(app)),
    };
    let mut lines = filled(lines, rows.saturating_sub(1));
    let keys = Line::styled(fit(&keys, columns), app.setup.theme.dim);
    lines.push(keys.into());
    lines
}

fn to_read(app: &App, lines: &OverlayLines, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let all = lines.rows(columns).into_iter();
    let all = all.map(|line| Line::raw(format!(" {line}")));
    let room = rows.saturating_sub(2);
    let title = rule(&lines.title, columns, app.setup.theme.strong);
    let shown = scrolled(all.collect(), lines.scroll, room, &app.setup.theme);
    std::iter::once(title).chain(shown).collect()
}

fn to_choose(app: &App, picker: &Picker, columns: usize, rows: usize) -> Vec<Row> {
    let theme = &app.setup.theme;
    let (mut lines, mut number, mut bottom) = (Vec::<Row>::new(), 0, 0);
    for group in &picker.choices.groups {
        lines.push(rule(&group.title, columns, theme.strong).into());
        for choice in &group.choices {
            let is_chosen = number == picker.row;
            let rows = choice_rows(app, choice, is_chosen, columns);
            lines.extend(rows.map(|row| Row::of(row, Target::Choice(number))));
            if is_chosen {
                bottom = lines.len().saturating_sub(1);
            }
            number += 1;
        }
    }
    window(lines, bottom, rows.saturating_sub(1), theme)
}

/// A choice in one row or two: `>` is the chosen one, `*` what the user has already.
fn choice_rows(
    app: &App,
    choice: &Choice,
    is_chosen: bool,
    columns: usize,
) -> impl Iterator<Item = Line<'static>> {
    let theme = &app.setup.theme;
    let sign = if is_chosen { '>' } else { ' ' };
    let mark = if choice.is_current { '*' } else { ' ' };
    let style = if is_chosen {
        theme.chosen
    } else {
        Style::default()
    };
    let text = format!(" {sign}{mark} {}", choice.text);
    let more = (!choice.more.is_empty()).then(|| format!("      {}", choice.more));
    let more = more.map(|more| Line::styled(fit(&more, columns), theme.dim));
    std::iter::once(Line::styled(fit(&text, columns), style)).chain(more)
}

fn reading_keys(app: &App) -> String {
    let name = |action| app.setup.keys.name(action);
    let to_pane = match app.focus {
        Focus::Prompt => format!("{} ", name(KeyAction::SwitchPane)),
        Focus::Pane => String::new(),
    };
    t!(
        " {close} closes, {up} and {down} scroll, {to_pane}{find} finds",
        close = name(KeyAction::Close),
        up = name(KeyAction::ItemUp),
        down = name(KeyAction::ItemDown),
        to_pane,
        find = name(KeyAction::Search)
    )
}

fn choosing_keys(app: &App) -> String {
    let name = |action| app.setup.keys.name(action);
    t!(
        " {up} and {down} choose, {open} takes it, {close} leaves it, {find} finds; * is what you have",
        up = name(KeyAction::ItemUp),
        down = name(KeyAction::ItemDown),
        open = name(KeyAction::Open),
        close = name(KeyAction::Close),
        find = name(KeyAction::Search)
    )
}
