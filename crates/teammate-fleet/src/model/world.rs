//! Everything that is: processes, logs, what is under way; and what must hold of it at each step.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use teammate_core::{
    MemberName,
    team::{Label, PlaceChange, PlaceEvent, Placements, Term, WorkerStop},
};
use uuid::Uuid;

use super::{
    MEMBERS, WORKERS,
    engine::{EngineFault, Entry, TextLine, What, store},
    member, member_at,
    node::{Driver, Node},
};
use crate::{
    Append, AppendId, AppendOutcome, COMMANDS_END_AFTER, JournalLine, TenureLine, TenureState,
    TranscriptLine, WorkerEffect, WorkerInput,
    rules::{Rule, Rules},
};

/// The rules that are left out or broken on purpose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Planted {
    pub(super) rules: Rules,
    pub(super) engine: Option<EngineFault>,
}

impl Planted {
    pub(super) fn without(rule: Rule) -> Self {
        let rules = Rules {
            without: Some(rule),
        };
        Self {
            rules,
            engine: None,
        }
    }

    pub(super) fn engine(fault: EngineFault) -> Self {
        Self {
            rules: Rules::default(),
            engine: Some(fault),
        }
    }
}

/// An append that arrives when its sender no longer waits for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum LateAppend {
    Journal(Append<Vec<PlaceEvent>>),
    Transcript(usize, Append<TenureLine<Entry>>),
}

/// The state.
#[derive(Debug, Clone, Hash)]
pub(super) struct World {
    pub(super) journal: Arc<Vec<JournalLine>>,
    pub(super) transcripts: [Arc<Vec<TextLine>>; MEMBERS],
    pub(super) nodes: Vec<Arc<Node>>,
    pub(super) late: Vec<LateAppend>,
    /// The newest term under which a driver was started.
    pub(super) acting: [Term; MEMBERS],
    /// Under which term the call was begun.
    pub(super) begun: [Option<Term>; MEMBERS],
    /// Up to which line transcripts are acknowledged.
    pub(super) acknowledged: [usize; MEMBERS],
    /// How many more appends may go wrong.
    pub(super) mishaps: u8,
    /// How many more processes may die, and be started.
    pub(super) deaths: u8,
    pub(super) starts: u8,
    /// How many more members may be stopped. Who is stopped is spawned again at once.
    pub(super) stops: u8,
    pub(super) planted: Planted,
    pub(super) broken: Option<&'static str>,
}

impl World {
    /// Three processes that have just begun.
    pub(super) fn cold(planted: Planted) -> Self {
        let node = |name: usize| Arc::new(Node::new(name, name as u128 + 1, planted.rules));
        let mut world = Self {
            journal: Arc::default(),
            transcripts: [const { None::<()> }; MEMBERS].map(|_| Arc::default()),
            nodes: (0..WORKERS).map(node).collect(),
            late: Vec::new(),
            acting: [Term::NONE; MEMBERS],
            begun: [None; MEMBERS],
            acknowledged: [0; MEMBERS],
            mishaps: 0,
            deaths: 0,
            starts: 0,
            stops: 0,
            planted,
            broken: None,
        };
        (0..WORKERS).for_each(|at| world.read_journal(at));
        world
    }

    /// From now on the members have work.
    pub(super) fn employ(&mut self) {
        for at in 0..self.nodes.len() {
            self.step(at, WorkerInput::Running(all_members()));
        }
    }

    /// Starts a process: it knows who needs a worker, and reads the journal.
    pub(super) fn begin(&mut self, at: usize) {
        self.step(at, WorkerInput::Running(all_members()));
        self.read_journal(at);
    }

    /// Has a process take something, and carries out what follows.
    pub(super) fn step(&mut self, at: usize, input: WorkerInput<Entry>) {
        if self.nodes[at].is_dead {
            return;
        }
        let effects = Arc::make_mut(&mut self.nodes[at]).worker.step(input);
        for effect in effects {
            self.carry_out(at, effect);
        }
        self.check_node(at);
    }

    pub(super) fn read_journal(&mut self, at: usize) {
        let from = self.nodes[at].worker.journal_length() as usize;
        let lines = self.journal.get(from..).unwrap_or_default().to_vec();
        self.step(at, WorkerInput::Journal(lines));
    }

