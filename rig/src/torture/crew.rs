//! The worker processes of a round: four senders and the reader.

use std::{
    collections::BTreeMap,
    env,
    io::{self, BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
};

use super::worker::Design;

const SENDERS: [&str; 4] = ["s1", "s2", "s3", "s4"];

/// All of them. None outlives this value.
pub(crate) struct Crew {
    start: Start,
    senders: Vec<Sender>,
    reader: Worker,
}

impl Crew {
    /// Starts them; the senders go on from the given numbers.
    pub(crate) fn start(
        design: Design,
        root: &Path,
        from: &BTreeMap<String, u64>,
    ) -> io::Result<Self> {
        let start = Start {
            program: env::current_exe()?,
            design,
            root: root.to_owned(),
        };
        let senders = SENDERS
            .iter()
            .map(|name| Sender::start(&start, name, from.get(*name).copied().unwrap_or_default()))
            .collect::<io::Result<_>>()?;
        Ok(Self {
            reader: start.reader()?,
            senders,
            start,
        })
    }

    /// Kills one, a sender by its place or else the reader, and starts it again.
    pub(crate) fn replace(&mut self, place: usize) -> io::Result<()> {
        match self.senders.get_mut(place) {
            Some(sender) => {
                sender.stop()?;
                *sender = Sender::start(&self.start, sender.name, sender.acknowledged())?;
            }
            None => {
                self.reader.end()?;
                self.reader = self.start.reader()?;
            }
        }
        Ok(())
    }

    /// How many messages were acknowledged to each sender by now.
    pub(crate) fn acknowledged(&self) -> BTreeMap<String, u64> {
        self.senders
            .iter()
            .map(|sender| (sender.name.to_owned(), sender.acknowledged()))
            .collect()
    }

    /// Kills all; what was acknowledged in the end.
    pub(crate) fn end(mut self) -> io::Result<BTreeMap<String, u64>> {
        self.reader.end()?;
        for sender in &mut self.senders {
            sender.stop()?;
        }
        Ok(self.acknowledged())
    }
}

/// What every worker is started with.
struct Start {
    program: PathBuf,
    design: Design,
    root: PathBuf,
}

impl Start {
    fn command(&self, role: &str) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(["torture", role, self.design.word()])
            .arg(&self.root)
            .stdin(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    fn reader(&self) -> io::Result<Worker> {
        self.command("hear").spawn().map(Worker)
    }
}

/// A process that does not outlive the rig.
pub(super) struct Worker(pub(super) Child);

impl Worker {
    /// Kills it; that it has ended by itself is a fault of the worker.
    pub(super) fn end(&mut self) -> io::Result<()> {
        if let Some(status) = self.0.try_wait()? {
            let mut why = format!("a worker ended by itself ({status}): ");
            if let Some(mut errors) = self.0.stderr.take() {
                errors.read_to_string(&mut why)?;
            }
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

/// A sender's process and how far it came.
struct Sender {
    name: &'static str,
    worker: Worker,
    next: Arc<AtomicU64>,
    listener: Option<JoinHandle<()>>,
}

impl Sender {
    /// Sends from number `next` on: the first that was not acknowledged. It may be stored, and is sent again with the
    /// same id.
    fn start(start: &Start, name: &'static str, next: u64) -> io::Result<Self> {
        let mut child = start
            .command("send")
            .args([name, &next.to_string()])
            .stdout(Stdio::piped())
            .spawn()?;
        let out = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let next = Arc::new(AtomicU64::new(next));
        let listener = thread::spawn({
            let next = next.clone();
            move || listen(out, &next)
        });
        Ok(Self {
            name,
            worker: Worker(child),
            next,
            listener: Some(listener),
        })
    }

    fn acknowledged(&self) -> u64 {
        self.next.load(Ordering::Acquire)
    }

    /// Kills it and hears the last that it had to say.
    fn stop(&mut self) -> io::Result<()> {
        self.worker.end()?;
        let listener = self.listener.take();
        listener.map_or(Ok(()), |listener| {
            let ended = listener.join();
            ended.map_err(|_| io::Error::other("a listener panicked"))
        })
    }
}

fn listen(out: ChildStdout, next: &AtomicU64) {
    let numbers = BufReader::new(out)
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| line.parse::<u64>().ok());
    for number in numbers {
        next.store(number + 1, Ordering::Release);
    }
}
