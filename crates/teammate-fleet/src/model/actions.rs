//! All that can happen next, and what it does.

use std::sync::Arc;

use super::{
    MEMBERS, WORKERS,
    engine::{EngineFault, Fate},
    member,
    node::{Driver, Node},
    world::{LateAppend, World},
};
use crate::{AppendOutcome, Phase, PingAnswer, Worker, WorkerInput};

/// Something that happens. Numbers are places of processes, workers and members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Five seconds pass; it hears its own beats and those of the processes in the mask.
    Hears {
        at: usize,
        mask: u8,
    },
    /// Five seconds pass; it hears nothing.
    Deaf(usize),
    /// It wakes up after a minute.
    Wakes(usize),
    Pong {
        at: usize,
        asked: usize,
        answer: PingAnswer,
    },
    ReadsJournal(usize),
    Journal {
        at: usize,
        fate: Fate,
    },
    Transcript {
        at: usize,
        of: usize,
        fate: Fate,
    },
    /// It reads a transcript, to take the member over.
    Opens {
        at: usize,
        of: usize,
    },
    /// The driver goes on.
    Goes {
        at: usize,
        of: usize,
    },
    Drains(usize),
    Dies(usize),
    /// A member is stopped.
    Stops(usize),
    /// Another process of that worker's name is started.
    Starts(usize),
    /// A late append arrives.
    Arrives(usize),
    /// The engine forgets the last line of a transcript.
    Forgets(usize),
}

