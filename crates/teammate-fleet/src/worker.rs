//! One worker: what it does about what it hears, reads and is answered.
//!
//! `joining -> ready -> draining -> gone`, and `alone` besides `ready` and `draining` while it does not hear itself. What it wants of
//! the journal is in [`wants`], derived from what it knows at each step, so nothing is kept that could grow old.

mod tenures;
mod wants;

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{Hash, Hasher},
    sync::Arc,
};

use teammate_core::{
    MemberName,
    name::WorkerName,
    team::{Label, PlaceChange, PlaceEvent, Placements, Shortfall, Term, Walls, WorkerStop},
};
use uuid::Uuid;

use crate::{
    ALONE_AFTER, Appender, Beat, COMMANDS_END_AFTER, JournalLine, MISSED_MAX, TenureState,
    WorkerEffect, WorkerInput,
    append::Step,
    pulse::Pulse,
    rules::{Rule, Rules},
    tenure::Tenure,
};

/// The phase of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Listens whether its name is taken, for so many seconds by now; then joins.
    Joining {
        /// How long it has listened.
        listened: u8,
    },
    /// Runs members.
    Ready,
    /// Its members are being moved.
    Draining,
    /// It has ended.
    Gone,
}

/// A worker.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Worker<E> {
    name: WorkerName,
    session: Uuid,
    labels: BTreeSet<Label>,
    places: u16,
    walls: Walls,
    phase: Phase,
    pulse: Pulse,
    fold: Folded,
    journal: Appender<Vec<PlaceEvent>>,
    /// The journal was appended to, or refused it: nothing is decided before it is read.
    must_read: bool,
    running: Arc<BTreeMap<MemberName, BTreeSet<Label>>>,
    tenures: BTreeMap<MemberName, Tenure<E>>,
    rules: Rules,
}

/// The fold of the journal as far as it is known: the same at equal length, so its hash adds nothing to the length's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Folded(Arc<Placements>);

impl Hash for Folded {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<E: Clone + PartialEq> Worker<E> {
    /// A worker that is about to join.
    pub fn new(name: WorkerName, session: Uuid, labels: BTreeSet<Label>, places: u16) -> Self {
        Self {
            name,
            session,
            labels,
            places,
            walls: Walls::default(),
            phase: Phase::Joining { listened: 0 },
            pulse: Pulse::default(),
            fold: Folded::default(),
            journal: Appender::new(session, Term::NONE),
            must_read: true,
            running: Arc::default(),
            tenures: BTreeMap::new(),
            rules: Rules::default(),
        }
    }

    /// A worker whose members these walls hold.
    #[must_use]
    pub fn within(mut self, walls: Walls) -> Self {
        self.walls = walls;
        self
    }

    /// A worker that knows the journal up to this length, and its workers and placements.
    #[must_use]
    pub fn knowing(mut self, length: u64, placements: Placements) -> Self {
        for (worker, _) in placements.workers() {
            if *worker != self.name {
                self.pulse.expect(worker);
            }
        }
        self.journal.skip_to(length);
        self.fold = Folded(Arc::new(placements));
        self.must_read = false;
        self
    }

    #[cfg(test)]
    pub(crate) fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// The phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether it does not hear itself: it begins nothing.
    pub fn is_alone(&self) -> bool {
        self.pulse.own_silence() >= ALONE_AFTER
    }

    /// The walls that it lacks of those the team demands, if any: it begins nothing then.
    pub fn shortfall(&self) -> Option<Shortfall> {
        self.walls.shortfall(self.fold.0.demanded())
    }

    /// For how many seconds it has not heard itself, at most [`COMMANDS_END_AFTER`].
    pub fn own_silence(&self) -> u8 {
        self.pulse.own_silence()
    }

    /// Workers and who holds whom, as far as it has read.
    pub fn placements(&self) -> &Placements {
        &self.fold.0
    }

    /// How much of the journal it knows.
    pub fn journal_length(&self) -> u64 {
        self.journal.length()
    }

    /// How far it is with a member.
    pub fn tenure(&self, member: &MemberName) -> Option<TenureState> {
        self.tenures.get(member).map(|tenure| tenure.state)
    }

    /// Takes what happened; says what to do.
    pub fn step(&mut self, input: WorkerInput<E>) -> Vec<WorkerEffect<E>> {
        if self.phase == Phase::Gone {
            return Vec::new();
        }
        let mut effects = Vec::new();
        match input {
            WorkerInput::Elapsed(seconds) => self.elapsed(seconds, &mut effects),
            WorkerInput::Beat(beat) => self.heard(&beat, &mut effects),
            WorkerInput::Pong { worker, answer } => self.pulse.answer(&worker, answer),
            WorkerInput::Running(members) => self.running = Arc::new(members),
            WorkerInput::Journal(lines) => self.read_journal(&lines, &mut effects),
            WorkerInput::JournalOutcome { id, outcome } => match self.journal.take(id, outcome) {
                Step::Again(append) => effects.push(WorkerEffect::AppendJournal(append)),
                Step::Stored(_) | Step::ReadUp => self.read_on(&mut effects),
                Step::Nothing => {}
            },
            WorkerInput::Transcript { member, lines } => {
                let rules = self.rules;
                self.turn(&member, &mut effects, |tenure| tenure.read(&lines, rules));
            }
            WorkerInput::TranscriptOutcome {
                member,
                id,
                outcome,
            } => {
                let rules = self.rules;
                self.turn(&member, &mut effects, |tenure| {
                    tenure.outcome(id, outcome, rules)
                });
            }
            WorkerInput::Record { member, entry } => self.record(&member, entry, &mut effects),
            WorkerInput::Drain => self.drain(&mut effects),
        }
        self.want(&mut effects);
        effects
    }

