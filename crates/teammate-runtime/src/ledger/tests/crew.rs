//! Workers that claim and complete tasks, and a killer.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use teammate_core::{
    Incarnation, MemberName,
    board::{Actor, NewTask, TaskAction, TaskCommand, TaskEvent, TaskId, TaskStatus},
    permission::Mode,
    team::{MemberOptions, Spawn},
    transcript::EndReason,
};
use teammate_store::clock::SystemClock;
use tokio::task::JoinHandle;

use super::super::*;

/// A claim: which task, and its how-manieth.
type ClaimOf = (TaskId, u32);

/// What the callers were answered.
#[derive(Default)]
struct Said {
    claims: Mutex<BTreeMap<ClaimOf, MemberName>>,
    completions: Mutex<BTreeSet<(ClaimOf, MemberName)>>,
}

pub(super) struct Crew {
    ledgers: Vec<Ledger>,
    journal: Arc<dyn Journal>,
    workers: Vec<MemberName>,
    said: Arc<Said>,
    seed: u64,
}

pub(super) fn create() -> Command {
    Command::Create {
        id: uuid::Uuid::from_u128(1),
        name: "default".into(),
    }
}

fn spawn(member: &MemberName, call: u64, fresh: bool) -> Command {
    Command::Spawn(Spawn {
        by: MemberName::lead(),
        call: format!("spawn {call}").into(),
        member: member.clone(),
        role: "any".into(),
        prompt: "work".into(),
        options: MemberOptions::default(),
        ceiling: Mode::Bypass,
        fresh,
    })
}

fn asked(by: Actor, ask: TaskAction) -> Command {
    Command::Task(TaskCommand::Act {
        by,
        action: ask,
        verified: None,
    })
}

