//! The measured program: starts it in a workspace of its own and says what it cost.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    time::{Duration, Instant},
};

use nix::sys::resource::{UsageWho, getrusage};
use tempfile::TempDir;

/// A clock tick of `/proc`, on all Linux that there is.
const TICK_MILLIS: u64 = 10;

/// What a run took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub(super) wall: Duration,
    /// Its own and its children's.
    pub(super) cpu: Duration,
    pub(super) peak_mb: f64,
}

/// A program that runs. Killed when this is dropped.
pub(super) struct Running {
    child: Child,
    begun: Instant,
    cpu_before: Duration,
    peak_kb: u64,
}

/// A directory on the disk that the repository is on: what is synced there is synced.
pub(super) fn workspace() -> io::Result<TempDir> {
    let dir = xtask::root().join("target/bench/work");
    fs::create_dir_all(&dir)?;
    tempfile::tempdir_in(dir)
}

/// The program as it is packaged.
pub(super) fn path() -> PathBuf {
    xtask::root().join("target/dist/teammate")
}

/// `teammate` in that workspace, with nothing from the environment that could matter, and the model server at `url`.
pub(super) fn teammate(workspace: &Path, url: &str) -> Command {
    teammate_with(workspace, url, "anthropic:test")
}

/// The same with this model; the server speaks both wires.
pub(super) fn teammate_with(workspace: &Path, url: &str, model: &str) -> Command {
    let mut command = Command::new(path());
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", workspace)
        .env("NO_PROXY", "*")
        .env("ANTHROPIC_API_KEY", "key")
        .env("ANTHROPIC_BASE_URL", url)
        .env("OPENAI_API_KEY", "key")
        .env("OPENAI_BASE_URL", format!("{url}/v1"))
        .args([
            "--model",
            model,
            // Benchmarks repeat themselves on purpose.
            "--max-repeats",
            "0",
            "--max-hops",
            "0",
            "--max-spawns",
            "0",
            "--permission-mode",
            "bypass",
            "--max-rounds",
            "100000",
        ])
        .arg("--dir")
        .arg(workspace)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Starts it.
pub(super) fn start(command: &mut Command) -> io::Result<Running> {
    let cpu_before = children_cpu()?;
    let begun = Instant::now();
    let child = command.spawn()?;
    Ok(Running {
        child,
        begun,
        cpu_before,
        peak_kb: 0,
    })
}

impl Running {
    pub(super) fn begun(&self) -> Instant {
        self.begun
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its standard input, if it is a pipe; once.
    pub(super) fn stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Waits for its end; an error if it is not a good one or does not come within five minutes.
    pub(super) fn finish(mut self) -> io::Result<Cost> {
        loop {
            self.peak_kb = self.peak_kb.max(status_kb(self.id(), "VmHWM").unwrap_or(0));
            if let Some(status) = self.child.try_wait()? {
                let wall = self.begun.elapsed();
                if !status.success() {
                    return Err(io::Error::other(format!("teammate ended with {status}")));
                }
                let cpu = children_cpu()?.saturating_sub(self.cpu_before);
                let peak_mb = self.peak_kb as f64 / 1024.0;
                return Ok(Cost { wall, cpu, peak_mb });
            }
            if self.begun.elapsed() > Duration::from_secs(300) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for its end, and says when that was.
    pub(super) fn end(mut self) -> io::Result<Instant> {
        let status = self.child.wait()?;
        if !status.success() {
            return Err(io::Error::other(format!("teammate ended with {status}")));
        }
        Ok(Instant::now())
    }

    /// `kill -9`, and waits until it is gone.
    pub(super) fn kill(mut self) -> io::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line of `/proc/PID/status` in kB.
pub(super) fn status_kb(pid: u32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

/// How often any thread of the process was scheduled: a process that does not run makes no system call either.
pub(super) fn switches(pid: u32) -> io::Result<u64> {
    let mut sum = 0;
    for task in fs::read_dir(format!("/proc/{pid}/task"))? {
        // A thread may end meanwhile.
        let Ok(status) = fs::read_to_string(task?.path().join("status")) else {
            continue;
        };
        let counts = status.lines().filter_map(|line| {
            line.split_once("voluntary_ctxt_switches:")?
                .1
                .trim()
                .parse::<u64>()
                .ok()
        });
        sum += counts.sum::<u64>();
    }
    Ok(sum)
}

/// CPU time that a process has taken so far, user's and system's.
pub(super) fn cpu(pid: u32) -> io::Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // Its name, in brackets, may have any character.
    let (_, fields) = stat.rsplit_once(')').ok_or(io::ErrorKind::InvalidData)?;
    let fields = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = fields.filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * TICK_MILLIS))
}

/// CPU time of all children that have ended.
pub(super) fn children_cpu() -> io::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let time = |value: nix::sys::time::TimeVal| {
        Duration::from_micros(
            u64::try_from(value.tv_sec() * 1_000_000 + value.tv_usec()).unwrap_or(0),
        )
    };
    Ok(time(usage.user_time()) + time(usage.system_time()))
}
