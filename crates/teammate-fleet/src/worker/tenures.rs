//! The members that a worker holds: tenures come and go with the journal's placements.

use teammate_core::{MemberName, team::WorkerStop};

use super::{Phase, Worker};
use crate::{
    TenureState, WorkerEffect,
    tenure::{Tenure, Turn},
};

impl<E: Clone + PartialEq> Worker<E> {
    /// Gives up what the journal has placed elsewhere, and opens what it has placed here.
    pub(super) fn follow_placements(&mut self, effects: &mut Vec<WorkerEffect<E>>) {
        match self.phase {
            // What the journal places on this name is still the earlier process's.
            Phase::Joining { .. } | Phase::Gone => return,
            Phase::Ready | Phase::Draining => {}
        }
        let fold = self.fold.0.clone();
        let is_current = |member: &MemberName, tenure: &Tenure<E>| {
            let mut held = fold.held_by(&self.name);
            held.any(|(name, term)| name == member && term == tenure.term)
        };
        let over: Vec<MemberName> = self
            .tenures
            .iter()
            .filter(|(member, tenure)| !is_current(member, tenure))
            .map(|(member, _)| member.clone())
            .collect();
        for member in over {
            if let Some(tenure) = self.tenures.remove(&member)
                && tenure.is_held()
            {
                let term = tenure.term;
                effects.push(WorkerEffect::Close { member, term });
            }
        }
        for (member, term) in fold.held_by(&self.name) {
            if !self.tenures.contains_key(member) {
                let tenure = Tenure::new(term, self.session);
                self.tenures.insert(member.clone(), tenure);
                let (member, from) = (member.clone(), 0);
                effects.push(WorkerEffect::ReadTranscript { member, from });
            }
        }
    }

    pub(super) fn record(
        &mut self,
        member: &MemberName,
        entry: E,
        effects: &mut Vec<WorkerEffect<E>>,
    ) {
        if self.may_begin() {
            self.turn(member, effects, |tenure| tenure.record(entry));
        }
    }

    /// Has a tenure take something, and does what follows.
    pub(super) fn turn(
        &mut self,
        member: &MemberName,
        effects: &mut Vec<WorkerEffect<E>>,
        take: impl FnOnce(&mut Tenure<E>) -> Turn<E>,
    ) {
        let may_begin = self.may_begin();
        let Some(tenure) = self.tenures.get_mut(member) else {
            return;
        };
        let (was_held, term, member) = (tenure.is_held(), tenure.term, member.clone());
        match take(tenure) {
            Turn::Send(append) => effects.push(WorkerEffect::AppendTranscript { member, append }),
            Turn::ReadUp { from } => effects.push(WorkerEffect::ReadTranscript { member, from }),
            Turn::Opened { length } => effects.push(WorkerEffect::Open {
                member,
                term,
                length,
            }),
            Turn::Recorded(entry) if may_begin => effects.push(WorkerEffect::Recorded {
                member,
                term,
                entry,
            }),
            Turn::Recorded(entry) => tenure.withheld = Some(entry),
            Turn::Fenced if was_held => effects.push(WorkerEffect::Close { member, term }),
            Turn::Forked => {
                effects.push(WorkerEffect::Close {
                    member: member.clone(),
                    term,
                });
                effects.push(WorkerEffect::Stop(WorkerStop::Forked(member)));
            }
            Turn::Fenced | Turn::Nothing => {}
        }
    }

    /// It hears itself again: what was recorded meanwhile begins.
    pub(super) fn begin_withheld(&mut self, effects: &mut Vec<WorkerEffect<E>>) {
        for (member, tenure) in &mut self.tenures {
            if let Some(entry) = tenure.withheld.take() {
                let (member, term) = (member.clone(), tenure.term);
                effects.push(WorkerEffect::Recorded {
                    member,
                    term,
                    entry,
                });
            }
        }
    }

    pub(super) fn close_all(&mut self, effects: &mut Vec<WorkerEffect<E>>) {
        for (member, tenure) in std::mem::take(&mut self.tenures) {
            if tenure.state == TenureState::Held {
                let term = tenure.term;
                effects.push(WorkerEffect::Close { member, term });
            }
        }
    }
}
