//! Kills of processes that work off one board, each on its own, through the journal's compare-and-swap. What was said to be
//! claimed or completed must be in the journal, and no task in two hands.

mod naive;
mod stock;
mod worker;

use std::{
    collections::BTreeSet,
    env,
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{ChildStdout, Command, Stdio},
    thread::{self, JoinHandle},
    time::Duration,
};

use super::{Plan, crew::Worker, rng::Chance, verdict::Verdict};

pub(crate) use worker::work;

/// Enough that no round runs out of them.
const TASKS: u32 = 600;

/// A round has this many kills: each start reads the whole journal.
const ROUND_KILLS: u64 = 20;

const WORKERS: usize = 4;

/// How workers share a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Design {
    /// Decide against the journal's fold, append if nobody came first.
    Journal,
    /// Read the file, change it, write it.
    File,
}

impl Design {
    fn word(self) -> &'static str {
        match self {
            Self::Journal => "journal",
            Self::File => "file",
        }
    }

    fn parse(word: &str) -> Result<Self, String> {
        [Self::Journal, Self::File]
            .into_iter()
            .find(|design| design.word() == word)
            .ok_or_else(|| format!("no design '{word}'"))
    }
}

/// An answer that a worker got, and that a board must therefore hold: `claimed 3 1` is the first claim of task 3.
pub(crate) type Answers = BTreeSet<(String, String)>;

/// Kills as planned, round by round.
pub(crate) fn torture(design: Design, plan: &Plan) -> io::Result<Verdict> {
    plan.rounds(ROUND_KILLS, |kills, chance, verdict| {
        let dir = tempfile::tempdir()?;
        let root = dir.path().join(".team");
        worker::prepare(design, &root).map_err(io::Error::other)?;
        let told = round(design, &root, kills, chance)?;
        stock::take(design, &root, &told, verdict).map_err(io::Error::other)
    })
}

fn round(
    design: Design,
    root: &Path,
    kills: u64,
    chance: &mut Chance,
) -> io::Result<Vec<(String, String)>> {
    let start = Start {
        program: env::current_exe()?,
        design,
        root: root.to_owned(),
    };
    let mut told = Vec::new();
    let mut workers = (0..WORKERS)
        .map(|at| start.worker(at, 0))
        .collect::<io::Result<Vec<_>>>()?;
    for kill in 1..=kills {
        thread::sleep(Duration::from_micros(chance.below(40_000)));
        let at = usize::try_from(chance.below(WORKERS as u64)).unwrap_or_default();
        told.extend(workers[at].stop()?);
        workers[at] = start.worker(at, kill)?;
    }
    for worker in &mut workers {
        told.extend(worker.stop()?);
    }
    Ok(told)
}

/// What every worker is started with.
struct Start {
    program: PathBuf,
    design: Design,
    root: PathBuf,
}

impl Start {
    fn worker(&self, at: usize, life: u64) -> io::Result<Listened> {
        let name = format!("w{at}");
        let mut child = Command::new(&self.program)
            .args(["torture", "work", self.design.word()])
            .arg(&self.root)
            .args([&name, &life.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let out = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Listened {
            name,
            worker: Worker(child),
            listener: Some(thread::spawn(move || listen(out))),
        })
    }
}

/// A worker's process and what it says.
struct Listened {
    name: String,
    worker: Worker,
    listener: Option<JoinHandle<Vec<String>>>,
}

impl Listened {
    /// Kills it; all that it had said by then.
    fn stop(&mut self) -> io::Result<Vec<(String, String)>> {
        self.worker.end()?;
        let Some(listener) = self.listener.take() else {
            return Ok(Vec::new());
        };
        let lines = listener.join();
        let lines = lines.map_err(|_| io::Error::other("a listener panicked"))?;
        let name = |line| (self.name.clone(), line);
        Ok(lines.into_iter().map(name).collect())
    }
}

fn listen(out: ChildStdout) -> Vec<String> {
    BufReader::new(out).lines().map_while(Result::ok).collect()
}
