//! The task board without models: the real ledger on the real journal. How many claims a second a
//! hundred members make of ten thousand tasks, each claim and completion synced before its answer; and
//! whether a claim costs more with more tasks, without a disk that would hide it.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use teammate_core::{
    Incarnation, MemberName,
    board::{Actor, NewTask, TaskAction, TaskCommand, TaskEvent, TaskId},
    permission::Mode,
    port::{Disk, Journal},
    team::{Command, MemberOptions, Spawn, TeamEvent, TeamState},
    transcript::EndReason,
};
use teammate_runtime::Ledger;
use teammate_store::{
    clock::SystemClock,
    disk::RealDisk,
    files::{FileJournal, TeamDir},
    seal::HmacSeal,
};
use teammate_testkit::memory::MemoryJournal;

use super::{
    Effort, Measured, disk, program,
    row::{Row, Target},
    sample::ms,
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// How many members claim: `m0`, `m1` and so on.
pub(super) const CLAIMERS: usize = 100;
const LIFE: Incarnation = Incarnation::FIRST;

pub(super) fn measure(effort: Effort) -> Measured {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(rows(effort))
}

async fn rows(effort: Effort) -> Measured {
    let floor = disk::append_and_sync(effort.times(500, 100))?;
    let dir = program::workspace()?;
    let crowd = crowd(in_files(dir.path())?, 10_000).await?;
    let times = effort.times(20_000, 4_000);
    let mut costs = Vec::new();
    for tasks in [100, 1_000, 10_000] {
        costs.push(cost(tasks, times).await?);
    }
    let calls = calls(10_000, times / 10).await?;
    Ok(vec![
        Row::new(
            "board: 10,000 tasks, 100 claimers, each claim and completion synced",
            "claims/s",
            Target::AtLeast(5_000.0),
            crowd.rate(),
        )
        .note(format!(
            "as many completions; {:.0} records; one synced append {:.2} ms",
            crowd.records,
            floor.median()
        )),
        Row::new(
            "board: tasks claimed twice",
            "",
            Target::AtMost(0.0),
            crowd.doubled as f64,
        ),
        Row::new(
            "board: a claim among 10,000 tasks / among 100, no disk",
            "",
            Target::AtMost(1.5),
            costs[2] / costs[0],
        )
        .note(format!(
            "claimed and given back: {:.1}, {:.1}, {:.1} us at 100, 1,000, 10,000",
            costs[0] * 1e3,
            costs[1] * 1e3,
            costs[2] * 1e3
        )),
        Row::new(
            "board: whom to call, 100 idle members and 10,000 tasks",
            "ms",
            Target::Nothing,
            calls,
        ),
    ])
}

pub(super) fn name(number: usize) -> Result<MemberName, Failure> {
    Ok(MemberName::teammate(&format!("m{number}"))?)
}

fn asked(by: Actor, ask: TaskAction) -> Command {
    Command::Task(TaskCommand::Act {
        by,
        action: ask,
        verified: None,
    })
}

fn task_of(events: &[TeamEvent]) -> Option<TaskId> {
    events.iter().find_map(|event| match event {
        TeamEvent::Task {
            task,
            change: TaskEvent::Claimed { .. },
        } => Some(*task),
        _ => None,
    })
}

/// A team with that many tasks and all claimers, who rest.
pub(super) async fn team(journal: Arc<dyn Journal>, tasks: usize) -> Result<Ledger, Failure> {
    let (ledger, mut news, _) = Ledger::open(journal, Arc::new(SystemClock)).await?;
    tokio::spawn(async move { while news.recv().await.is_some() {} });
    let create = Command::Create {
        id: Default::default(),
        name: "default".to_owned(),
    };
    ledger.decide(create).await?;
    for number in 0..CLAIMERS {
        let member = name(number)?;
        let spawn = Spawn {
            by: MemberName::lead(),
            call: format!("spawn {number}").into(),
            member: member.clone(),
            role: "any".to_owned(),
            prompt: "work".to_owned(),
            options: MemberOptions::default(),
            ceiling: Mode::Bypass,
            fresh: false,
        };
        ledger.decide(Command::Spawn(spawn)).await?;
        let rest = Command::EndTurn {
            member,
            incarnation: LIFE,
            why: EndReason::Done,
            turn: None,
            result: String::new(),
        };
        ledger.decide(rest).await?;
    }
    let mut creates = tokio::task::JoinSet::new();
    for number in 0..tasks {
        let ledger = ledger.clone();
        let new = NewTask {
            call: format!("create {number}").into(),
            subject: "Read the parser and say what is wrong with it".to_owned(),
            ..NewTask::default()
        };
        let create = asked(Actor::User, TaskAction::Create(Box::new(new)));
        creates.spawn(async move { ledger.decide(create).await });
    }
    while let Some(created) = creates.join_next().await {
        created??;
    }
    Ok(ledger)
}

fn in_files(path: &Path) -> Result<Arc<dyn Journal>, Failure> {
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    let dir = TeamDir::create(&*disk, path.join(".team"))?;
    let seal = Arc::new(HmacSeal::new(&[7; 32]));
    let journal = FileJournal::new(disk, dir, seal, Arc::default());
    Ok(Arc::new(journal))
}

/// What a crowd did.
pub(super) struct Crowd {
    pub(super) took: Duration,
    pub(super) records: f64,
    pub(super) doubled: usize,
    tasks: usize,
}

impl Crowd {
    /// Claims a second.
    pub(super) fn rate(&self) -> f64 {
        self.tasks as f64 / self.took.as_secs_f64()
    }
}

/// Everybody takes one task after the other and completes it, until none is left.
pub(super) async fn crowd(journal: Arc<dyn Journal>, tasks: usize) -> Result<Crowd, Failure> {
    let ledger = team(journal.clone(), tasks).await?;
    crowd_on(&[ledger], &*journal, tasks).await
}

/// The same where claimers are spread over these ledgers of one team.
pub(super) async fn crowd_on(
    ledgers: &[Ledger],
    journal: &dyn Journal,
    tasks: usize,
) -> Result<Crowd, Failure> {
    let before = journal.read(0).await?.records.len();
    let mut claimers = tokio::task::JoinSet::new();
    let begun = Instant::now();
    for number in 0..CLAIMERS {
        let (ledger, me) = (ledgers[number % ledgers.len()].clone(), name(number)?);
        claimers.spawn(async move {
            loop {
                let take = Command::Task(TaskCommand::ClaimNext(me.clone(), LIFE));
                let Some(task) = task_of(&ledger.decide(take).await?) else {
                    return Ok::<(), Failure>(());
                };
                let by = Actor::Member(me.clone(), LIFE);
                let complete = TaskAction::Complete(task, "the parser is fine".to_owned());
                ledger.decide(asked(by, complete)).await?;
            }
        });
    }
    while let Some(ended) = claimers.join_next().await {
        ended??;
    }
    let took = begun.elapsed();
    let records = journal.read(0).await?.records;
    let mut claims: BTreeMap<TaskId, usize> = BTreeMap::new();
    for record in &records {
        for event in &record.events {
            if let Some(task) = task_of(std::slice::from_ref(event)) {
                *claims.entry(task).or_default() += 1;
            }
        }
    }
    let completed = TeamState::of(&records).board().progress().completed;
    if claims.len() != tasks || completed != tasks {
        return Err("not all tasks were done".into());
    }
    Ok(Crowd {
        took,
        records: (records.len() - before) as f64,
        doubled: claims.values().filter(|count| **count > 1).count(),
        tasks,
    })
}

/// The milliseconds of a claim that is given back, among so many tasks.
async fn cost(tasks: usize, times: usize) -> Result<f64, Failure> {
    let ledger = team(Arc::new(MemoryJournal::default()), tasks).await?;
    let me = name(0)?;
    let begun = Instant::now();
    for _ in 0..times {
        let take = Command::Task(TaskCommand::ClaimNext(me.clone(), LIFE));
        let task = task_of(&ledger.decide(take).await?).ok_or("nothing was taken")?;
        let by = Actor::Member(me.clone(), LIFE);
        let release = TaskAction::Release(task, "not now".to_owned());
        ledger.decide(asked(by, release)).await?;
    }
    Ok(ms(begun.elapsed()) / times as f64)
}

/// The milliseconds it takes to tell who has something to do.
async fn calls(tasks: usize, times: usize) -> Result<f64, Failure> {
    let ledger = team(Arc::new(MemoryJournal::default()), tasks).await?;
    let begun = Instant::now();
    for _ in 0..times {
        if ledger.team().members_to_wake().len() != CLAIMERS {
            return Err("somebody was not called".into());
        }
    }
    Ok(ms(begun.elapsed()) / times as f64)
}
