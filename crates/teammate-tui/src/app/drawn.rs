//! What was drawn where: a click and a wheel find it again. What they do is not known here.

use ratatui::layout::{Position, Rect};

use teammate_core::{MemberName, board::TaskId};

use super::ScreenKind;

/// The thing at a place of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A screen's name in the head.
    Screen(ScreenKind),
    Member(MemberName),
    Task(TaskId),
    /// A message, by its number.
    Mail(u64),
    /// A thing that needs the user, by its place.
    Need(usize),
    /// An entry of the story, by its number.
    Entry(u64),
    /// A choice of the list over the screen, by its place.
    Choice(usize),
}

/// A part of the screen that a wheel scrolls and a click gives the keys to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DrawnPane {
    /// The list or text over the screen.
    Overlay,
    /// The team beside another screen.
    Team,
    /// A member's story beside the team, or below it.
    Story,
    /// The chosen screen.
    Screen,
    Prompt,
}

/// The parts of a frame, and the things in them.
#[derive(Debug, Default)]
pub(crate) struct DrawnPlaces {
    panes: Vec<(Rect, DrawnPane)>,
    targets: Vec<(Rect, Target)>,
}

impl DrawnPlaces {
    pub(crate) fn add_pane(&mut self, area: Rect, pane: DrawnPane) {
        self.panes.push((area, pane));
    }

    pub(crate) fn add_target(&mut self, area: Rect, target: Target) {
        self.targets.push((area, target));
    }

    /// The part of the screen at this place.
    pub(crate) fn pane(&self, at: Position) -> Option<(Rect, DrawnPane)> {
        let mut panes = self.panes.iter();
        panes.find(|(area, _)| area.contains(at)).copied()
    }

    /// The thing at this place.
    pub(crate) fn target(&self, at: Position) -> Option<&Target> {
        let mut targets = self.targets.iter();
        let (_, target) = targets.find(|(area, _)| area.contains(at))?;
        Some(target)
    }
}
