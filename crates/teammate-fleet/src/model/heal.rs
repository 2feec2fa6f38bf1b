//! No dead end: when the network is whole again and a majority lives, all members are held and do their work.

use std::collections::BTreeSet;

use super::{
    MEMBERS, WORKERS,
    actions::Action,
    engine::{Fate, TextLine, What},
    member,
    world::World,
};
use crate::{Phase, PingAnswer, TenureState};

/// So many times five seconds.
const ROUNDS_MAX: usize = 24;

impl World {
    /// Whether it gets well if this worker is dead for good, and who ended is started again.
    pub(super) fn gets_well(&self, lost: Option<usize>) -> bool {
        let mut world = self.clone();
        while !world.late.is_empty() {
            world.act(Action::Arrives(0));
        }
        (0..WORKERS).for_each(|name| world.leave_one(name, lost));
        (0..ROUNDS_MAX).any(|_| {
            world.start_ended(lost);
            world.round(true);
            world.broken.is_some() || world.is_well()
        }) && world.broken.is_none()
    }

    /// One living process of a name, or none of the lost one.
    fn leave_one(&mut self, name: usize, lost: Option<usize>) {
        let living = |world: &Self| {
            let nodes = world.nodes.iter().enumerate();
            let of_name = nodes.filter(|(_, node)| node.name == name && node.lives());
            of_name.map(|(at, _)| at).collect::<Vec<_>>()
        };
        let mut known = living(self);
        let stays = known.pop().filter(|_| lost != Some(name));
        for at in 0..self.nodes.len() {
            if self.nodes[at].name == name && Some(at) != stays {
                self.node(at).is_dead = true;
            }
        }
    }

    /// A process that ended is started again, by a person or a machine's supervisor.
    fn start_ended(&mut self, lost: Option<usize>) {
        for name in (0..WORKERS).filter(|name| lost != Some(*name)) {
            let mut nodes = self.nodes.iter();
            if !nodes.any(|node| node.name == name && node.lives()) {
                self.start(name);
            }
        }
    }

    /// One whole round in which nobody goes on with its work.
    pub(super) fn settle(&mut self) {
        self.round(false);
    }

    fn round(&mut self, works: bool) {
        for at in 0..self.nodes.len() {
            if self.nodes[at].lives() {
                self.calm(at, works);
            }
        }
        let beating = self.nodes.iter().enumerate();
        let beating = beating.filter(|(_, node)| node.beat().is_some());
        let mask: u8 = beating.map(|(at, _)| 1 << at).sum();
        for at in 0..self.nodes.len() {
            if self.nodes[at].lives() {
                let mask = mask & !(1 << at);
                self.act(Action::Hears { at, mask });
            }
        }
    }

    /// All that is under way of one process arrives.
    fn calm(&mut self, at: usize, works: bool) {
        let living: BTreeSet<usize> = self
            .nodes
            .iter()
            .filter(|node| node.beat().is_some())
            .map(|node| node.name)
            .collect();
        for asked in 0..WORKERS {
            if self.nodes[at].pings[asked] {
                let answer = match living.contains(&asked) {
                    true => PingAnswer::There,
                    false => PingAnswer::Silence,
                };
                self.act(Action::Pong { at, asked, answer });
            }
        }
        self.act(Action::ReadsJournal(at));
        let fate = Fate::Answered;
        self.act(Action::Journal { at, fate });
        for of in 0..MEMBERS {
            if self.nodes[at].opens[of] {
                self.act(Action::Opens { at, of });
            }
            self.act(Action::Transcript { at, of, fate });
            if works {
                self.act(Action::Goes { at, of });
                self.act(Action::Transcript { at, of, fate });
            }
        }
    }

    fn is_well(&self) -> bool {
        (0..MEMBERS).all(|of| {
            let mut nodes = self.nodes.iter();
            let is_held = nodes.any(|node| {
                let is_ready = matches!(node.worker.phase(), Phase::Ready | Phase::Draining);
                let tenure = node.worker.tenure(&member(of));
                node.lives() && is_ready && tenure == Some(TenureState::Held)
            });
            let mut whats = self.transcripts[of].iter().filter_map(TextLine::what);
            is_held && whats.any(|what| what == What::Done)
        })
    }
}
