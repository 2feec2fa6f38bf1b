//! Starts the workers, kills them by chance, starts them again, and takes stock at the end of each round.

use std::{
    collections::BTreeMap,
    env,
    io::{self, BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use teammate_store::{disk::RealDisk, files::TeamDir};

use super::{
    verdict::Verdict,
    worker::{Design, take_stock},
};

const SENDERS: [&str; 4] = ["s1", "s2", "s3", "s4"];

/// A round has this many kills: transcripts are read at every start of the reader and should stay short.
const ROUND_KILLS: u64 = 100;

/// What is to be done.
pub(crate) struct Plan {
    pub(crate) design: Design,
    pub(crate) kills: u64,
    pub(crate) seed: u64,
    pub(crate) time: Duration,
}

/// Does it, round by round.
pub(crate) fn torture(plan: &Plan) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut chance = Chance(plan.seed);
    let mut verdict = Verdict::default();
    while verdict.kills < plan.kills && start.elapsed() < plan.time && verdict.is_clean() {
        let kills = (plan.kills - verdict.kills).min(ROUND_KILLS);
        let dir = tempfile::tempdir()?;
        let root = dir.path().join(".team");
        TeamDir::create(&RealDisk, &root)?;
        let acknowledged = round(plan.design, &root, kills, &mut chance)?;
        let heard = take_stock(plan.design, &root).map_err(io::Error::other)?;
        verdict.kills += kills;
        verdict.add(&acknowledged, &heard);
    }
    verdict.time = start.elapsed();
    Ok(verdict)
}

/// One round; what was acknowledged to each sender in the end.
fn round(
    design: Design,
    root: &Path,
    kills: u64,
    chance: &mut Chance,
) -> io::Result<BTreeMap<String, u64>> {
    let program = env::current_exe()?;
    let mut senders = SENDERS
        .iter()
        .map(|name| Sender::start(&program, design, root, name))
        .collect::<io::Result<Vec<_>>>()?;
    let mut reader = start_reader(&program, design, root)?;
    for _ in 0..kills {
        thread::sleep(Duration::from_micros(chance.below(30_000)));
        // The reader as often as all the senders.
        let victim = usize::try_from(chance.below(8)).unwrap_or_default();
        match senders.get_mut(victim) {
            Some(sender) => {
                sender.stop()?;
                sender.restart(&program, design, root)?;
            }
            None => {
                reader.end()?;
                reader = start_reader(&program, design, root)?;
            }
        }
    }
    reader.end()?;
    for sender in &mut senders {
        sender.stop()?;
    }
    let counts = senders.into_iter().map(|sender| (sender.name, sender.next));
    Ok(counts.collect())
}

/// A process of ours that does not outlive the rig.
struct Worker(Child);

impl Worker {
    /// Kills it; that it has ended by itself is a fault of the worker.
    fn end(&mut self) -> io::Result<()> {
        if let Some(status) = self.0.try_wait()? {
            let why = format!("a worker ended by itself: {status}");
            return Err(io::Error::other(why));
        }
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start_reader(program: &Path, design: Design, root: &Path) -> io::Result<Worker> {
    Command::new(program)
        .args(["torture", "hear", design.word()])
        .arg(root)
        .stdin(Stdio::null())
        .spawn()
        .map(Worker)
}

/// A sender's process and how far it came.
struct Sender {
    name: String,
    next: u64,
    worker: Worker,
    listener: Option<JoinHandle<u64>>,
}

impl Sender {
    fn start(program: &Path, design: Design, root: &Path, name: &str) -> io::Result<Self> {
        let (worker, listener) = Self::spawn(program, design, root, name, 0)?;
        Ok(Self {
            name: name.to_owned(),
            next: 0,
            worker,
            listener: Some(listener),
        })
    }

    fn restart(&mut self, program: &Path, design: Design, root: &Path) -> io::Result<()> {
        // From the first number that was not acknowledged: it may be stored, and is sent again with the same id.
        let (worker, listener) = Self::spawn(program, design, root, &self.name, self.next)?;
        self.worker = worker;
        self.listener = Some(listener);
        Ok(())
    }

    fn spawn(
        program: &Path,
        design: Design,
        root: &Path,
        name: &str,
        next: u64,
    ) -> io::Result<(Worker, JoinHandle<u64>)> {
        let mut child = Command::new(program)
            .args(["torture", "send", design.word()])
            .arg(root)
            .args([name, &next.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let out = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let listener = thread::spawn(move || {
            let numbers = BufReader::new(out)
                .lines()
                .map_while(Result::ok)
                .filter_map(|line| line.parse::<u64>().ok());
            numbers.last().map_or(next, |last| last + 1)
        });
        Ok((Worker(child), listener))
    }

    /// Kills it and learns what was acknowledged to it.
    fn stop(&mut self) -> io::Result<()> {
        self.worker.end()?;
        if let Some(listener) = self.listener.take() {
            self.next = listener
                .join()
                .map_err(|_| io::Error::other("a listener panicked"))?;
        }
        Ok(())
    }
}

/// Chance that can be had again: SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }
}
