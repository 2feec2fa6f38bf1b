//! Numbers with their words, how much of a list or a text is shown, and what one that is cut says of its rest.

use crate::{
    language::{filled, translation},
    t,
};

/// `1 line`, `3 lines`.
///
/// In another language the words for many are the key, behind a hole for the number: `{count} lines`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    match (count, translation(&format!("{{count}} {many}"))) {
        (_, Some(template)) => filled(template, &[("count", &count)]),
        (1, None) => format!("1 {one}"),
        (count, None) => format!("{count} {many}"),
    }
}

/// The end of a list of which only some entries are shown: `3 more`. Nothing if it is whole.
pub fn more(total: usize, shown: usize) -> Option<String> {
    let hidden = total.saturating_sub(shown);
    (hidden > 0).then(|| t!("{count} more", count = hidden))
}

/// Whether something long is shown whole. "All" is a word of its own: a number that stands for it would be counted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// At most so many lines.
    To(usize),
}

impl Extent {
    /// How many of so many lines are shown.
    pub fn lines_of(self, all: usize) -> usize {
        match self {
            Self::Whole => all,
            Self::To(most) => most.min(all),
        }
    }
}

/// The piece of a list that is shown, and how much of it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// How many entries come before it.
    pub above: usize,
    pub shown: usize,
    /// How many come after it.
    pub below: usize,
    has_room: bool,
}

impl Window {
    /// Which of `total` entries stand in so many rows, the chosen one among them. Where not all fit, one row is left for what
    /// is hidden, if there is more than one.
    pub fn of(total: usize, chosen: usize, rows: usize) -> Self {
        let shown = Self::shown(total, rows);
        let chosen = chosen.min(total.saturating_sub(1));
        let above = chosen.saturating_add(1).saturating_sub(shown.max(1));
        Self::from(total, above, rows)
    }

    /// The extent from this entry on.
    pub fn from(total: usize, above: usize, rows: usize) -> Self {
        let above = above.min(total);
        let shown = Self::shown(total, rows).min(total.saturating_sub(above));
        Self {
            above,
            shown,
            below: total.saturating_sub(above.saturating_add(shown)),
            has_room: rows > 1,
        }
    }

    fn shown(total: usize, rows: usize) -> usize {
        match (total <= rows, rows) {
            (true, _) => total,
            (false, 0 | 1) => rows,
            (false, rows) => rows.saturating_sub(1),
        }
    }

    /// The number of hidden entries, in words, for a row of its own; nothing if all is shown, or there is no such row.
    pub fn hidden(self) -> Option<String> {
        match (self.above, self.below) {
            _ if !self.has_room => None,
            (0, 0) => None,
            (0, below) => Some(t!("{count} more", count = below)),
            (above, 0) => Some(t!("{above} more above", above)),
            (above, below) => Some(t!("{above} more above, {below} below", above, below)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_is_cut_says_how_much_is_missing() {
        assert_eq!(more(4, 3).as_deref(), Some("1 more"));
        assert_eq!(more(3, 3), None);
        assert_eq!(counted(1, "line", "lines"), "1 line");
        assert_eq!(counted(0, "line", "lines"), "0 lines");
    }

    #[test]
    fn a_window_shows_the_chosen_entry_and_accounts_for_every_other() {
        for total in 0..30 {
            for rows in 0..12 {
                for chosen in 0..32 {
                    let part = Window::of(total, chosen, rows);
                    assert_eq!(part.above + part.shown + part.below, total);
                    let used = part.shown + usize::from(part.hidden().is_some());
                    assert!(used <= rows, "{part:?} in {rows}");
                    assert!(rows < 2 || part.shown == total || part.hidden().is_some());
                    if rows > 0 && total > 0 {
                        let chosen = chosen.min(total - 1);
                        assert!((part.above..part.above + part.shown).contains(&chosen));
                    }
                }
            }
        }
        assert_eq!(Window::of(101, 0, 5).hidden().as_deref(), Some("97 more"));
        let middle = Window::of(101, 50, 5).hidden();
        assert_eq!(middle.as_deref(), Some("47 more above, 50 below"));
        assert_eq!(Window::of(5, 4, 5).hidden(), None);
    }
}
