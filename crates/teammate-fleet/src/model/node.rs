//! A process: its worker, the drivers of its members, and what is under way between it and the engine.

use teammate_core::team::{PlaceEvent, Term};
use uuid::Uuid;

use super::{
    MEMBERS, WORKERS,
    engine::{Entry, TextLine, What},
    worker_name,
};
use crate::{Append, Beat, Phase, TenureLine, Worker, rules::Rules};

/// A member's driver, as far as it matters here.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Driver {
    pub(super) term: Term,
    /// The last thing that it knows to be in the transcript.
    pub(super) last: Option<What>,
    /// A command runs.
    pub(super) runs: bool,
}

/// A process.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) name: usize,
    pub(super) session: Uuid,
    pub(super) is_dead: bool,
    pub(super) worker: Worker<Entry>,
    pub(super) drivers: [Option<Driver>; MEMBERS],
    pub(super) to_journal: Option<Append<Vec<PlaceEvent>>>,
    pub(super) to_transcript: [Option<Append<TenureLine<Entry>>>; MEMBERS],
    /// Transcripts that it is about to read, before it takes them.
    pub(super) opens: [bool; MEMBERS],
    pub(super) pings: [bool; WORKERS],
}

impl Node {
    pub(super) fn new(name: usize, session: u128, rules: Rules) -> Self {
        let session = Uuid::from_u128(session);
        let worker = Worker::new(worker_name(name), session, [].into(), 4);
        Self {
            name,
            session,
            is_dead: false,
            worker: worker.with_rules(rules),
            drivers: [const { None }; MEMBERS],
            to_journal: None,
            to_transcript: [const { None }; MEMBERS],
            opens: [false; MEMBERS],
            pings: [false; WORKERS],
        }
    }

    /// Whether it is a process that does something.
    pub(super) fn lives(&self) -> bool {
        !self.is_dead && self.worker.phase() != Phase::Gone
    }

    /// Its beat, if it sends any.
    pub(super) fn beat(&self) -> Option<Beat> {
        match self.worker.phase() {
            Phase::Ready | Phase::Draining if !self.is_dead => Some(Beat {
                worker: worker_name(self.name),
                session: self.session,
                is_draining: self.worker.phase() == Phase::Draining,
                rests: None,
            }),
            Phase::Ready | Phase::Draining | Phase::Joining { .. } | Phase::Gone => None,
        }
    }
}

impl Driver {
    /// A driver that has read these lines.
    pub(super) fn opened(term: Term, lines: &[TextLine]) -> Self {
        Self {
            term,
            last: lines.iter().filter_map(TextLine::what).max(),
            runs: false,
        }
    }

    /// The entry that it appends next. A call that an earlier holder left open is answered, never begun.
    pub(super) fn next(&self) -> Option<Entry> {
        let what = match self.last {
            None => What::Heard,
            Some(What::Heard) => What::Called,
            Some(What::Called) => What::Done,
            Some(What::Done) => return None,
        };
        let term = self.term;
        Some(Entry { term, what })
    }
}
