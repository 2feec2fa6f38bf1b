//! Where one stands in each screen.

use teammate_core::MemberName;
use teammate_view::t;

use super::Spot;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScreenKind {
    Team,
    Member,
    Board,
    Mail,
    Needs,
    Cost,
}

impl ScreenKind {
    pub(crate) const ALL: [Self; 6] = [
        Self::Team,
        Self::Member,
        Self::Board,
        Self::Mail,
        Self::Needs,
        Self::Cost,
    ];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Team => t("Team"),
            Self::Member => t("Member"),
            Self::Board => t("Board"),
            Self::Mail => t("Mail"),
            Self::Needs => t("Needs"),
            Self::Cost => t("Cost"),
        }
    }
}

/// The chosen row and the scrolled place, for each screen.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Whose story is shown.
    pub(crate) member: Option<MemberName>,
    /// The chosen row of the roster.
    pub(crate) team_row: usize,
    /// The row of the roster around which it is shown where none is chosen.
    pub(crate) team_beside: usize,
    pub(crate) task_row: usize,
    /// The chosen message, counted from the newest.
    pub(crate) mail_row: usize,
    pub(crate) need_row: usize,
    /// Rows of the action that is asked about that were scrolled past.
    pub(crate) need_scroll: usize,
    /// The most that it can be scrolled, as it was drawn last.
    pub(crate) need_end: usize,
    /// Rows of the table of costs that were scrolled past.
    pub(crate) cost_top: usize,
    /// The most that it can be scrolled, as it was drawn last.
    pub(crate) cost_end: usize,
    /// Rows from the end of the story; 0 follows it.
    pub(crate) back: usize,
    /// Where the story ended when one began to read up: what comes after it waits below.
    pub(crate) frozen: Option<u64>,
    /// Calls whose whole output is shown, by their place in the story.
    pub(crate) unfolded: std::collections::BTreeSet<u64>,
    pub(crate) all_unfolded: bool,
    /// Where in the story something was found, until one goes elsewhere.
    pub(crate) found: Option<Spot>,
}

impl Places {
    /// Whether all of a story's entry is shown.
    pub(crate) fn is_unfolded(&self, number: u64) -> bool {
        self.all_unfolded || self.unfolded.contains(&number)
    }

    /// Goes to this need, from its beginning on.
    pub(crate) fn choose_need(&mut self, row: usize) {
        (self.need_row, self.need_scroll) = (row, 0);
    }

    /// Moves a chosen row by `step` among `count` rows.
    pub(crate) fn step(row: &mut usize, step: isize, count: usize) {
        *row = row.saturating_add_signed(step).min(count.saturating_sub(1));
    }
}
