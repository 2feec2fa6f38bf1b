//! Effects: what a worker can want.

use teammate_core::{
    MemberName,
    name::WorkerName,
    team::{PlaceEvent, Term, WorkerStop},
};

use crate::{Append, Beat, TenureLine};

/// An effect for the runtime to carry out. Effects are done in their order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WorkerEffect<E> {
    Beat(Beat),
    /// Ask a worker whether it is there, for half a second.
    Ping(WorkerName),
    /// Append to the journal, and give the outcome.
    AppendJournal(Append<Vec<PlaceEvent>>),
    /// Read the journal on to its end.
    ReadJournal {
        /// From this record.
        from: u64,
    },
    /// Append to a transcript, and give the outcome.
    AppendTranscript {
        member: MemberName,
        append: Append<TenureLine<E>>,
    },
    /// Read a transcript on to its end.
    ReadTranscript {
        member: MemberName,
        /// From this line.
        from: u64,
    },
    /// Start the member's driver: the transcript is this worker's, up to `length`. Open calls are answered as after a crash.
    Open {
        member: MemberName,
        term: Term,
        /// How long the transcript is.
        length: u64,
    },
    /// An entry is in the transcript, and what follows from it may begin.
    Recorded {
        member: MemberName,
        term: Term,
        entry: E,
    },
    /// End the member's driver and its commands: another holds it.
    Close {
        member: MemberName,
        /// Under which term it was held.
        term: Term,
    },
    /// End the member's commands: this worker has been alone for so long that another may begin new ones.
    EndCommands {
        member: MemberName,
    },
    /// Stop the process, and say why.
    Stop(WorkerStop),
}
