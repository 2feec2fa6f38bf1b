//! The fold.

use teammate_core::team::TeamState;

use crate::Fact;

/// A team as screens show it.
#[derive(Debug, Clone, Default)]
pub struct View {
    team: TeamState,
}

impl View {
    /// The team as the journal records it.
    pub fn team(&self) -> &TeamState {
        &self.team
    }

    /// Takes a fact. Never fails; what it does not know changes nothing.
    pub fn apply(&mut self, fact: &Fact) {
        match fact {
            Fact::Record(record) => self.team.replay(record),
            Fact::Event(_) | Fact::Clock(_) => {}
        }
    }
}
