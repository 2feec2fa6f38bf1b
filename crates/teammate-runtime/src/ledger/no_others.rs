//! The ledger of a program that runs a team by itself only, and is built without the feature `fleet`: nobody else decides, asks
//! or follows. So there are no values of these types.

use std::{collections::VecDeque, future::pending};

use teammate_core::{
    fold::DecisionOrigin,
    port::{CommandVerdict, Journal, JournalRead},
    team::{Placements, StewardTerm, TeamEvent},
};

use super::{CommitResult, LedgerTask, Submission};

/// The other workers of the team, where there are none.
pub(crate) enum LedgerPeers {}

/// Another worker that asked for a command.
pub(super) enum Asker {}

impl LedgerPeers {
    /// Nothing comes.
    pub(super) async fn next(_: &mut Option<Self>) {
        pending().await
    }

    pub(super) fn has_question(&self) -> bool {
        match *self {}
    }

    pub(super) fn decider(&self, _: &Placements) -> Option<StewardTerm> {
        match *self {}
    }

    pub(super) fn ask(
        &mut self,
        _: StewardTerm,
        _: u64,
        _: &mut VecDeque<Submission>,
    ) -> Option<Submission> {
        match *self {}
    }

    pub(super) fn publish(&mut self, _: &JournalRead, _: (&dyn Journal, u64), _: &[&TeamEvent]) {
        match *self {}
    }

    pub(super) fn read(&mut self, _: &JournalRead) -> bool {
        match *self {}
    }
}

impl Asker {
    pub(super) fn origin(&self) -> DecisionOrigin {
        match *self {}
    }

    pub(super) fn since(&self) -> u64 {
        match *self {}
    }

    pub(super) fn answer(self, _: CommitResult) {
        match self {}
    }

    pub(super) fn say(self, _: CommandVerdict) {
        match self {}
    }
}

impl LedgerTask {
    pub(super) async fn hear_others(&mut self, (): ()) {}
}
