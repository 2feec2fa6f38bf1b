//! A process that takes one task after the other and says what was acknowledged to it, until it is killed.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
    time::Duration,
};

use teammate_core::{
    Incarnation, MemberName,
    board::{Actor, NewTask, TaskAction, TaskCommand, TaskEvent, TaskId},
    fold::Fold,
    permission::Mode,
    port::Journal as _,
    team::{Command, MemberOptions, Spawn, TeamEvent, TeamState},
    transcript::EndReason,
};
use teammate_store::{
    clock::SystemClock,
    disk::RealDisk,
    files::{FileJournal, TeamDir},
};

use super::{Design, TASKS, naive};
use crate::torture::worker::{journal, run};

/// A board with all its tasks.
pub(super) fn prepare(design: Design, root: &Path) -> Result<(), String> {
    TeamDir::create(&RealDisk, root).map_err(|error| error.to_string())?;
    match design {
        Design::File => naive::prepare(root).map_err(|error| error.to_string()),
        Design::Journal => run(async {
            let mut board = Board::open(root).await?;
            let id = Default::default();
            let name = "default".to_owned();
            let mut commands = vec![Command::Create { id, name }];
            for number in 1..=TASKS {
                let new = NewTask {
                    call: number.to_string().into(),
                    subject: "something".to_owned(),
                    // Some wait for the one before.
                    blocked_by: (number % 5 == 0)
                        .then(|| TaskId::new(number - 1))
                        .into_iter()
                        .collect(),
                    ..NewTask::default()
                };
                commands.push(asked(Actor::User, TaskAction::Create(Box::new(new))));
            }
            board.decide_all(&commands).await.map(|_| ())
        })?,
    }
}

fn asked(by: Actor, ask: TaskAction) -> Command {
    Command::Task(TaskCommand::Act {
        by,
        action: ask,
        verified: None,
    })
}

/// Works until killed.
pub(crate) fn work(design: &str, dir: &Path, name: &str, life: &str) -> Result<ExitCode, String> {
    match Design::parse(design)? {
        Design::File => naive::work(dir, name).map_err(|error| error.to_string())?,
        Design::Journal => run(work_off(dir, name, life))??,
    }
    Ok(ExitCode::SUCCESS)
}

/// One write, so that a kill cannot cut a line in half.
pub(super) fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush()
}

async fn work_off(dir: &Path, name: &str, life: &str) -> Result<(), String> {
    let mut board = Board::open(dir).await?;
    let me = MemberName::teammate(name).map_err(|error| error.to_string())?;
    let now = begin(&mut board, &me, life).await?;
    loop {
        let take = TaskCommand::ClaimNext(me.clone(), now);
        for event in board.decide(Command::Task(take)).await? {
            if let TeamEvent::Task {
                task,
                change: TaskEvent::Claimed { claim, .. },
            } = event
            {
                say(&format!("claimed {} {claim}", task.number())).map_err(|e| e.to_string())?;
            }
        }
        let held = board.team().board().task_of(&me);
        let Some((id, claim)) = held.map(|task| (task.id, task.claims)) else {
            tokio::time::sleep(Duration::from_millis(1)).await;
            continue;
        };
        let by = Actor::Member(me.clone(), now);
        let complete = asked(by, TaskAction::Complete(id, String::new()));
        board.decide(complete).await?;
        say(&format!("completed {} {claim}", id.number())).map_err(|error| error.to_string())?;
    }
}

/// A new incarnation; every other one gives back the task in progress of the one before.
async fn begin(board: &mut Board, me: &MemberName, life: &str) -> Result<Incarnation, String> {
    if let Some(incarnation) = board.team().member(me).map(|known| known.incarnation) {
        let rest = Command::EndTurn {
            member: me.clone(),
            incarnation,
            why: EndReason::Interrupted,
            turn: None,
            result: String::new(),
        };
        board.decide(rest).await?;
    }
    let spawn = Command::Spawn(Spawn {
        by: MemberName::lead(),
        call: life.into(),
        member: me.clone(),
        role: "any".to_owned(),
        prompt: "work".to_owned(),
        options: MemberOptions::default(),
        ceiling: Mode::Bypass,
        fresh: life.ends_with(['1', '3', '5', '7', '9']),
    });
    board.decide(spawn).await?;
    let known = board.team().member(me).ok_or("nobody was spawned")?;
    Ok(known.incarnation)
}

/// A process's view of the board.
struct Board {
    journal: FileJournal,
    fold: Fold,
}

impl Board {
    async fn open(dir: &Path) -> Result<Self, String> {
        let journal = journal(dir);
        let (fold, _) = Fold::open(&journal)
            .await
            .map_err(|error| error.to_string())?;
        Ok(Self { journal, fold })
    }

    fn team(&self) -> &TeamState {
        self.fold.team()
    }

    /// Commits a command; what has happened.
    async fn decide(&mut self, command: Command) -> Result<Vec<TeamEvent>, String> {
        self.decide_all(&[command]).await
    }

    /// Commits commands as one record.
    async fn decide_all(&mut self, commands: &[Command]) -> Result<Vec<TeamEvent>, String> {
        let commit = self.fold.commit(&self.journal, &SystemClock, commands);
        let mut happened = Vec::new();
        for result in commit.await.results.map_err(|error| error.to_string())? {
            happened.extend(result.map_err(|why| why.to_string())?);
        }
        Ok(happened)
    }
}

/// Everything that happened on the board in `dir`.
pub(super) fn history(dir: &Path) -> Result<Vec<TeamEvent>, String> {
    run(async {
        let read = journal(dir)
            .read(0)
            .await
            .map_err(|error| error.to_string())?;
        if !read.damaged.is_empty() {
            let damaged: Vec<_> = read.damaged.iter().map(ToString::to_string).collect();
            return Err(format!("damaged: {}", damaged.join(", ")));
        }
        Ok(read
            .records
            .into_iter()
            .flat_map(|record| record.events)
            .collect())
    })?
}

/// The file of the naive board.
pub(super) fn file(root: &Path) -> std::path::PathBuf {
    root.join("board.txt")
}

/// Its lines.
pub(super) fn lines(root: &Path) -> io::Result<Vec<String>> {
    Ok(fs::read_to_string(file(root))?
        .lines()
        .map(str::to_owned)
        .collect())
}