impl Crew {
    /// A host for each journal; they are one.
    pub(super) async fn of(journals: &[Arc<dyn Journal>], workers: usize, seed: u64) -> Self {
        let mut ledgers = Vec::new();
        for journal in journals {
            let opened = Ledger::open(journal.clone(), Arc::new(SystemClock)).await;
            let (ledger, mut news, _) = opened.unwrap();
            tokio::spawn(async move { while news.recv().await.is_some() {} });
            ledger.decide(create()).await.unwrap();
            ledgers.push(ledger);
        }
        let name = |number| MemberName::teammate(&format!("w{number}")).unwrap();
        Self {
            ledgers,
            journal: journals[0].clone(),
            workers: (0..workers).map(name).collect(),
            said: Arc::default(),
            seed,
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % bound
    }

    /// All tasks get done although workers are killed.
    pub(super) async fn finish(mut self, count: usize) {
        let seed = self.seed;
        let lead = self.ledgers[0].clone();
        let creates = (0..count).map(|number| {
            let new = NewTask {
                call: format!("create {number}").into(),
                subject: "something".into(),
                // Some wait for the one before.
                blocked_by: (number % 7 == 6)
                    .then(|| TaskId::new(number as u32))
                    .into_iter()
                    .collect(),
                ..NewTask::default()
            };
            lead.decide(asked(Actor::User, TaskAction::Create(Box::new(new))))
        });
        for create in creates.collect::<Vec<_>>() {
            create
                .await
                .unwrap_or_else(|why| panic!("TEAMMATE_SEED={seed}: {why}"));
        }
        let mut tasks: Vec<Option<JoinHandle<()>>> = self.workers.iter().map(|_| None).collect();
        let mut calls = 0;
        loop {
            for (at, task) in tasks.iter_mut().enumerate() {
                if task.is_none() {
                    calls += 1;
                    let fresh = self.below(4) == 0;
                    *task = Some(self.start(at, calls, fresh).await);
                }
            }
            for _ in 0..self.below(20) {
                tokio::task::yield_now().await;
            }
            let at = self.below(tasks.len() as u64) as usize;
            if let Some(task) = tasks[at].take() {
                task.abort();
                // It has ended one way or the other.
                let _ = task.await;
            }
            if self.is_done(count).await {
                break;
            }
        }
        for task in tasks.into_iter().flatten() {
            task.abort();
        }
        // The value may be ahead of the file; what comes later is decided when that is written.
        let later = Command::MarkBoardReported { changes: 0 };
        lead.decide(later).await.unwrap();
        self.judge(seed, count).await;
    }

    /// What was given up is opened again; true when all is completed.
    async fn is_done(&self, count: usize) -> bool {
        let (failed, progress) = {
            let team = self.ledgers[0].team();
            let failed = team
                .board()
                .tasks()
                .filter(|task| matches!(task.status, TaskStatus::Failed { .. }));
            (
                failed.map(|task| task.id).collect::<Vec<_>>(),
                team.board().progress(),
            )
        };
        for id in failed {
            let reopen = asked(Actor::User, TaskAction::Reopen(id, String::new()));
            self.ledgers[0].decide(reopen).await.unwrap();
        }
        progress.completed == count
    }

    /// Spawns dead members again, perhaps from another host.
    async fn start(&mut self, at: usize, call: u64, fresh: bool) -> JoinHandle<()> {
        let name = self.workers[at].clone();
        let host = self.below(self.ledgers.len() as u64) as usize;
        let ledger = self.ledgers[host].clone();
        let known = ledger.team().member(&name).map(|member| member.incarnation);
        if let Some(incarnation) = known {
            let rest = Command::EndTurn {
                member: name.clone(),
                incarnation,
                why: EndReason::Interrupted,
                turn: None,
                result: String::new(),
            };
            // Another host may know of a later incarnation; then the spawn is that host's, too.
            let _ = ledger.decide(rest).await;
        }
        let life = match ledger.decide(spawn(&name, call, fresh)).await {
            Ok(_) => ledger.team().member(&name).map(|member| member.incarnation),
            Err(_) => None,
        };
        let said = self.said.clone();
        tokio::spawn(async move {
            if let Some(life) = life {
                work(&ledger, &name, life, &said).await;
            }
        })
    }

    /// Compares the journal with the answers.
    async fn judge(&self, seed: u64, count: usize) {
        let mut hands: BTreeMap<TaskId, (MemberName, u32)> = BTreeMap::new();
        let (mut claims, mut completions) = (BTreeMap::new(), BTreeSet::new());
        let mut completed: BTreeSet<TaskId> = BTreeSet::new();
        for record in self.journal.read(0).await.unwrap().records {
            for event in record.events {
                let TeamEvent::Task { task, change } = event else {
                    continue;
                };
                match change {
                    TaskEvent::Claimed { by, claim, .. } => {
                        let held = hands.insert(task, (by.clone(), claim));
                        assert_eq!(held, None, "TEAMMATE_SEED={seed}: {task} is in two hands");
                        claims.insert((task, claim), by);
                    }
                    TaskEvent::Completed { .. } => {
                        let (by, claim) = hands.remove(&task).expect("whoever completes it has it");
                        completions.insert(((task, claim), by));
                        assert!(
                            completed.insert(task),
                            "TEAMMATE_SEED={seed}: {task} is completed twice"
                        );
                    }
                    TaskEvent::Renewed { .. } | TaskEvent::Created { .. } => {}
                    TaskEvent::Released { .. } | TaskEvent::Failed { .. } => {
                        hands.remove(&task);
                    }
                    TaskEvent::Reopened { .. } => {}
                    other => panic!("TEAMMATE_SEED={seed}: {other:?}"),
                }
            }
        }
        assert_eq!(completed.len(), count, "TEAMMATE_SEED={seed}");
        let said = self.said.claims.lock().unwrap();
        for (claim, by) in said.iter() {
            assert_eq!(
                claims.get(claim),
                Some(by),
                "TEAMMATE_SEED={seed}: {claim:?}"
            );
        }
        let said = self.said.completions.lock().unwrap();
        assert!(
            said.is_subset(&completions),
            "TEAMMATE_SEED={seed}: a completion was lost"
        );
    }
}

async fn work(ledger: &Ledger, name: &MemberName, life: Incarnation, said: &Said) {
    loop {
        let take = Command::Task(TaskCommand::ClaimNext(name.clone(), life));
        let Ok(events) = ledger.decide(take).await else {
            return;
        };
        let claimed = events.iter().find_map(|event| match event {
            TeamEvent::Task {
                task,
                change: TaskEvent::Claimed { claim, .. },
            } => Some((*task, *claim)),
            _ => None,
        });
        if let Some(claim) = claimed {
            let earlier = said.claims.lock().unwrap().insert(claim, name.clone());
            assert_eq!(earlier, None, "{claim:?} was given twice");
        }
        let held = {
            let team = ledger.team();
            team.board()
                .task_of(name)
                .map(|task| (task.id, task.claims))
        };
        let Some(claim) = claimed.or(held) else {
            tokio::task::yield_now().await;
            continue;
        };
        let complete = TaskAction::Complete(claim.0, format!("{claim:?}"));
        match ledger
            .decide(asked(Actor::Member(name.clone(), life), complete))
            .await
        {
            Ok(events) if !events.is_empty() => {
                said.completions
                    .lock()
                    .unwrap()
                    .insert((claim, name.clone()));
            }
            Ok(_) => {}
            Err(_) => return,
        }
    }
}
