//! The engine: logs that append under compare and know the names of their lines. It loses nothing, unless that is planted.

use teammate_core::team::Term;

use crate::{Append, AppendId, AppendOutcome, JournalLine, TenureLine};

/// The faults that are planted in the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum EngineFault {
    /// Appends are not compared.
    CompareLeftOut,
    /// An acknowledged append may be lost, once.
    SyncsOff,
}

/// How an append fares on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Fate {
    Answered,
    /// It is stored, and nobody hears of it.
    AnswerLost,
    Lost,
    Busy,
    /// It arrives later, and nobody hears of it.
    Late,
}

/// The entries that members write: a message heard, the call that follows, the call's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum What {
    Heard,
    Called,
    Done,
}

/// An entry, with the term of who wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    pub(super) term: Term,
    pub(super) what: What,
}

/// A line of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TextLine {
    pub(super) id: AppendId,
    pub(super) line: TenureLine<Entry>,
}

pub(super) trait Named {
    fn id(&self) -> AppendId;
}

impl Named for TextLine {
    fn id(&self) -> AppendId {
        self.id
    }
}

impl Named for JournalLine {
    fn id(&self) -> AppendId {
        self.id
    }
}

/// Appends `line`, whose name and expectation are `append`'s. Says the outcome, and whether the log has grown.
pub(super) fn store<L: Named + Clone, P>(
    log: &mut Vec<L>,
    append: &Append<P>,
    line: L,
    fault: Option<EngineFault>,
) -> (AppendOutcome, bool) {
    let known = log.iter().position(|known| known.id() == append.id);
    let length = log.len() as u64;
    match known {
        Some(at) => (AppendOutcome::Stored { at: at as u64 }, false),
        None if append.expects == length || fault == Some(EngineFault::CompareLeftOut) => {
            log.push(line);
            (AppendOutcome::Stored { at: length }, true)
        }
        None => (AppendOutcome::Conflict, false),
    }
}

impl TextLine {
    pub(super) fn term(&self) -> Term {
        match self.line {
            TenureLine::Taken(term) => term,
            TenureLine::Entry(entry) => entry.term,
        }
    }

    pub(super) fn taken(&self) -> Option<Term> {
        match self.line {
            TenureLine::Taken(term) => Some(term),
            TenureLine::Entry(_) => None,
        }
    }

    pub(super) fn what(&self) -> Option<What> {
        match self.line {
            TenureLine::Taken(_) => None,
            TenureLine::Entry(entry) => Some(entry.what),
        }
    }
}
