//! The rules of workers and placements: a command gives events, or a refusal.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::{
    Delivery, Holding, JournalFormat, MoveWhy, PlaceCommand, PlaceEvent, PlaceRefusal, Placements,
    SeenWorker, StewardTerm, Unplaced, WallDemand,
};
use crate::{
    MemberName,
    id::Term,
    name::WorkerName,
    worker::{CommitId, Label},
};

impl Placements {
    /// Decides a command; `own` is what the member that it is about needs by itself.
    pub fn decide(
        &self,
        command: &PlaceCommand,
        own: &BTreeSet<Label>,
    ) -> Result<Vec<PlaceEvent>, PlaceRefusal> {
        let events = self.decide_by_rules(command, own)?;
        let formats = events.iter().map(JournalFormat::of_place);
        self.require_readable(formats.max().unwrap_or_default())?;
        Ok(events)
    }

    fn decide_by_rules(
        &self,
        command: &PlaceCommand,
        own: &BTreeSet<Label>,
    ) -> Result<Vec<PlaceEvent>, PlaceRefusal> {
        match command {
            PlaceCommand::Join {
                worker,
                session,
                labels,
                places,
                walls,
                format,
                seen,
            } => {
                let joined = PlaceEvent::Joined {
                    worker: worker.clone(),
                    session: *session,
                    labels: labels.clone(),
                    places: *places,
                    walls: walls.clone(),
                    format: *format,
                };
                self.join(worker, *session, *seen, joined)
            }
            PlaceCommand::Leave { worker, session } => self.leave(worker, *session),
            PlaceCommand::Claim {
                worker,
                session,
                term,
            } => self.claim(worker, *session, *term),
            PlaceCommand::Place {
                by,
                member,
                needs,
                silent,
            } => {
                let needs = needs.union(own).cloned().collect();
                self.place(by, member, &needs, silent)
            }
            PlaceCommand::Move {
                by,
                member,
                term,
                why,
                needs,
                silent,
            } => {
                let needs = needs.union(own).cloned().collect();
                let of = Unplaced {
                    member,
                    needs: &needs,
                    silent,
                };
                self.move_on(by, of, *term, *why)
            }
            PlaceCommand::Deliver { by, commit } => self.deliver(by, commit),
            PlaceCommand::Demand(demand) => Ok(self.demand(demand)),
        }
    }