    fn elapsed(&mut self, seconds: u8, effects: &mut Vec<WorkerEffect<E>>) {
        let before = self.pulse.own_silence();
        self.pulse.elapse(seconds);
        if let Phase::Joining { listened } = &mut self.phase {
            *listened = listened.saturating_add(seconds).min(MISSED_MAX);
            // Who has not joined beats not: it listens whether its name is taken.
            self.pulse.hear_own();
            return;
        }
        effects.extend(self.beat().map(WorkerEffect::Beat));
        let after = self.pulse.own_silence();
        if before < COMMANDS_END_AFTER && after >= COMMANDS_END_AFTER {
            let ended = self.tenures.iter().filter(|(_, tenure)| tenure.is_held());
            effects.extend(ended.map(|(member, _)| WorkerEffect::EndCommands {
                member: member.clone(),
            }));
        }
        // Its own network may be what is down: then it asks nobody and accuses nobody.
        if !self.is_alone() {
            effects.extend(self.pulse.ask_silent().into_iter().map(WorkerEffect::Ping));
        }
    }

    /// Its sign of life; none before it has joined and once it has ended.
    pub fn beat(&self) -> Option<Beat> {
        match self.phase {
            Phase::Ready | Phase::Draining => Some(Beat {
                worker: self.name.clone(),
                session: self.session,
                is_draining: self.phase == Phase::Draining,
                rests: None,
            }),
            Phase::Joining { .. } | Phase::Gone => None,
        }
    }

    fn heard(&mut self, beat: &Beat, effects: &mut Vec<WorkerEffect<E>>) {
        if beat.worker != self.name {
            self.pulse.hear(beat);
        } else if beat.session != self.session {
            self.pulse.hear_double();
        } else {
            self.pulse.hear_own();
            if self.shortfall().is_none() {
                self.begin_withheld(effects);
            }
        }
    }

    fn drain(&mut self, effects: &mut Vec<WorkerEffect<E>>) {
        match self.phase {
            Phase::Ready => self.phase = Phase::Draining,
            Phase::Joining { .. } => self.stop(WorkerStop::Drained, effects),
            Phase::Draining | Phase::Gone => {}
        }
    }

    fn read_on(&mut self, effects: &mut Vec<WorkerEffect<E>>) {
        self.journal.drop_in_flight();
        self.must_read = true;
        effects.push(WorkerEffect::ReadJournal {
            from: self.journal.length(),
        });
    }

    fn read_journal(&mut self, lines: &[JournalLine], effects: &mut Vec<WorkerEffect<E>>) {
        // What is in flight was decided from a shorter journal. Its outcome will say so; until then it stays.
        self.journal.skip(lines.len());
        self.must_read = false;
        for change in lines.iter().flat_map(|line| &line.changes) {
            Arc::make_mut(&mut self.fold.0).take(change);
            match change {
                PlaceChange::Event(event) => self.learn(event, effects),
                PlaceChange::Tightened(_) => self.end_unheld(effects),
                // Who held it closes it: its placement is over.
                PlaceChange::Released(_) => {}
            }
        }
        self.follow_placements(effects);
    }

    fn learn(&mut self, event: &PlaceEvent, effects: &mut Vec<WorkerEffect<E>>) {
        match event {
            PlaceEvent::Joined {
                worker, session, ..
            } if *worker == self.name => {
                if *session == self.session {
                    self.phase = Phase::Ready;
                } else if self.phase == Phase::Ready || self.phase == Phase::Draining {
                    self.stop(WorkerStop::Replaced, effects);
                }
            }
            PlaceEvent::Left { worker } if *worker == self.name => {
                if self.phase == Phase::Draining {
                    self.stop(WorkerStop::Drained, effects);
                }
            }
            PlaceEvent::Joined { worker, .. } => self.pulse.expect(worker),
            PlaceEvent::Left { worker } => self.pulse.forget(worker),
            PlaceEvent::Stewarded { .. }
            | PlaceEvent::Placed { .. }
            | PlaceEvent::Moved { .. }
            | PlaceEvent::Delivered { .. } => {}
            PlaceEvent::Demanded { .. } => self.end_unheld(effects),
        }
    }

    /// The team demands more than this worker has: what its members run ends. They are moved, or go on when it demands less.
    fn end_unheld(&self, effects: &mut Vec<WorkerEffect<E>>) {
        if self.shortfall().is_some() {
            let ended = self.tenures.iter().filter(|(_, tenure)| tenure.is_held());
            effects.extend(ended.map(|(member, _)| WorkerEffect::EndCommands {
                member: member.clone(),
            }));
        }
    }

    fn stop(&mut self, why: WorkerStop, effects: &mut Vec<WorkerEffect<E>>) {
        self.phase = Phase::Gone;
        self.close_all(effects);
        effects.push(WorkerEffect::Stop(why));
    }

    fn may_begin(&self) -> bool {
        let is_alone = self.is_alone() && self.rules.hold(Rule::AloneBeginsNothing);
        !is_alone && self.shortfall().is_none()
    }
}

#[cfg(test)]
mod tests;
