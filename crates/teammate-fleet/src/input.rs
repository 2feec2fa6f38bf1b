//! Inputs: what can happen to a worker.

use std::collections::{BTreeMap, BTreeSet};

use teammate_core::{
    MemberName,
    name::WorkerName,
    team::{Label, PlaceChange, Term},
};

use crate::{AppendId, AppendOutcome, Beat, PingAnswer};

/// An input: something that happened. `E` is an entry of a member's transcript.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WorkerInput<E> {
    /// So many seconds have passed, sleep of the machine included.
    Elapsed(u8),
    /// A beat was heard, perhaps the own one.
    Beat(Beat),
    /// A worker was asked whether it is there.
    Pong {
        worker: WorkerName,
        answer: PingAnswer,
    },
    /// These members have work to do or wait for it, and need a worker that has all of this.
    Running(BTreeMap<MemberName, BTreeSet<Label>>),
    /// The journal was read on from where it was known, to its end.
    Journal(Vec<JournalLine>),
    /// The append to the journal ended.
    JournalOutcome {
        id: AppendId,
        outcome: AppendOutcome,
    },
    /// A transcript was read on from where it was known, to its end.
    Transcript {
        member: MemberName,
        /// The new lines.
        lines: Vec<TranscriptLine>,
    },
    /// The append to a transcript ended.
    TranscriptOutcome {
        member: MemberName,
        id: AppendId,
        outcome: AppendOutcome,
    },
    /// A member that runs here wants to append this. Its driver waits for [`WorkerEffect::Recorded`](crate::WorkerEffect::Recorded).
    Record { member: MemberName, entry: E },
    /// The worker is to leave.
    Drain,
}

/// A record of the journal, as far as it concerns workers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JournalLine {
    pub id: AppendId,
    /// The changes of workers and placements among them.
    pub changes: Vec<PlaceChange>,
}

/// A line of a transcript, as far as it concerns who may append.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TranscriptLine {
    pub id: AppendId,
    /// The term, if it is a take-over.
    pub taken: Option<Term>,
}
