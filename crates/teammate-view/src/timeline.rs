//! Looking at the past: the view after any number of facts.

use teammate_core::Timestamp;

use crate::{Fact, TeamView};

/// So many facts apart are views kept: a step back folds no more than these again.
const CHECKPOINT_EVERY: usize = 4_096;

/// The facts of a team in order, and where one stands among them. Costs the memory of all of them; drop it when the present is
/// looked at again.
pub struct Timeline {
    facts: Vec<Fact>,
    checkpoints: Vec<TeamView>,
    at: usize,
    view: TeamView,
}

impl Timeline {
    /// Stands behind the last fact.
    pub fn new(facts: Vec<Fact>) -> Self {
        let (mut view, mut checkpoints) = (TeamView::default(), Vec::new());
        for (number, fact) in facts.iter().enumerate() {
            if number % CHECKPOINT_EVERY == 0 {
                checkpoints.push(view.clone());
            }
            view.apply(fact);
        }
        Self {
            at: facts.len(),
            facts,
            checkpoints,
            view,
        }
    }

    /// The view where one stands.
    pub fn view(&self) -> &TeamView {
        &self.view
    }

    /// After how many facts one stands.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many facts there are.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Goes behind this many facts, or behind the last one.
    pub fn go_to(&mut self, at: usize) {
        let at = at.min(self.facts.len());
        let (mut from, nearest) = (self.at, at / CHECKPOINT_EVERY);
        if at < from || nearest * CHECKPOINT_EVERY > from {
            // The last checkpoint may be missing when the facts end there.
            let kept = nearest.min(self.checkpoints.len().saturating_sub(1));
            from = kept * CHECKPOINT_EVERY;
            self.view = self.checkpoints.get(kept).cloned().unwrap_or_default();
        }
        self.facts[from..at]
            .iter()
            .for_each(|fact| self.view.apply(fact));
        self.at = at;
    }

    /// Goes behind the last fact of this moment or an earlier one.
    pub fn go_to_moment(&mut self, moment: Timestamp) {
        let is_by_then = |fact: &Fact| fact.at().is_some_and(|at| at <= moment);
        let last = self.facts.iter().rposition(is_by_then);
        self.go_to(last.map_or(0, |place| place + 1));
    }

    /// Goes to the next fact, or back to the one before, that `is` holds for.
    pub fn go_where(&mut self, forward: bool, is: impl Fn(&Fact) -> bool) {
        let found = if forward {
            let later = self.facts.iter().skip(self.at);
            later.clone().position(&is).map(|place| self.at + place + 1)
        } else {
            let earlier = &self.facts[..self.at.saturating_sub(1)];
            earlier.iter().rposition(&is).map(|place| place + 1)
        };
        let end = if forward { self.facts.len() } else { 0 };
        self.go_to(found.unwrap_or(end));
    }
}
