//! The six screens, each as rows of text for some columns and rows.

mod board;
mod cost;
mod mail;
mod member;
mod needs;
mod overlay;
mod palette;
mod sections;
mod team;
mod welcome;

pub(crate) use self::{
    board::board,
    cost::cost,
    mail::mail,
    member::member,
    needs::needs,
    overlay::overlay,
    team::{small, team},
    welcome::{new_team, welcome},
};

use ratatui::text::Line;
use teammate_view::{Window, more};

use crate::theme::Theme;

/// As many rows as there is room for, so that row `chosen` is among them, and how many are not.
fn window<R: From<Line<'static>>>(
    all: Vec<R>,
    chosen: usize,
    rows: usize,
    theme: &Theme,
) -> Vec<R> {
    let part = Window::of(all.len(), chosen, rows);
    windowed(all.into_iter(), part, theme)
}

/// The rows from this one on, where no row is chosen.
fn scrolled<R: From<Line<'static>>>(
    all: Vec<R>,
    above: usize,
    rows: usize,
    theme: &Theme,
) -> Vec<R> {
    let part = Window::from(all.len(), above, rows);
    windowed(all.into_iter(), part, theme)
}

/// These rows, and how many are not among them.
fn windowed<R: From<Line<'static>>>(
    all: impl Iterator<Item = R>,
    part: Window,
    theme: &Theme,
) -> Vec<R> {
    let mut lines: Vec<_> = all.skip(part.above).take(part.shown).collect();
    lines.extend(part.hidden().map(|hidden| cut_row(&hidden, theme).into()));
    lines
}

/// The first `most` of `total` rows below their title, and in one more how many are missing, or the last one if no other is;
/// nothing of an empty list.
fn titled<R: From<Line<'static>>>(
    title: Line<'static>,
    (total, most): (usize, usize),
    rows: impl Iterator<Item = R>,
    theme: &Theme,
) -> Vec<R> {
    let shown = if total > most + 1 { most } else { total };
    let title = (total > 0).then(|| title.into());
    let cut = more(total, shown).map(|more| cut_row(&more, theme).into());
    title
        .into_iter()
        .chain(rows.take(shown))
        .chain(cut)
        .collect()
}

/// The row at the place where a list is cut.
pub(crate) fn cut_row(hidden: &str, theme: &Theme) -> Line<'static> {
    Line::styled(format!("   … {hidden}"), theme.dim)
}

/// Exactly so many rows: the rest stays empty.
fn filled<R: Clone + Default>(mut lines: Vec<R>, rows: usize) -> Vec<R> {
    lines.truncate(rows);
    lines.resize(rows, R::default());
    lines
}

/// The lines, with how much is missing in the last one where not all fits.
fn filled_or_cut<R: Clone + Default + From<Line<'static>>>(
    lines: Vec<R>,
    rows: usize,
    theme: &Theme,
) -> Vec<R> {
    filled(window(lines, 0, rows, theme), rows)
}