impl World {
    pub(super) fn actions(&self) -> Vec<Action> {
        let mut all = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            if node.lives() {
                self.of_node(at, node, &mut all);
            }
        }
        if self.starts > 0 {
            all.extend((0..WORKERS).map(Action::Starts));
        }
        if self.stops > 0 {
            all.extend(self.held().into_iter().map(Action::Stops));
        }
        all.extend((0..self.late.len()).map(Action::Arrives));
        if self.planted.engine == Some(EngineFault::SyncsOff) {
            let is_there = |of: &usize| !self.transcripts[*of].is_empty();
            all.extend((0..MEMBERS).filter(is_there).map(Action::Forgets));
        }
        all
    }

    fn of_node(&self, at: usize, node: &Node, all: &mut Vec<Action>) {
        let others = self.nodes.iter().enumerate();
        let beating = others.filter(|(other, node)| *other != at && node.beat().is_some());
        let beating: u8 = beating.map(|(other, _)| 1 << other).sum();
        let subsets = (0..1 << self.nodes.len()).filter(|mask| mask & !beating == 0);
        all.extend(subsets.map(|mask| Action::Hears { at, mask }));
        all.extend([Action::Deaf(at), Action::Wakes(at)]);
        for asked in (0..WORKERS).filter(|asked| node.pings[*asked]) {
            let answers = [PingAnswer::There, PingAnswer::Nobody, PingAnswer::Silence];
            all.extend(answers.map(|answer| Action::Pong { at, asked, answer }));
        }
        if (node.worker.journal_length() as usize) < self.journal.len() {
            all.push(Action::ReadsJournal(at));
        }
        if node.to_journal.is_some() {
            let fates = self.fates().into_iter();
            all.extend(fates.map(|fate| Action::Journal { at, fate }));
        }
        for of in 0..MEMBERS {
            if node.to_transcript[of].is_some() {
                let fates = self.fates().into_iter();
                all.extend(fates.map(|fate| Action::Transcript { at, of, fate }));
            }
            if node.opens[of] {
                all.push(Action::Opens { at, of });
            }
            let next = node.drivers[of].as_ref().and_then(Driver::next);
            if next.is_some() && node.to_transcript[of].is_none() {
                all.push(Action::Goes { at, of });
            }
        }
        if self.deaths > 0 {
            all.extend([Action::Dies(at), Action::Drains(at)]);
        }
    }

    fn fates(&self) -> Vec<Fate> {
        let mut fates = vec![Fate::Answered];
        if self.mishaps > 0 {
            fates.extend([Fate::AnswerLost, Fate::Lost, Fate::Busy, Fate::Late]);
        }
        fates
    }

    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::Hears { at, mask } => self.hears(at, mask),
            Action::Deaf(at) => self.step(at, WorkerInput::Elapsed(5)),
            Action::Wakes(at) => self.step(at, WorkerInput::Elapsed(60)),
            Action::Pong { at, asked, answer } => {
                self.node(at).pings[asked] = false;
                let worker = super::worker_name(asked);
                self.step(at, WorkerInput::Pong { worker, answer });
            }
            Action::ReadsJournal(at) => self.read_journal(at),
            Action::Journal { at, fate } => self.journal_append(at, fate),
            Action::Transcript { at, of, fate } => self.transcript_append(at, of, fate),
            Action::Opens { at, of } => {
                self.node(at).opens[of] = false;
                self.read_transcript(at, of, 0);
            }
            Action::Goes { at, of } => self.goes(at, of),
            Action::Drains(at) => {
                self.deaths -= 1;
                self.step(at, WorkerInput::Drain);
            }
            Action::Dies(at) => self.dies(at),
            Action::Stops(of) => self.stops(of),
            Action::Starts(name) => {
                self.starts -= 1;
                self.start(name);
            }
            Action::Arrives(place) => match self.late.remove(place) {
                LateAppend::Journal(append) => {
                    self.store_journal(&append);
                }
                LateAppend::Transcript(of, append) => {
                    self.store_line(of, &append);
                }
            },
            Action::Forgets(of) => {
                self.planted.engine = None;
                Arc::make_mut(&mut self.transcripts[of]).pop();
            }
        }
        for at in 0..self.nodes.len() {
            self.check(at);
        }
    }

    fn hears(&mut self, at: usize, mask: u8) {
        for seconds in [3, 2] {
            self.step(at, WorkerInput::Elapsed(seconds));
            if let Some(beat) = self.nodes[at].beat() {
                self.step(at, WorkerInput::Beat(beat));
            }
        }
        for other in (0..self.nodes.len()).filter(|other| mask & 1 << other != 0) {
            if let Some(beat) = self.nodes[other].beat() {
                self.step(at, WorkerInput::Beat(beat));
                // What a ping brings now counts no more.
                let name = self.nodes[other].name;
                self.node(at).pings[name] = false;
            }
        }
    }

    fn goes(&mut self, at: usize, of: usize) {
        let driver = self.nodes[at].drivers[of].as_ref();
        if let Some(entry) = driver.and_then(Driver::next) {
            let member = member(of);
            self.step(at, WorkerInput::Record { member, entry });
            // A command that has ended is what the end is written about.
            if let Some(driver) = &mut self.node(at).drivers[of]
                && entry.what == super::engine::What::Done
            {
                driver.runs = false;
            }
        }
    }

    fn journal_append(&mut self, at: usize, fate: Fate) {
        let Some(append) = self.node(at).to_journal.take() else {
            return;
        };
        let id = append.id;
        let outcome = match fate {
            Fate::Answered => self.store_journal(&append),
            Fate::AnswerLost => {
                self.store_journal(&append);
                AppendOutcome::Silence
            }
            Fate::Lost => AppendOutcome::Silence,
            Fate::Busy => AppendOutcome::Busy,
            Fate::Late => {
                self.late.push(LateAppend::Journal(append));
                AppendOutcome::Silence
            }
        };
        self.mishaps -= u8::from(fate != Fate::Answered);
        self.step(at, WorkerInput::JournalOutcome { id, outcome });
    }

    fn transcript_append(&mut self, at: usize, of: usize, fate: Fate) {
        let Some(append) = self.node(at).to_transcript[of].take() else {
            return;
        };
        let id = append.id;
        let outcome = match fate {
            Fate::Answered => self.store_line(of, &append),
            Fate::AnswerLost => {
                self.store_line(of, &append);
                AppendOutcome::Silence
            }
            Fate::Lost => AppendOutcome::Silence,
            Fate::Busy => AppendOutcome::Busy,
            Fate::Late => {
                self.late.push(LateAppend::Transcript(of, append));
                AppendOutcome::Silence
            }
        };
        self.mishaps -= u8::from(fate != Fate::Answered);
        let member = member(of);
        let outcome = WorkerInput::TranscriptOutcome {
            member,
            id,
            outcome,
        };
        self.step(at, outcome);
    }

    /// Kills a worker; what it has sent may still arrive.
    fn dies(&mut self, at: usize) {
        self.deaths -= 1;
        let node = self.node(at);
        node.is_dead = true;
        let journal = node.to_journal.take().map(LateAppend::Journal);
        let transcripts = std::mem::take(&mut node.to_transcript).into_iter();
        let late = transcripts
            .enumerate()
            .filter_map(|(of, append)| append.map(|append| LateAppend::Transcript(of, append)));
        let late: Vec<_> = late.chain(journal).collect();
        // The dead have no state: what they knew must not tell worlds apart.
        let (name, session) = (node.name, node.session);
        node.drivers = Default::default();
        node.opens = Default::default();
        node.pings = Default::default();
        node.worker = Worker::new(super::worker_name(name), session, [].into(), 0);
        self.late.extend(late);
    }

    pub(super) fn start(&mut self, name: usize) {
        let session = self.nodes.len() as u128 + 1;
        let node = Node::new(name, session, self.planted.rules);
        self.nodes.push(Arc::new(node));
        self.begin(self.nodes.len() - 1);
    }

    fn check(&mut self, at: usize) {
        if self.nodes[at].is_dead || self.nodes[at].worker.phase() == Phase::Gone {
            return;
        }
        self.check_node(at);
    }
}
