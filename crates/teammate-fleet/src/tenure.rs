//! One member at one worker under one term: from reading its transcript over `Taken` to the end.
//!
//! Until `Taken` is the last line nothing is begun. From then on an older holder cannot append, since each of its appends is
//! compared with a length that is over; reading up it sees the newer term.

use teammate_core::team::Term;
use uuid::Uuid;

use crate::{
    Append, AppendId, AppendOutcome, Appender, TranscriptLine,
    append::Step,
    rules::{Rule, Rules},
};

/// A line that a holder appends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TenureLine<E> {
    /// The take-over.
    Taken(Term),
    /// The member's.
    Entry(E),
}

/// How far a holder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TenureState {
    /// Reads the transcript.
    Opening,
    /// Appends `Taken` until it is the last line.
    Taking,
    /// Holds the member.
    Held,
    /// Saw a newer term.
    Fenced,
    /// Saw lines of nobody.
    Forked,
}

/// The step of the worker that follows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Turn<E> {
    Send(Append<TenureLine<E>>),
    ReadUp { from: u64 },
    Opened { length: u64 },
    Recorded(E),
    Fenced,
    Forked,
    Nothing,
}

/// One member at one worker under one term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Tenure<E> {
    pub(crate) term: Term,
    pub(crate) state: TenureState,
    /// Recorded while the worker was alone: begins when it hears itself again, and never if the tenure is over by then.
    pub(crate) withheld: Option<E>,
    pub(crate) log: Appender<TenureLine<E>>,
}

impl<E: Clone> Tenure<E> {
    pub(crate) fn new(term: Term, writer: Uuid) -> Self {
        Self {
            term,
            state: TenureState::Opening,
            withheld: None,
            log: Appender::new(writer, term),
        }
    }

    /// Whether a driver runs here.
    pub(crate) fn is_held(&self) -> bool {
        self.state == TenureState::Held
    }

    /// The driver appends; it waits for one entry before it wants another.
    pub(crate) fn record(&mut self, entry: E) -> Turn<E> {
        let is_free = self.log.in_flight().is_none() && self.withheld.is_none();
        if self.is_held() && is_free {
            Turn::Send(self.log.begin(TenureLine::Entry(entry)))
        } else {
            Turn::Nothing
        }
    }

    pub(crate) fn outcome(
        &mut self,
        id: AppendId,
        outcome: AppendOutcome,
        rules: Rules,
    ) -> Turn<E> {
        if outcome == AppendOutcome::Busy && !rules.hold(Rule::BusyIsNoVerdict) {
            return self.end(TenureState::Fenced);
        }
        match self.log.take(id, outcome) {
            Step::Again(append) => Turn::Send(append),
            Step::ReadUp => Turn::ReadUp {
                from: self.log.length(),
            },
            Step::Stored(line) => {
                if let AppendOutcome::Stored { at } = outcome {
                    self.log.wrote(at);
                }
                self.stored(line)
            }
            Step::Nothing => Turn::Nothing,
        }
    }

    pub(crate) fn read(&mut self, lines: &[TranscriptLine], rules: Rules) -> Turn<E> {
        let step = self.log.read(lines.iter().map(|line| line.id));
        let newer = lines.iter().filter_map(|line| line.taken).max();
        if newer > Some(self.term) && rules.hold(Rule::Terms) {
            return self.end(TenureState::Fenced);
        }
        match (self.state, step) {
            (TenureState::Opening, _) => {
                let taken = self.log.begin(TenureLine::Taken(self.term));
                self.state = TenureState::Taking;
                if rules.hold(Rule::TakenFirst) {
                    return Turn::Send(taken);
                }
                self.log.drop_in_flight();
                self.opened()
            }
            (TenureState::Taking | TenureState::Held, Step::Stored(line)) => self.stored(line),
            (TenureState::Held, _) if !lines.is_empty() && rules.hold(Rule::Terms) => {
                self.end(TenureState::Forked)
            }
            (TenureState::Taking | TenureState::Held, _) => {
                self.log.resend().map_or(Turn::Nothing, Turn::Send)
            }
            (TenureState::Fenced | TenureState::Forked, _) => Turn::Nothing,
        }
    }

    fn stored(&mut self, line: TenureLine<E>) -> Turn<E> {
        match line {
            TenureLine::Taken(_) => self.opened(),
            TenureLine::Entry(entry) => Turn::Recorded(entry),
        }
    }

    fn opened(&mut self) -> Turn<E> {
        self.state = TenureState::Held;
        Turn::Opened {
            length: self.log.length(),
        }
    }

    fn end(&mut self, state: TenureState) -> Turn<E> {
        self.state = state;
        self.withheld = None;
        self.log.drop_in_flight();
        match state {
            TenureState::Forked => Turn::Forked,
            TenureState::Fenced
            | TenureState::Opening
            | TenureState::Taking
            | TenureState::Held => Turn::Fenced,
        }
    }
}
