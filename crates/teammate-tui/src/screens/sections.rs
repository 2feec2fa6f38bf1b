//! Sections one below the other: each has a title, and as many of its rows as the height gives it. What the rows are is not known
//! here.

use ratatui::text::Line;
use teammate_view::{Window, more};

use super::{cut_row, filled};
use crate::{row::Row, theme::Theme};

/// Rows below a title.
pub(super) struct Section {
    title: Line<'static>,
    rows: Vec<Row>,
    shows: Shows,
    least: usize,
}

/// The rows of a section that is too long.
pub(super) enum Shows {
    /// Those around this one, and how many more there are.
    Around(usize),
    /// Those from this one on, or the last ones, and how many more there are.
    From(usize),
    /// The first ones, and how many more of so many entries there are; rows have so many of them.
    First { entries: usize, across: usize },
    /// The last ones. That there were others before is no news.
    Last,
}

impl Section {
    /// One that has `least` rows before others have more.
    pub(super) fn new(title: Line<'static>, rows: Vec<Row>, shows: Shows, least: usize) -> Self {
        Self {
            title,
            rows,
            shows,
            least,
        }
    }

    /// The rows that it fills, with its title.
    pub(super) fn height(&self) -> usize {
        match self.rows.len() {
            0 => 0,
            rows => rows + 1,
        }
    }
}

/// The sections that have rows, in exactly so many rows together; each says how much of it is cut.
pub(super) fn stacked(sections: Vec<Section>, rows: usize, theme: &Theme) -> Vec<Row> {
    let sections: Vec<_> = sections
        .into_iter()
        .filter(|section| section.height() > 0)
        .collect();
    let wants = sections
        .iter()
        .map(|section| (section.least + 1, section.height()));
    let shares = shares(&wants.collect::<Vec<_>>(), rows);
    let mut lines = Vec::with_capacity(rows);
    for (section, share) in sections.into_iter().zip(shares) {
        // A title alone says nothing.
        if share > 1 {
            lines.push(section.title.into());
            let room = share - 1;
            match section.shows {
                Shows::Around(chosen) => {
                    let part = Window::of(section.rows.len(), chosen, room);
                    lines.extend(shown(section.rows, part, theme));
                }
                Shows::From(above) => {
                    let last = section.rows.len().saturating_sub(room.saturating_sub(1));
                    let part = Window::from(section.rows.len(), above.min(last), room);
                    lines.extend(shown(section.rows, part, theme));
                }
                Shows::First { entries, across } => {
                    let part = Window::of(section.rows.len(), 0, room);
                    lines.extend(section.rows.into_iter().take(part.shown));
                    let cut = part.hidden().and(more(entries, part.shown * across));
                    lines.extend(cut.map(|cut| cut_row(&cut, theme).into()));
                }
                Shows::Last => {
                    let before = section.rows.len().saturating_sub(room);
                    lines.extend(section.rows.into_iter().skip(before));
                }
            }
        }
    }
    filled(lines, rows)
}

/// These rows, and how many entries are not among them: the head of a group is none.
fn shown(rows: Vec<Row>, part: Window, theme: &Theme) -> Vec<Row> {
    let has_heads = rows.iter().any(|row| !row.targets.is_empty());
    let count = |rows: &mut dyn Iterator<Item = &Row>| {
        rows.filter(|row| !has_heads || !row.targets.is_empty())
            .count()
    };
    let mut hidden = part;
    hidden.above = count(&mut rows.iter().take(part.above));
    hidden.below = count(&mut rows.iter().skip(part.above + part.shown));
    let shown = rows.into_iter().skip(part.above).take(part.shown);
    let cut = hidden.hidden().map(|hidden| cut_row(&hidden, theme).into());
    shown.chain(cut).collect()
}

/// The rows of each, of what it needs at least and what it would fill: first, in their order, what they need; the rest goes
/// round, a row each.
fn shares(wants: &[(usize, usize)], rows: usize) -> Vec<usize> {
    let mut left = rows;
    let mut shares: Vec<usize> = wants
        .iter()
        .map(|(least, fills)| {
            let share = (*least).min(*fills).min(left);
            left -= share;
            share
        })
        .collect();
    while left > 0 {
        let before = left;
        for (share, (_, fills)) in shares.iter_mut().zip(wants) {
            if left > 0 && *share < *fills {
                *share += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use teammate_view::theme::ThemePreset;

    use super::*;

    #[test]
    fn who_needs_little_leaves_its_room_to_the_others() {
        let two_of_many = [(3, 100), (3, 4), (3, 100)];
        assert_eq!(shares(&two_of_many, 30), [13, 4, 13]);
        assert_eq!(
            shares(&[(3, 5), (3, 4)], 30),
            [5, 4],
            "no more than it fills"
        );
        assert_eq!(shares(&two_of_many, 7), [3, 3, 1], "in their order");
        assert_eq!(shares(&two_of_many, 0), [0, 0, 0]);
        assert_eq!(shares(&[], 9), [0; 0]);
    }

    #[test]
    fn a_section_is_cut_with_a_word_and_an_empty_one_has_no_title() {
        let theme = Theme::of(ThemePreset::None);
        let rows = |count: usize| {
            (0..count)
                .map(|row| Line::raw(format!("row {row}")).into())
                .collect()
        };
        let section = |title: &'static str, count| {
            Section::new(Line::raw(title), rows(count), Shows::Around(0), 2)
        };
        let shown = stacked(
            vec![section("a", 9), section("b", 0), section("c", 2)],
            7,
            &theme,
        );
        let shown: Vec<String> = shown.iter().map(|row| row.line.to_string()).collect();
        assert_eq!(
            shown,
            ["a", "row 0", "row 1", "   … 7 more", "c", "row 0", "row 1"]
        );
    }
}
