//! The task that runs the machine: one input after the other, and each effect at once or in a task of its own.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use teammate_core::{
    MemberName,
    team::{Label, PlaceChange, Shortfall, Term, WorkerStop},
};
use teammate_fleet::{AppendId, JournalLine, Worker, WorkerEffect, WorkerInput};
use tokio::{
    sync::{Notify, mpsc, watch},
    task::{AbortHandle, JoinSet},
    time::{MissedTickBehavior, interval},
};
use uuid::Uuid;

use super::{
    Input,
    crew::Crew,
    held::{Tenures, is_to_run},
    seconds::Seconds,
};
use crate::{
    ledger::{
        JournalLength,
        others::{PlaceLine, PlaceNews, PlaceOrders},
    },
    worker_role::WorkerRole,
};

/// The machine of a worker, and what it does things by.
pub(crate) struct Machine {
    pub(super) crew: Arc<Crew>,
    pub(super) placed: Arc<Tenures>,
    pub(super) worker: Worker<()>,
    pub(super) role: WorkerRole,
    /// Where placements are appended and heard of.
    pub(super) places: PlaceOrders,
    pub(super) inputs: mpsc::Sender<Input>,
    sources: Option<MachineSources>,
    /// Appends, pings, beats that are under way, and what listens.
    pub(super) under_way: JoinSet<()>,
    /// Members that are being taken over or opened.
    pub(super) opening: HashMap<MemberName, AbortHandle>,
    /// Members whose commands were ended because this worker was alone.
    pub(super) cut: BTreeSet<MemberName>,
    running: BTreeMap<MemberName, BTreeSet<Label>>,
    /// The last shortfall of its walls that was said.
    shortfall: Option<Shortfall>,
}

struct MachineSources {
    inputs: mpsc::Receiver<Input>,
    drain: Arc<Notify>,
    stopped: watch::Sender<Option<WorkerStop>>,
}

/// The journal, as it is read for the machine.
struct MachineJournal {
    length: JournalLength,
    lines: mpsc::UnboundedReceiver<PlaceLine>,
    /// A line that the length did not count yet.
    ahead: Option<PlaceLine>,
}

impl Machine {
    pub(super) fn new(
        crew: Arc<Crew>,
        placed: Arc<Tenures>,
        places: PlaceOrders,
        inputs: mpsc::Sender<Input>,
    ) -> Self {
        let role = placed.role.clone();
        let worker = Worker::new(
            role.name.clone(),
            role.session,
            role.labels.clone(),
            role.places,
        );
        Self {
            crew,
            placed,
            worker: worker.within(role.walls.clone()),
            role,
            places,
            inputs,
            sources: None,
            under_way: JoinSet::new(),
            opening: HashMap::new(),
            cut: BTreeSet::new(),
            running: BTreeMap::new(),
            shortfall: None,
        }
    }

    /// The machine with what it hears: inputs, and that it is to drain; and the receiver of why it stopped.
    pub(super) fn with(
        mut self,
        inputs: mpsc::Receiver<Input>,
        drain: Arc<Notify>,
        stopped: watch::Sender<Option<WorkerStop>>,
    ) -> Self {
        self.sources = Some(MachineSources {
            inputs,
            drain,
            stopped,
        });
        self
    }