    pub(super) fn read_transcript(&mut self, at: usize, of: usize, from: usize) {
        let lines = self.transcripts[of].get(from..).unwrap_or_default();
        let seen = |line: &TextLine| TranscriptLine {
            id: line.id,
            taken: line.taken(),
        };
        let lines = lines.iter().map(seen).collect();
        let member = member(of);
        self.step(at, WorkerInput::Transcript { member, lines });
    }

    pub(super) fn store_journal(&mut self, append: &Append<Vec<PlaceEvent>>) -> AppendOutcome {
        let events = append.payload.iter().cloned();
        let line = JournalLine {
            id: append.id,
            changes: events.map(PlaceChange::Event).collect(),
        };
        let log = Arc::make_mut(&mut self.journal);
        let (outcome, is_new) = store(log, append, line, self.planted.engine);
        if is_new {
            self.check_journal();
        }
        outcome
    }

    /// The holder of a member records that it has stopped, by its right: only while it holds the member.
    pub(super) fn stops(&mut self, of: usize) {
        self.stops -= 1;
        let id = AppendId {
            writer: Uuid::nil(),
            term: Term::NONE,
            number: self.journal.len() as u64,
        };
        let changes = vec![PlaceChange::Released(member(of))];
        Arc::make_mut(&mut self.journal).push(JournalLine { id, changes });
    }

    /// Whom the journal places anywhere.
    pub(super) fn held(&self) -> BTreeSet<usize> {
        let mut places = Placements::default();
        let changes = self.journal.iter().flat_map(|line| &line.changes);
        changes.for_each(|change| places.take(change));
        let held = places.placements();
        held.filter(|(_, placement)| placement.worker.is_some())
            .map(|(name, _)| member_at(name))
            .collect()
    }

    pub(super) fn store_line(
        &mut self,
        of: usize,
        append: &Append<TenureLine<Entry>>,
    ) -> AppendOutcome {
        let line = TextLine {
            id: append.id,
            line: append.payload,
        };
        let log = Arc::make_mut(&mut self.transcripts[of]);
        let (outcome, is_new) = store(log, append, line, self.planted.engine);
        if is_new {
            self.check_line(of, &line);
        }
        outcome
    }

    fn carry_out(&mut self, at: usize, effect: WorkerEffect<Entry>) {
        match effect {
            WorkerEffect::Beat(_) => {}
            WorkerEffect::Ping(name) => {
                let asked = super::WORKER_NAMES.iter().position(|known| *known == name);
                if let Some(asked) = asked {
                    self.node(at).pings[asked] = true;
                }
            }
            WorkerEffect::AppendJournal(append) => self.node(at).to_journal = Some(append),
            WorkerEffect::ReadJournal { from: _ } => self.read_journal(at),
            WorkerEffect::AppendTranscript { member, append } => {
                self.node(at).to_transcript[member_at(&member)] = Some(append);
            }
            WorkerEffect::ReadTranscript { member, from: 0 } => {
                self.node(at).opens[member_at(&member)] = true;
            }
            WorkerEffect::ReadTranscript { member, from } => {
                self.read_transcript(at, member_at(&member), from as usize);
            }
            WorkerEffect::Open {
                member,
                term,
                length,
            } => {
                let of = member_at(&member);
                let lines = &self.transcripts[of][..length as usize];
                let driver = Driver::opened(term, lines);
                self.node(at).drivers[of] = Some(driver);
                self.acting[of] = self.acting[of].max(term);
            }
            WorkerEffect::Recorded {
                member,
                term,
                entry,
            } => self.recorded(at, member_at(&member), term, entry),
            WorkerEffect::Close { member, .. } => self.node(at).drivers[member_at(&member)] = None,
            WorkerEffect::EndCommands { member } => {
                if let Some(driver) = &mut self.node(at).drivers[member_at(&member)] {
                    driver.runs = false;
                }
            }
            WorkerEffect::Stop(WorkerStop::Forked(_)) => self.breaks("a transcript is forked"),
            WorkerEffect::Stop(
                WorkerStop::Drained | WorkerStop::Replaced | WorkerStop::Refused(_),
            ) => {}
        }
    }