    /// Whether all workers read what is of this format: nothing is recorded that one of them cannot read.
    pub fn require_readable(&self, format: JournalFormat) -> Result<(), PlaceRefusal> {
        let oldest = self.workers().min_by_key(|(_, worker)| worker.format);
        match oldest {
            Some((name, worker)) if worker.format < format => {
                Err(PlaceRefusal::OldWorker(name.clone()))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Whether a worker may speak for a member: it holds it, under the current term.
    pub fn require_holding(&self, by: &Holding) -> Result<(), PlaceRefusal> {
        let placement = self.placement(&by.member);
        let now = placement.map_or(Term::NONE, |placement| placement.term);
        match placement {
            Some(placement)
                if placement.term == by.term && placement.worker.as_ref() == Some(&by.worker) =>
            {
                Ok(())
            }
            Some(_) | None => Err(PlaceRefusal::OldTerm {
                member: by.member.clone(),
                asked: by.term,
                now,
            }),
        }
    }

    /// Whether this is the steward.
    pub fn require_steward(&self, by: &StewardTerm) -> Result<(), PlaceRefusal> {
        if self.steward.as_ref() == Some(by) {
            return Ok(());
        }
        let steward = self.steward.clone();
        Err(PlaceRefusal::NotSteward { steward })
    }

    fn require_session(&self, name: &WorkerName, session: Uuid) -> Result<(), PlaceRefusal> {
        match self.workers.get(name) {
            Some(worker) if worker.session == session => Ok(()),
            Some(_) => Err(PlaceRefusal::OldSession(name.clone())),
            None => Err(PlaceRefusal::UnknownWorker(name.clone())),
        }
    }

    /// Joins a worker anew: what its earlier session held is under a new term in the same record, so it can append nothing
    /// more.
    fn join(
        &self,
        name: &WorkerName,
        session: Uuid,
        seen: SeenWorker,
        joined: PlaceEvent,
    ) -> Result<Vec<PlaceEvent>, PlaceRefusal> {
        match self.workers.get(name) {
            Some(worker) if worker.session == session => return Ok(Vec::new()),
            Some(_) | None if seen == SeenWorker::Beating => {
                return Err(PlaceRefusal::NameTaken(name.clone()));
            }
            Some(_) | None => {}
        }
        let moved = self.held_by(name).map(|(member, term)| PlaceEvent::Moved {
            member: member.clone(),
            worker: name.clone(),
            term: term.next(),
            why: MoveWhy::Rejoined,
        });
        Ok([joined].into_iter().chain(moved).collect())
    }

    fn leave(&self, name: &WorkerName, session: Uuid) -> Result<Vec<PlaceEvent>, PlaceRefusal> {
        if !self.workers.contains_key(name) {
            return Ok(Vec::new());
        }
        self.require_session(name, session)?;
        let worker = name.clone();
        match self.held_by(name).count() {
            0 => Ok(vec![PlaceEvent::Left { worker }]),
            members => Err(PlaceRefusal::StillHolds { worker, members }),
        }
    }

    fn claim(
        &self,
        name: &WorkerName,
        session: Uuid,
        term: Term,
    ) -> Result<Vec<PlaceEvent>, PlaceRefusal> {
        self.require_session(name, session)?;
        let claimed = StewardTerm {
            worker: name.clone(),
            term,
        };
        let last = self.steward.as_ref().map_or(Term::NONE, |last| last.term);
        if self.steward.as_ref() == Some(&claimed) {
            Ok(Vec::new())
        } else if term == last.next() {
            let StewardTerm { worker, term } = claimed;
            Ok(vec![PlaceEvent::Stewarded { worker, term }])
        } else {
            Err(PlaceRefusal::OldStewardship {
                asked: term,
                steward: self.steward.clone(),
            })
        }
    }

    fn place(
        &self,
        by: &StewardTerm,
        member: &MemberName,
        needs: &BTreeSet<Label>,
        silent: &BTreeSet<WorkerName>,
    ) -> Result<Vec<PlaceEvent>, PlaceRefusal> {
        self.require_steward(by)?;
        let last = self.placement(member);
        if last.is_some_and(|placement| placement.worker.is_some()) {
            return Ok(Vec::new());
        }
        let of = Unplaced {
            member,
            needs,
            silent,
        };
        let worker = self.chosen(of, None)?;
        Ok(vec![PlaceEvent::Placed {
            member: member.clone(),
            worker,
            term: last.map_or(Term::NONE, |last| last.term).next(),
        }])
    }

    fn move_on(
        &self,
        by: &StewardTerm,
        of: Unplaced<'_>,
        term: Term,
        why: MoveWhy,
    ) -> Result<Vec<PlaceEvent>, PlaceRefusal> {
        self.require_steward(by)?;
        let placement = self.placement(of.member);
        let holder = placement
            .filter(|placement| placement.term == term)
            .and_then(|placement| placement.worker.as_ref());
        let Some(holder) = holder else {
            return Err(PlaceRefusal::OldTerm {
                member: of.member.clone(),
                asked: term,
                now: placement.map_or(Term::NONE, |placement| placement.term),
            });
        };
        let worker = self.chosen(of, Some((holder, why)))?;
        Ok(vec![PlaceEvent::Moved {
            member: of.member.clone(),
            worker,
            term: term.next(),
            why,
        }])
    }

    fn deliver(&self, by: &Holding, commit: &CommitId) -> Result<Vec<PlaceEvent>, PlaceRefusal> {
        self.require_holding(by)?;
        let delivery = Delivery {
            term: by.term,
            commit: commit.clone(),
        };
        let placement = self.placement(&by.member);
        if placement.is_some_and(|placement| placement.delivered.as_ref() == Some(&delivery)) {
            return Ok(Vec::new());
        }
        Ok(vec![PlaceEvent::Delivered {
            member: by.member.clone(),
            term: delivery.term,
            commit: delivery.commit,
        }])
    }

    fn demand(&self, demand: &WallDemand) -> Vec<PlaceEvent> {
        let walls = match demand {
            WallDemand::AtLeast(walls) => self.demanded.tightened(walls),
            WallDemand::Exactly(walls) => walls.clone(),
        };
        let is_new = walls != self.demanded;
        let demanded = is_new.then_some(PlaceEvent::Demanded { walls });
        demanded.into_iter().collect()
    }

    fn chosen(
        &self,
        of: Unplaced<'_>,
        leaving: Option<(&WorkerName, MoveWhy)>,
    ) -> Result<WorkerName, PlaceRefusal> {
        self.choose(of, leaving)
            .cloned()
            .map_err(|why| PlaceRefusal::NoWorker {
                member: of.member.clone(),
                why,
            })
    }
}
