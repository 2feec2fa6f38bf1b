//! Upkeep of the store by a process that has looked at a team or changed it. Only files want it.

use std::sync::Arc;

use teammate_core::{port::Disk, team::TeamState};
use teammate_store::{files::TeamDir, view_files};

use crate::{ownership::Proof, unaddressed_mail::unaddressed_mail};

/// The upkeep that this team's store wants.
pub(super) enum Upkeep {
    /// Files: how far the logs went is remembered outside of them, views beside them show the team, and other programs may have
    /// left something among them.
    OfFiles {
        disk: Arc<dyn Disk>,
        dir: TeamDir,
        proof: Proof,
    },
    /// A store that sees to itself.
    OfStore,
}

impl Upkeep {
    /// This process appended to the journal. If that is not remembered, a later loss goes unnoticed; nothing else breaks.
    pub(super) fn journal_grew(&self) {
        match self {
            Self::OfFiles { proof, .. } => drop(proof.remember_journal()),
            Self::OfStore => {}
        }
    }

    /// Remembers how far all logs went, for a process that has them to itself.
    pub(super) fn logs_grew(&self) {
        match self {
            Self::OfFiles { proof, .. } => drop(proof.remember()),
            Self::OfStore => {}
        }
    }

    /// Shows a team that no process runs, as it was and as it is now.
    pub(super) fn show(&self, before: &TeamState, now: &TeamState) {
        match self {
            Self::OfFiles { disk, dir, .. } => {
                // A view that cannot be written is out of date, and nothing else: it is never read back.
                let _ = view_files::write_tasks(&**disk, dir, before.board(), now.board());
                let _ = view_files::write_plans(&**disk, dir, before.requests(), now.requests());
            }
            Self::OfStore => {}
        }
    }

    /// Mail that no member will hear, in a sentence each.
    pub(super) fn unaddressed_mail(&self, team: &TeamState) -> Vec<String> {
        match self {
            Self::OfFiles { disk, dir, .. } => unaddressed_mail(&**disk, dir, team),
            Self::OfStore => Vec::new(),
        }
    }
}
