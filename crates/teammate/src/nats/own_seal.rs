//! The seal of a user who has the servers of one machine alone: by the user's own key, without a circle.

use teammate_core::port::Seal;
use teammate_nats::layout::{TeamId, is_subject};
use teammate_store::seal::HmacSeal;

use crate::ownership::KnownTeams;

/// For what the wire's key is made: no team can have the name.
const WIRE: &str = "";

/// The seal of one user's processes for one team, and for the wire that all of them share.
pub(super) struct OwnSeal {
    team: HmacSeal,
    wire: HmacSeal,
}

impl OwnSeal {
    /// `None` where the next process would have another key.
    pub(super) fn of(teams: &KnownTeams, team: &TeamId) -> Option<Self> {
        Some(Self {
            team: teams.seal_on_servers(&team.to_string())?,
            wire: teams.seal_on_servers(WIRE)?,
        })
    }

    fn seal(&self, log: &str) -> &HmacSeal {
        match is_subject(log) {
            true => &self.wire,
            false => &self.team,
        }
    }
}

impl Seal for OwnSeal {
    fn sign(&self, log: &str, bytes: &[u8]) -> String {
        self.seal(log).sign(log, bytes)
    }

    fn verifies(&self, log: &str, bytes: &[u8], seal: &str) -> bool {
        self.seal(log).verifies(log, bytes, seal)
    }
}
