//! Ledgers of several workers on one journal and one wire, without hosts: one of them is the steward.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{
        AskedQuestion, BoxFuture, Durability, Fleet as _, FleetAnswer, FleetAsked, FleetQuestion,
        Journal, JournalError, JournalRead, Record, RecordWriter,
    },
    team::{Command, CommandId, JournalFormat, PlaceCommand, SeenWorker, TeamEvent, Term, Walls},
};
use teammate_runtime::{Ledger, WorkerRole};
use teammate_store::clock::SystemClock;
use teammate_testkit::memory::{MemoryFleet, MemoryJournal};
use tokio::{sync::watch, task::AbortHandle};
use uuid::Uuid;

use crate::workers::yard::worker;

/// What survives its workers.
#[derive(Default)]
pub(crate) struct Desk {
    pub(crate) journal: MemoryJournal,
    pub(crate) fleet: MemoryFleet,
}

/// Where an append stops, and waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    Open,
    BeforeIt,
    AfterIt,
}

/// A worker's way to the journal, which can be held up.
pub(crate) struct Way {
    journal: MemoryJournal,
    gate: watch::Sender<Gate>,
    appended: AtomicUsize,
    is_deaf: AtomicBool,
}

impl Way {
    /// Its bell is not heard any more.
    pub(crate) fn be_deaf(&self) {
        self.is_deaf.store(true, Ordering::SeqCst);
    }

    pub(crate) fn set(&self, gate: Gate) {
        self.gate.send_replace(gate);
    }

    /// How many records were appended on it.
    pub(crate) fn appended(&self) -> usize {
        self.appended.load(Ordering::SeqCst)
    }

    async fn is_not(&self, gate: Gate) {
        let _ = self.gate.subscribe().wait_for(|now| *now != gate).await;
    }
}

impl Journal for Way {
    fn append_record(
        &self,
        record: Record,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(async move {
            self.is_not(Gate::BeforeIt).await;
            let stored = self.journal.append_record(record, durability).await;
            if stored.is_ok() {
                self.appended.fetch_add(1, Ordering::SeqCst);
            }
            self.is_not(Gate::AfterIt).await;
            stored
        })
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        self.journal.read(from)
    }

    fn writer(&self) -> RecordWriter {
        self.journal.writer()
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.journal.grew().await;
            while self.is_deaf.load(Ordering::SeqCst) {
                self.journal.grew().await;
            }
        })
    }
}

/// A worker with a ledger and nothing else.
pub(crate) struct Clerk {
    pub(crate) name: WorkerName,
    pub(crate) session: Uuid,
    pub(crate) ledger: Ledger,
    pub(crate) way: Arc<Way>,
    /// How many questions it was asked.
    pub(crate) asked: Arc<AtomicUsize>,
    answers: AbortHandle,
}

impl Clerk {
    /// Ends as in a crash; what it has under way goes on to where it is held up.
    pub(crate) fn leave_wire(&self) {
        self.answers.abort();
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// How a clerk answers.
pub(crate) type Answers =
    Arc<dyn Fn(&WorkerName, FleetQuestion) -> Option<FleetAnswer> + Send + Sync>;

impl Desk {
    /// A clerk that has joined and decides what it is asked.
    pub(crate) async fn clerk(&self, name: &str) -> Clerk {
        self.clerk_who(name, Arc::new(|_, _| None)).await
    }

    /// The same, which answers by itself where this says what.
    pub(crate) async fn clerk_who(&self, name: &str, answers: Answers) -> Clerk {
        let (name, wire) = (worker(name), self.fleet.wire(&worker(name)));
        let number: u128 = name.as_str()[1..].parse().unwrap();
        let role = WorkerRole {
            wire: Arc::new(self.fleet.wire(&name)),
            name: name.clone(),
            session: Uuid::from_u128(number),
            labels: [].into(),
            places: 8,
            governors: None,
            walls: Walls::default(),
        };
        let way = Arc::new(Way {
            journal: self.journal.of_worker(&name),
            gate: watch::Sender::new(Gate::Open),
            appended: AtomicUsize::new(0),
            is_deaf: AtomicBool::new(false),
        });
        let opened =
            Ledger::open_as(way.clone(), Arc::new(SystemClock), &role, Arc::default()).await;
        let (ledger, mut news, _) = opened.unwrap();
        tokio::spawn(async move { while news.recv().await.is_some() {} });
        let create = Command::Create {
            id: Uuid::from_u128(1),
            name: "default".into(),
        };
        ledger.decide(create).await.unwrap();
        let join = PlaceCommand::Join {
            worker: name.clone(),
            session: role.session,
            labels: [].into(),
            places: 8,
            walls: Walls::default(),
            format: JournalFormat::NOW,
            seen: SeenWorker::Silent,
        };
        ledger.decide(Command::Place(join)).await.unwrap();
        let (decides, asked) = (ledger.clone(), Arc::new(AtomicUsize::new(0)));
        let own = name.clone();
        let (count, mut feed) = (asked.clone(), wire.asked().await.unwrap());
        let serving = tokio::spawn(async move {
            while let Some(FleetAsked {
                by,
                question,
                proof,
                answer,
            }) = feed.next().await
            {
                count.fetch_add(1, Ordering::SeqCst);
                if let Some(given) = answers(&by, question.clone()) {
                    answer(given);
                } else if let FleetQuestion::Decide(asked) = question {
                    let (ledger, own) = (decides.clone(), own.clone());
                    let question = AskedQuestion { by, asked, proof };
                    tokio::spawn(async move { answer(ledger.decide_for(&own, question).await) });
                }
            }
        });
        Clerk {
            name,
            session: role.session,
            ledger,
            way,
            asked,
            answers: serving.abort_handle(),
        }
    }

    /// Makes the worker the steward; how it comes to that is the machine's.
    pub(crate) async fn steward(&self, by: &Clerk, term: u64) {
        let claim = PlaceCommand::Claim {
            worker: by.name.clone(),
            session: by.session,
            term: Term(term),
        };
        by.ledger.decide(Command::Place(claim)).await.unwrap();
    }

    pub(crate) async fn records(&self) -> Vec<Record> {
        self.journal.read(0).await.unwrap().records
    }

    /// How often a record has such an event.
    pub(crate) async fn count(&self, is_it: impl Fn(&TeamEvent) -> bool) -> usize {
        let records = self.records().await;
        let events = records.iter().flat_map(|record| &record.events);
        events.filter(|event| is_it(event)).count()
    }

    /// The names that records list, in order.
    pub(crate) async fn listed(&self) -> Vec<CommandId> {
        let records = self.records().await;
        let listed = records.iter().flat_map(|record| &record.commands);
        listed.map(|decided| decided.id).collect()
    }
}

pub(crate) fn adopt(who: &str) -> Command {
    Command::Adopt {
        member: MemberName::teammate(who).unwrap(),
        role: "any".into(),
        stopped: false,
    }
}

/// Answers once in this way, and then decides.
pub(crate) fn once(answer: FleetAnswer) -> Answers {
    let left = Mutex::new(Some(answer));
    Arc::new(move |_, _| left.lock().unwrap().take())
}