    fn recorded(&mut self, at: usize, of: usize, term: Term, entry: Entry) {
        let is_alone = self.nodes[at].worker.is_alone();
        let Some(driver) = &mut self.node(at).drivers[of] else {
            return;
        };
        driver.last = Some(entry.what);
        driver.runs = entry.what == What::Called;
        let is_line = |line: &TextLine| line.line == TenureLine::Entry(entry);
        match self.transcripts[of].iter().position(is_line) {
            Some(place) => self.acknowledged[of] = self.acknowledged[of].max(place + 1),
            None => self.breaks("an acknowledged entry is not in the transcript"),
        }
        if entry.what != What::Called {
            return;
        }
        if is_alone {
            self.breaks("a worker that is alone began a call");
        }
        if self.begun[of].is_some() {
            self.breaks("a call was begun twice");
        }
        self.begun[of] = Some(term);
    }

    pub(super) fn node(&mut self, at: usize) -> &mut Node {
        Arc::make_mut(&mut self.nodes[at])
    }

    /// Remembers the first thing that does not hold.
    pub(super) fn breaks(&mut self, what: &'static str) {
        self.broken = self.broken.or(Some(what));
    }

    fn check_line(&mut self, of: usize, line: &TextLine) {
        let older = &self.transcripts[of][..self.transcripts[of].len() - 1];
        if older.iter().filter_map(TextLine::taken).max() > Some(line.term()) {
            self.breaks("an entry of an older term stands after Taken");
        } else if line.term() < self.acting[of] {
            self.breaks("an older holder appended after its successor began");
        } else if line.what() == Some(What::Heard)
            && older.iter().any(|known| known.what() == line.what())
        {
            self.breaks("a message was heard twice");
        }
    }

    /// Terms of the journal rise one by one, so no two records were decided from the same state.
    fn check_journal(&mut self) {
        let mut places = Placements::default();
        let (last, older) = match self.journal.split_last() {
            Some((last, older)) => (last.clone(), older),
            None => return,
        };
        for change in older.iter().flat_map(|line| &line.changes) {
            places.take(change);
        }
        let follows = |term: &Term, last: Term| *term == last.next();
        let is_sound = last.changes.iter().all(|change| match change {
            PlaceChange::Released(_) | PlaceChange::Tightened(_) => true,
            PlaceChange::Event(event) => match event {
                PlaceEvent::Joined {
                    worker, session, ..
                } => places.worker(worker).map(|known| known.session) != Some(*session),
                PlaceEvent::Demanded { .. } => true,
                PlaceEvent::Left { worker } => places.worker(worker).is_some(),
                PlaceEvent::Stewarded { term, .. } => follows(
                    term,
                    places.steward().map_or(Term::NONE, |known| known.term),
                ),
                PlaceEvent::Placed { member, term, .. }
                | PlaceEvent::Moved { member, term, .. } => {
                    let known = places.placement(member);
                    follows(term, known.map_or(Term::NONE, |known| known.term))
                }
                PlaceEvent::Delivered { member, term, .. } => places
                    .placement(member)
                    .is_some_and(|known| known.term == *term),
            },
        });
        if !is_sound {
            self.breaks("two records of the journal were decided from the same state");
        }
    }

    pub(super) fn check_node(&mut self, at: usize) {
        let node = self.nodes[at].clone();
        for of in 0..MEMBERS {
            let runs = node.drivers[of].as_ref().is_some_and(|driver| driver.runs);
            if runs && node.worker.own_silence() >= COMMANDS_END_AFTER {
                self.breaks("a command runs on a worker that has been alone for a minute");
            }
            let newest = self.transcripts[of]
                .iter()
                .filter_map(TextLine::taken)
                .max();
            let held = node
                .worker
                .placements()
                .held_by(&super::WORKER_NAMES[node.name]);
            let term = held
                .filter(|(name, _)| member_at(name) == of)
                .map(|(_, term)| term)
                .next();
            if node.worker.tenure(&member(of)) == Some(TenureState::Fenced) && newest <= term {
                self.breaks("a holder was stopped though nobody took its member");
            }
        }
        if (0..MEMBERS).any(|of| self.transcripts[of].len() < self.acknowledged[of]) {
            self.breaks("an acknowledged entry is lost");
        }
    }
}

/// Both members, who need nothing.
fn all_members() -> BTreeMap<MemberName, BTreeSet<Label>> {
    (0..MEMBERS)
        .map(|of| (member(of), BTreeSet::new()))
        .collect()
}
