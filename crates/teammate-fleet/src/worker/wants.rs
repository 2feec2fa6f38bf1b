//! The wishes of a worker on the journal, from what it knows now: to join, to claim the stewardship, as the steward to place
//! and move members, to leave. It is decided by the core's rules and appended under compare; after a conflict it is thought
//! of anew.

use std::collections::BTreeSet;

use teammate_core::{
    MemberName,
    name::WorkerName,
    team::{
        JournalFormat, Label, MoveWhy, PlaceCommand, PlaceRefusal, SeenWorker, StewardTerm, Term,
        WorkerStop,
    },
};

use super::{Phase, Worker};
use crate::{MISSED_MAX, WorkerEffect};

impl<E: Clone + PartialEq> Worker<E> {
    /// Appends what it wants most, if nothing is in flight and all is read.
    pub(super) fn want(&mut self, effects: &mut Vec<WorkerEffect<E>>) {
        if self.must_read || self.journal.in_flight().is_some() || self.is_alone() {
            return;
        }
        for command in self.wants() {
            match self.fold.0.decide(&command, &BTreeSet::new()) {
                Ok(events) if events.is_empty() => {}
                Ok(events) => {
                    let append = self.journal.begin(events);
                    effects.push(WorkerEffect::AppendJournal(append));
                    return;
                }
                Err(refusal) => {
                    if let Phase::Joining { .. } = self.phase {
                        self.stop(WorkerStop::Refused(refusal), effects);
                        return;
                    }
                    self.expect_refusal(&refusal);
                }
            }
        }
    }

    /// Nobody to take a member is no error: it waits for a worker. Another refusal would be a bug of [`Self::wants`].
    fn expect_refusal(&self, refusal: &PlaceRefusal) {
        debug_assert!(
            matches!(refusal, PlaceRefusal::NoWorker { .. }),
            "{}: {refusal}",
            self.name
        );
    }

    fn wants(&self) -> Vec<PlaceCommand> {
        match self.phase {
            Phase::Joining { listened } if listened >= MISSED_MAX => vec![self.join()],
            Phase::Joining { .. } | Phase::Gone => Vec::new(),
            Phase::Ready | Phase::Draining => self.wants_of_member(),
        }
    }

    fn wants_of_member(&self) -> Vec<PlaceCommand> {
        let (worker, session) = (self.name.clone(), self.session);
        if self.phase == Phase::Draining && self.fold.0.held_by(&self.name).next().is_none() {
            return vec![PlaceCommand::Leave { worker, session }];
        }
        match self.fold.0.steward() {
            Some(steward) if steward.worker == self.name => self.wants_of_steward(steward),
            steward if self.is_successor(steward) => {
                let last = steward.map_or(Term::NONE, |steward| steward.term);
                let term = last.next();
                vec![PlaceCommand::Claim {
                    worker,
                    session,
                    term,
                }]
            }
            Some(_) | None => Vec::new(),
        }
    }

    fn join(&self) -> PlaceCommand {
        PlaceCommand::Join {
            worker: self.name.clone(),
            session: self.session,
            labels: self.labels.clone(),
            places: self.places,
            walls: self.walls.clone(),
            format: JournalFormat::NOW,
            seen: if self.pulse.has_double() {
                SeenWorker::Beating
            } else {
                SeenWorker::Silent
            },
        }
    }

    /// Nobody decides, and this is the first living worker by name.
    fn is_successor(&self, steward: Option<&StewardTerm>) -> bool {
        let fold = &self.fold.0;
        let is_over = steward.is_none_or(|steward| {
            self.pulse.is_silent(&steward.worker) || fold.worker(&steward.worker).is_none()
        });
        let mut living = fold
            .workers()
            .map(|(name, _)| name)
            .filter(|name| **name == self.name || !self.pulse.is_silent(name));
        is_over && living.next() == Some(&self.name)
    }

    fn wants_of_steward(&self, by: &StewardTerm) -> Vec<PlaceCommand> {
        let unfit = self.unfit();
        let fold = &self.fold.0;
        let moves = fold.placements().filter_map(|(member, placement)| {
            let worker = placement.worker.as_ref()?;
            let why = self.why_to_move(worker)?;
            Some(PlaceCommand::Move {
                by: by.clone(),
                member: member.clone(),
                term: placement.term,
                why,
                needs: self.needs_of(member),
                silent: unfit.clone(),
            })
        });
        let is_nowhere = |member: &&MemberName| {
            let placement = fold.placement(member);
            placement.is_none_or(|placement| placement.worker.is_none())
        };
        let places = self.running.keys().filter(is_nowhere);
        let places = places.map(|member| PlaceCommand::Place {
            by: by.clone(),
            member: member.clone(),
            needs: self.needs_of(member),
            silent: unfit.clone(),
        });
        moves.chain(places).collect()
    }

    /// The labels that a member needs of a worker, as far as it runs.
    fn needs_of(&self, member: &MemberName) -> BTreeSet<Label> {
        self.running.get(member).cloned().unwrap_or_default()
    }

    /// Only who was silent and did not answer is lost: five beats, and a ping. Who drains, or holds members less well than the team
    /// demands, gives them up.
    fn why_to_move(&self, worker: &WorkerName) -> Option<MoveWhy> {
        let is_draining = match *worker == self.name {
            true => self.phase == Phase::Draining,
            false => self.pulse.is_draining(worker),
        };
        if *worker != self.name && self.pulse.is_lost(worker) {
            Some(MoveWhy::Lost)
        } else if is_draining {
            Some(MoveWhy::Drained)
        } else {
            let falls_short = self.fold.0.shortfall(worker).is_some();
            falls_short.then_some(MoveWhy::Unheld)
        }
    }

    /// The workers that get no members now, as far as it hears: those that are silent, or drain.
    pub fn unfit(&self) -> BTreeSet<WorkerName> {
        let names = self.fold.0.workers().map(|(name, _)| name);
        let is_unfit = |name: &&WorkerName| match **name == self.name {
            true => self.phase == Phase::Draining,
            false => self.pulse.is_silent(name) || self.pulse.is_draining(name),
        };
        names.filter(is_unfit).cloned().collect()
    }
}
