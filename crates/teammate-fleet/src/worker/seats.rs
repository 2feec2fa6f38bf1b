//! The members that a worker holds: seats come and go with the journal's placements.

use teammate_core::MemberName;

use super::{Phase, Worker};
use crate::{
    Effect, SeatState, Stop,
    seat::{Seat, Turn},
};

impl<E: Clone + PartialEq> Worker<E> {
    /// Gives up what the journal has placed elsewhere, and opens what it has placed here.
    pub(super) fn follow_placements(&mut self, effects: &mut Vec<Effect<E>>) {
        match self.phase {
            // What the journal places on this name is still the earlier process's.
            Phase::Joining { .. } | Phase::Gone => return,
            Phase::Ready | Phase::Draining => {}
        }
        let fold = self.fold.0.clone();
        let is_current = |member: &MemberName, seat: &Seat<E>| {
            let mut held = fold.held_by(&self.name);
            held.any(|(name, term)| name == member && term == seat.term)
        };
        let over: Vec<MemberName> = self
            .seats
            .iter()
            .filter(|(member, seat)| !is_current(member, seat))
            .map(|(member, _)| member.clone())
            .collect();
        for member in over {
            if let Some(seat) = self.seats.remove(&member)
                && seat.is_held()
            {
                let term = seat.term;
                effects.push(Effect::Close { member, term });
            }
        }
        for (member, term) in fold.held_by(&self.name) {
            if !self.seats.contains_key(member) {
                let seat = Seat::new(term, self.session);
                self.seats.insert(member.clone(), seat);
                let (member, from) = (member.clone(), 0);
                effects.push(Effect::ReadTranscript { member, from });
            }
        }
    }

    pub(super) fn record(&mut self, member: &MemberName, entry: E, effects: &mut Vec<Effect<E>>) {
        if self.may_begin() {
            self.turn(member, effects, |seat| seat.record(entry));
        }
    }

    /// Has a seat take something, and does what follows.
    pub(super) fn turn(
        &mut self,
        member: &MemberName,
        effects: &mut Vec<Effect<E>>,
        take: impl FnOnce(&mut Seat<E>) -> Turn<E>,
    ) {
        let may_begin = self.may_begin();
        let Some(seat) = self.seats.get_mut(member) else {
            return;
        };
        let (was_held, term, member) = (seat.is_held(), seat.term, member.clone());
        match take(seat) {
            Turn::Send(append) => effects.push(Effect::AppendTranscript { member, append }),
            Turn::ReadUp { from } => effects.push(Effect::ReadTranscript { member, from }),
            Turn::Opened { length } => effects.push(Effect::Open {
                member,
                term,
                length,
            }),
            Turn::Recorded(entry) if may_begin => effects.push(Effect::Recorded {
                member,
                term,
                entry,
            }),
            Turn::Recorded(entry) => seat.withheld = Some(entry),
            Turn::Fenced if was_held => effects.push(Effect::Close { member, term }),
            Turn::Forked => {
                effects.push(Effect::Close {
                    member: member.clone(),
                    term,
                });
                effects.push(Effect::Stop(Stop::Forked(member)));
            }
            Turn::Fenced | Turn::Nothing => {}
        }
    }

    /// It hears itself again: what was recorded meanwhile begins.
    pub(super) fn begin_withheld(&mut self, effects: &mut Vec<Effect<E>>) {
        for (member, seat) in &mut self.seats {
            if let Some(entry) = seat.withheld.take() {
                let (member, term) = (member.clone(), seat.term);
                effects.push(Effect::Recorded {
                    member,
                    term,
                    entry,
                });
            }
        }
    }

    pub(super) fn close_all(&mut self, effects: &mut Vec<Effect<E>>) {
        for (member, seat) in std::mem::take(&mut self.seats) {
            if seat.state == SeatState::Held {
                let term = seat.term;
                effects.push(Effect::Close { member, term });
            }
        }
    }
}
