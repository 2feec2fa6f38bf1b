//! An append under compare, from the writer's side: what to do about a lost answer, a busy engine, a conflict.
//!
//! It does not know what a conflict means; the one who appends reads up and decides.

use teammate_core::team::Term;
use uuid::Uuid;

/// Names an append for ever: the same text sent again is stored once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AppendId {
    /// The writer: one session of a worker.
    pub writer: Uuid,
    /// Under which term it writes a transcript; none for the journal. Without it a member that comes back would find its old names.
    pub term: Term,
    /// Counts its appends to this log under the term.
    pub number: u64,
}

/// Something to append.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Append<P> {
    pub id: AppendId,
    /// How long the log must be: otherwise it is a conflict.
    pub expects: u64,
    pub payload: P,
}

/// How an append ended, as an adapter knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AppendOutcome {
    /// It is in the log, durably, at this place; perhaps since an earlier try.
    Stored { at: u64 },
    /// The engine does not say: another append is in flight (NATS: error 10164). This is no verdict.
    Busy,
    /// The log is longer than was expected (NATS: error 10071).
    Conflict,
    /// No answer came in time: it may be in the log or may still get there.
    Silence,
}

/// The step that follows from an outcome.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step<P> {
    /// Send the same again.
    Again(Append<P>),
    /// It is in the log.
    Stored(P),
    /// Read the log to its end, then see.
    ReadUp,
    /// Nothing was in flight: a late answer to what has ended.
    Nothing,
}

/// The end of a log as one writer knows it, and its append in flight. There is at most one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Appender<P> {
    writer: Uuid,
    term: Term,
    number: u64,
    length: u64,
    in_flight: Option<Append<P>>,
}

impl<P: Clone> Appender<P> {
    /// A writer that has read nothing yet.
    pub fn new(writer: Uuid, term: Term) -> Self {
        Self {
            writer,
            term,
            number: 0,
            length: 0,
            in_flight: None,
        }
    }

    /// How much of the log is known.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The append in flight.
    pub fn in_flight(&self) -> Option<&Append<P>> {
        self.in_flight.as_ref()
    }

    /// Begins an append, under a name of its own. Nothing may be in flight.
    pub fn begin(&mut self, payload: P) -> Append<P> {
        let id = AppendId {
            writer: self.writer,
            term: self.term,
            number: self.number,
        };
        self.number += 1;
        self.send(id, payload)
    }

    /// Takes the answer to an append. One to what is no longer in flight is nothing.
    pub fn take(&mut self, id: AppendId, outcome: AppendOutcome) -> Step<P> {
        let Some(append) = self.in_flight.as_ref().filter(|append| append.id == id) else {
            return Step::Nothing;
        };
        match outcome {
            AppendOutcome::Busy | AppendOutcome::Silence => Step::Again(append.clone()),
            AppendOutcome::Conflict => Step::ReadUp,
            AppendOutcome::Stored { at: _ } => {
                let stored = self.in_flight.take();
                stored.map_or(Step::Nothing, |append| Step::Stored(append.payload))
            }
        }
    }

    /// The log was read on, by the names of its new lines. `Stored` if what is in flight is among them.
    pub fn read(&mut self, ids: impl IntoIterator<Item = AppendId>) -> Step<P> {
        let mine = self.in_flight.as_ref().map(|append| append.id);
        let mut is_stored = false;
        for id in ids {
            self.length += 1;
            is_stored |= Some(id) == mine;
        }
        match self.in_flight.take_if(|_| is_stored) {
            Some(append) => Step::Stored(append.payload),
            None => Step::Nothing,
        }
    }

    /// The last line that is known is the own one, at this place. If others appended before it, they are still to be read.
    pub fn wrote(&mut self, at: u64) {
        if at == self.length {
            self.length += 1;
        }
    }

    /// The log was read on by so many lines, and it does not matter whose they are.
    pub fn skip(&mut self, lines: usize) {
        self.length += lines as u64;
    }

    /// The log is known up to this length.
    pub(crate) fn skip_to(&mut self, length: u64) {
        self.length = length;
    }

    /// Sends what is in flight again, at the end that is known now, under its old name: should the earlier try have been
    /// stored after all, it is stored once.
    pub fn resend(&mut self) -> Option<Append<P>> {
        let append = self.in_flight.take()?;
        Some(self.send(append.id, append.payload))
    }

    /// Gives up what is in flight: it was decided from what is no longer so. If it is stored all the same, reading shows it.
    pub fn drop_in_flight(&mut self) {
        self.in_flight = None;
    }

    fn send(&mut self, id: AppendId, payload: P) -> Append<P> {
        let append = Append {
            id,
            expects: self.length,
            payload,
        };
        self.in_flight = Some(append.clone());
        append
    }
}