    /// Runs until it stops, or is dropped.
    pub(super) async fn run(mut self) {
        let Some(mut sources) = self.sources.take() else {
            return;
        };
        let Some(mut journal) = self.follow_journal().await else {
            return;
        };
        self.listen();
        let mut team = self.crew.base.ledger.changes();
        let rest = self.crew.rest.clone();
        let mut ticks = interval(Duration::from_secs(1));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut counted = Seconds::of(self.crew.base.ports.clock.clone());
        let mut inputs = VecDeque::from_iter(self.members_to_run());
        loop {
            if let Some(why) = self.step(inputs, &mut journal).await {
                self.note_stop(&why);
                sources.stopped.send_replace(Some(why));
                return;
            }
            inputs = tokio::select! {
                biased;
                () = sources.drain.notified() => [WorkerInput::Drain].into(),
                Some(input) = sources.inputs.recv() => [input].into(),
                member = self.placed.next_fenced() => {
                    self.look_who_appended(member);
                    VecDeque::new()
                }
                changed = team.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    self.news(&mut journal, self.worker.journal_length()).collect()
                }
                _ = ticks.tick() => {
                    counted.take().map(WorkerInput::Elapsed).into_iter().collect()
                }
                () = rest.sign_is_old() => {
                    // Who waits for rest hears of it at once.
                    if let Some(beat) = self.worker.beat() {
                        self.beat(beat);
                    } else {
                        self.crew.rest.sign();
                    }
                    VecDeque::new()
                }
                Some(_) = self.under_way.join_next() => VecDeque::new(),
            };
        }
    }

    /// Takes inputs and does what follows. Why the worker stops, if it does.
    async fn step(
        &mut self,
        mut inputs: VecDeque<Input>,
        journal: &mut MachineJournal,
    ) -> Option<WorkerStop> {
        let mut stop = None;
        while let Some(input) = inputs.pop_front() {
            for effect in self.worker.step(input) {
                match effect {
                    WorkerEffect::Beat(beat) => self.beat(beat),
                    WorkerEffect::Ping(worker) => self.ping(worker),
                    WorkerEffect::AppendJournal(append) => self.append(append),
                    WorkerEffect::ReadJournal { from } => {
                        inputs.extend(self.news(journal, from));
                    }
                    WorkerEffect::ReadTranscript { member, from: _ } => {
                        // What its lines are is looked at when it is taken over.
                        let lines = Vec::new();
                        inputs.push_back(WorkerInput::Transcript { member, lines });
                    }
                    WorkerEffect::AppendTranscript { member, append } => {
                        self.take_over(member, &append);
                    }
                    WorkerEffect::Open {
                        member,
                        term,
                        length: _,
                    } => self.open(member, term),
                    WorkerEffect::Close { member, term } => self.close(&member, term).await,
                    WorkerEffect::EndCommands { member } => self.end_commands(member).await,
                    WorkerEffect::Stop(why) => stop = Some(why),
                    // Drivers append what members write themselves.
                    WorkerEffect::Recorded { .. } => {}
                }
            }
            let shortfall = self.worker.shortfall();
            self.note_shortfall(shortfall.as_ref());
            let may_begin = !self.worker.is_alone() && shortfall.is_none();
            self.placed.set_may_begin(may_begin);
            self.placed.set_unfit(self.worker.unfit());
            self.open_cut_again();
        }
        stop
    }

    async fn follow_journal(&mut self) -> Option<MachineJournal> {
        let PlaceNews {
            length,
            placements,
            lines,
        } = self.places.follow().await?;
        let fresh = Worker::new(
            self.role.name.clone(),
            self.role.session,
            self.role.labels.clone(),
            self.role.places,
        );
        let fresh = fresh.within(self.role.walls.clone());
        self.worker = fresh.knowing(length, placements);
        let length = self.crew.base.ledger.length();
        Some(MachineJournal {
            length,
            lines,
            ahead: None,
        })
    }

    /// The news of the journal from `from` on. First who is to run by then, or who was just stopped would be placed again.
    fn news(
        &mut self,
        journal: &mut MachineJournal,
        from: u64,
    ) -> impl Iterator<Item = Input> + use<> {
        let lines = journal.read(from);
        let running = self.members_to_run();
        running.into_iter().chain([WorkerInput::Journal(lines)])
    }

    /// The members to run, if they have changed.
    fn members_to_run(&mut self) -> Option<Input> {
        let team = self.crew.base.ledger.team();
        let running = team.members().filter(|member| is_to_run(&team, member));
        let running: BTreeMap<_, _> = running
            .map(|member| (member.name.clone(), member.options.labels.clone()))
            .collect();
        (running != self.running).then(|| {
            self.running.clone_from(&running);
            WorkerInput::Running(running)
        })
    }

    /// Says once why nothing begins here.
    fn note_shortfall(&mut self, shortfall: Option<&Shortfall>) {
        if self.shortfall.as_ref() == shortfall {
            return;
        }
        self.shortfall = shortfall.cloned();
        if let Some(why) = shortfall {
            let text = format!("worker '{}' gets no members: {why}", self.role.name);
            self.crew.base.feed.note(&MemberName::lead(), text);
        }
    }

    fn note_stop(&self, why: &WorkerStop) {
        let name = &self.role.name;
        let text = match why {
            WorkerStop::Drained => format!("worker '{name}' has left; its members were moved"),
            WorkerStop::Replaced => {
                format!("another process runs as worker '{name}' by now; this one runs nobody")
            }
            WorkerStop::Refused(why) => format!("worker '{name}' did not join: {why}"),
            WorkerStop::Forked(member) => format!(
                "somebody has written to {member}'s transcript who does not hold it; worker '{name}' stops, and all \
                 lines stay as they are"
            ),
        };
        self.crew.base.feed.note(&MemberName::lead(), text);
    }
}

impl MachineJournal {
    /// The lines from `from` to the end that is known, of which the team knows all.
    fn read(&mut self, from: u64) -> Vec<JournalLine> {
        // Before the lines: what the length counts is among them.
        let until = self.length.get();
        let mut lines = Vec::new();
        let mut next = from;
        while let Some(line) = self.next_before(until) {
            while next < line.number {
                lines.push(journal_line(next, Vec::new()));
                next += 1;
            }
            lines.push(journal_line(line.number, line.changes));
            next = line.number + 1;
        }
        // Others are about something else.
        lines.extend((next..until).map(|number| journal_line(number, Vec::new())));
        lines
    }

    fn next_before(&mut self, until: u64) -> Option<PlaceLine> {
        let line = self.ahead.take().or_else(|| self.lines.try_recv().ok())?;
        if line.number < until {
            return Some(line);
        }
        self.ahead = Some(line);
        None
    }
}

fn journal_line(number: u64, changes: Vec<PlaceChange>) -> JournalLine {
    let id = AppendId {
        writer: Uuid::nil(),
        term: Term::NONE,
        number,
    };
    JournalLine { id, changes }
}
