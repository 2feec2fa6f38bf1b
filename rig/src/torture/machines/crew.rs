//! The processes of a round: three workers, the holder of the member, and holders that have lost it and do not know yet.

use std::{
    collections::BTreeMap,
    env,
    io::{self, BufRead as _, BufReader},
    process::{Child, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
};

use rustix::process::{Pid, Signal, kill_process};

use super::site::Site;
use crate::torture::crew::Worker;

pub(super) const WORKERS: [&str; 3] = ["w1", "w2", "w3"];

/// How many holders that were replaced run on. The oldest is killed for another.
const STALE_MAX: usize = 3;

/// All processes. None outlives this value.
pub(super) struct Crew {
    site: Site,
    workers: Vec<Working>,
    holder: Process,
    stale: Vec<Process>,
    pub(super) term: u64,
    said: Vec<(String, Said)>,
}

/// What processes said, and what the judge needs of it.
pub(super) struct Account {
    /// How much of each kind was acknowledged to each worker: all numbers below.
    pub(super) acknowledged: BTreeMap<(String, String), u64>,
    /// Holders that stopped though nobody had taken over.
    pub(super) stopped: Vec<String>,
    /// How many found that somebody had.
    pub(super) fenced: u64,
    pub(super) term: u64,
}

/// What one process has said: kinds, and the number that would come next.
type Said = BTreeMap<String, u64>;

struct Working {
    name: &'static str,
    process: Process,
}

impl Crew {
    pub(super) fn start(site: &Site) -> io::Result<Self> {
        let workers = WORKERS.into_iter().map(|name| {
            let process = Process::work(site, name, 0, 0)?;
            Ok(Working { name, process })
        });
        Ok(Self {
            workers: workers.collect::<io::Result<_>>()?,
            holder: Process::hold(site, 1)?,
            stale: Vec::new(),
            site: site.clone(),
            term: 1,
            said: Vec::new(),
        })
    }

    /// Kills a worker and starts it again behind what was acknowledged to it.
    pub(super) fn kill_worker(&mut self, at: usize) -> io::Result<()> {
        let name = self.workers[at].name;
        let said = self.workers[at].process.stop()?;
        self.said.push((name.to_owned(), said));
        let next = |kind| highest(&self.said, name, kind);
        let (mail, record) = (next("mail"), next("record"));
        self.workers[at].process = Process::work(&self.site, name, mail, record)?;
        Ok(())
    }

    pub(super) fn pause_worker(&mut self, at: usize) -> io::Result<()> {
        self.workers[at].process.signal(Signal::STOP)
    }

    pub(super) fn wake_worker(&mut self, at: usize) -> io::Result<()> {
        self.workers[at].process.signal(Signal::CONT)
    }

    /// Kills the holder; a successor takes over.
    pub(super) fn kill_holder(&mut self) -> io::Result<()> {
        let said = self.holder.stop()?;
        self.said.push((String::new(), said));
        self.term += 1;
        self.holder = Process::hold(&self.site, self.term)?;
        Ok(())
    }

    /// A successor takes over while the holder runs, or is stopped and does not know.
    pub(super) fn replace_holder(&mut self, is_stopped: bool) -> io::Result<()> {
        if is_stopped {
            self.holder.signal(Signal::STOP)?;
        }
        self.term += 1;
        let next = Process::hold(&self.site, self.term)?;
        self.stale.push(std::mem::replace(&mut self.holder, next));
        if self.stale.len() > STALE_MAX {
            let said = self.stale.remove(0).finish()?;
            self.said.push((String::new(), said));
        }
        Ok(())
    }

    /// Holders that were stopped go on, and must find out.
    pub(super) fn wake_stale(&mut self) -> io::Result<()> {
        self.stale
            .iter()
            .try_for_each(|old| old.signal(Signal::CONT))
    }

    /// The holder has taken over.
    pub(super) fn has_taken(&self) -> bool {
        self.holder.said_so_far().contains_key("took")
    }

    /// Whether a holder has stopped for nothing by now.
    pub(super) fn has_stopped(&self) -> bool {
        self.holder.said_so_far().contains_key("stopped")
    }

    /// Kills all.
    pub(super) fn end(mut self) -> io::Result<Account> {
        for Working { name, mut process } in std::mem::take(&mut self.workers) {
            self.said.push((name.to_owned(), process.stop()?));
        }
        for mut old in std::mem::take(&mut self.stale) {
            self.said.push((String::new(), old.finish()?));
        }
        self.said.push((String::new(), self.holder.finish()?));
        Ok(Account::of(&self.said, self.term))
    }

    /// What was acknowledged so far, while all run on.
    pub(super) fn so_far(&self) -> Account {
        let mut said = self.said.clone();
        for Working { name, process } in &self.workers {
            said.push(((*name).to_owned(), process.said_so_far()));
        }
        said.push((String::new(), self.holder.said_so_far()));
        Account::of(&said, self.term)
    }
}

impl Account {
    fn of(said: &[(String, Said)], term: u64) -> Self {
        let mut acknowledged = BTreeMap::new();
        for name in WORKERS {
            for kind in ["mail", "record", "entry"] {
                let count = highest(said, name, kind);
                acknowledged.insert((name.to_owned(), kind.to_owned()), count);
            }
        }
        let holders = || said.iter().filter(|(name, _)| name.is_empty());
        let stopped = holders().filter_map(|(_, said)| said.get("stopped"));
        Self {
            acknowledged,
            stopped: stopped.map(|next| format!("term {}", next - 1)).collect(),
            fenced: holders()
                .filter(|(_, said)| said.contains_key("fenced"))
                .count() as u64,
            term,
        }
    }
}

/// How much of a kind was acknowledged to a worker in all its lives.
fn highest(said: &[(String, Said)], name: &str, kind: &str) -> u64 {
    let of = said.iter().filter(|(of, _)| of == name);
    of.filter_map(|(_, said)| said.get(kind))
        .max()
        .copied()
        .unwrap_or_default()
}

/// A process and what it has said.
struct Process {
    worker: Worker,
    said: Arc<Mutex<Said>>,
    listener: Option<JoinHandle<()>>,
}

impl Process {
    fn work(site: &Site, name: &str, mail: u64, record: u64) -> io::Result<Self> {
        let (mail, record) = (mail.to_string(), record.to_string());
        Self::start(&["machines-work", &site.word(), name, &mail, &record])
    }

    fn hold(site: &Site, term: u64) -> io::Result<Self> {
        Self::start(&["machines-hold", &site.word(), &term.to_string()])
    }

    fn start(words: &[&str]) -> io::Result<Self> {
        let mut child: Child = Command::new(env::current_exe()?)
            .arg("torture")
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let out = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let said = Arc::<Mutex<Said>>::default();
        let listener = thread::spawn({
            let said = said.clone();
            move || listen(out, &said)
        });
        Ok(Self {
            worker: Worker(child),
            said,
            listener: Some(listener),
        })
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        kill_process(Pid::from_child(&self.worker.0), signal)?;
        Ok(())
    }

    /// Kills it and hears the last that it had to say. That it has ended by itself is a fault.
    fn stop(&mut self) -> io::Result<Said> {
        self.worker.end()?;
        self.hear_all()
    }

    /// The same for a holder, which may end by itself when it is fenced.
    fn finish(&mut self) -> io::Result<Said> {
        match self.worker.0.try_wait()? {
            Some(status) if status.success() => self.hear_all(),
            Some(_) | None => self.stop(),
        }
    }

    fn hear_all(&mut self) -> io::Result<Said> {
        let listener = self.listener.take();
        listener.map_or(Ok(()), |listener| {
            let ended = listener.join();
            ended.map_err(|_| io::Error::other("a listener panicked"))
        })?;
        Ok(self.said_so_far())
    }

    fn said_so_far(&self) -> Said {
        let said = self.said.lock();
        said.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn listen(out: ChildStdout, said: &Mutex<Said>) {
    for line in BufReader::new(out).lines().map_while(Result::ok) {
        if let Some((what, number)) = line.split_once(' ')
            && let Ok(number) = number.parse::<u64>()
        {
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            said.insert(what.to_owned(), number + 1);
        }
    }
}
