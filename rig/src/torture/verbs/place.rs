//! A workspace with a team in it, the strict server that plays its models, and the verbs that the user types in other terminals.

use std::{
    env, fs, io,
    io::{BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::story::Story;

/// The wires, by the names that the configuration has for them.
pub(super) const WIRES: [&str; 2] = ["anthropic", "openai"];

/// How long a verb or a last run may take before it counts as stuck. Far more than any needs.
const STUCK_AFTER: Duration = Duration::from_secs(120);

/// A workspace of one story on one wire.
pub(super) struct Place {
    dir: TempDir,
    program: PathBuf,
    mode: &'static str,
    server: Server,
}

impl Place {
    pub(super) fn of(story: &Story, wire: &'static str) -> io::Result<Self> {
        let dir = tempfile::tempdir()?;
        let play = dir.path().join("play.json");
        fs::write(&play, (story.play)().to_string())?;
        let server = Server::start(&play)?;
        // Both wires of the server are below one address.
        let path = if wire == "openai" { "/v1" } else { "" };
        let config = format!(
            "[providers.local]\nwire = \"{wire}\"\nbase_url = \"{}{path}\"\n",
            server.url
        );
        fs::write(dir.path().join("config.toml"), config)?;
        fs::create_dir(dir.path().join("work"))?;
        let place = Self {
            dir,
            program: built("teammate")?,
            mode: story.mode,
            server,
        };
        place.commit()?;
        Ok(place)
    }

    /// A repository with a commit, for worktrees.
    fn commit(&self) -> io::Result<()> {
        let settings = ["-c", "user.name=it", "-c", "user.email=it@example.org"];
        for words in [
            &["init", "-q"][..],
            &["config", "user.name", "it"],
            &["config", "user.email", "it@example.org"],
            &["commit", "-q", "--allow-empty", "-m", "begin"],
        ] {
            let mut git = Command::new("git");
            git.args(settings).args(words).current_dir(self.work());
            if !git.env("HOME", self.dir.path()).status()?.success() {
                return Err(io::Error::other("git does not work here"));
            }
        }
        Ok(())
    }

    pub(super) fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    /// Starts a program that hosts the team; with a job until there is one.
    pub(super) fn host(&self) -> io::Result<Host> {
        let is_new = !self.verb(&["team"])?.status.success();
        let mut words = vec![if is_new { "run" } else { "resume" }];
        words.extend(["--permission-mode", self.mode, "--answers", "wait"]);
        words.extend(is_new.then_some("Go"));
        let log = fs::File::create(self.dir.path().join("host.log"))?;
        let child = self
            .command(&words)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()?;
        Ok(Host(child))
    }

    /// What the last host said.
    pub(super) fn said(&self) -> String {
        fs::read_to_string(self.dir.path().join("host.log")).unwrap_or_default()
    }

    /// Mail that waits for members is gone.
    pub(super) fn lose_mail(&self) -> io::Result<()> {
        // A host that is killed early has not made the directory yet.
        let entries = fs::read_dir(self.work().join(".team/inbox"));
        for entry in entries.into_iter().flatten().flatten() {
            if entry.file_type()?.is_file() {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// A verb from another terminal, to its end.
    pub(super) fn verb(&self, words: &[&str]) -> io::Result<Output> {
        let mut command = self.command(words);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn()?;
        if ends_within(&mut child)?.is_none() {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::other(format!("stuck: {}", words.join(" "))));
        }
        child.wait_with_output()
    }

    /// What the server refused so far.
    pub(super) fn refused(self) -> io::Result<(Vec<String>, TempDir)> {
        Ok((self.server.end()?, self.dir))
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(words)
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.dir.path().join("home"))
            .env("TEAMMATE_CONFIG", self.dir.path().join("config.toml"))
            .env("TEAMMATE_MODEL", "local:any")
            .current_dir(self.work())
            .stdin(Stdio::null());
        command
    }
}

/// A program that hosts a team; it does not outlive the rig.
pub(super) struct Host(Child);

impl Host {
    pub(super) fn kill(mut self) -> io::Result<()> {
        self.0.kill()?;
        self.0.wait()?;
        Ok(())
    }

    /// Its exit code if it ends by itself; nothing if it is stuck.
    pub(super) fn end(mut self) -> io::Result<Option<i32>> {
        ends_within(&mut self.0)
    }

    pub(super) fn try_ended(&mut self) -> io::Result<bool> {
        Ok(self.0.try_wait()?.is_some())
    }

    pub(super) fn signal(&self, signal: Signal) -> io::Result<()> {
        kill_process(Pid::from_child(&self.0), signal)?;
        Ok(())
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ends_within(child: &mut Child) -> io::Result<Option<i32>> {
    let begun = Instant::now();
    while begun.elapsed() < STUCK_AFTER {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code().unwrap_or(-1)));
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(None)
}

/// The strict server of the tests, in a process of its own.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(play: &Path) -> io::Result<Self> {
        let mut child = Command::new(built("examples/serve")?)
            .arg(play)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut url = String::new();
        let out = child.stdout.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        // Unbuffered, so that nothing of what it says at its end is swallowed here.
        BufReader::with_capacity(1, out).read_line(&mut url)?;
        let url = url.trim().to_owned();
        Ok(Self { child, url })
    }

    /// It stops when nobody can speak to it any more, and says what it refused.
    fn end(mut self) -> io::Result<Vec<String>> {
        drop(self.child.stdin.take());
        let mut said = String::new();
        if let Some(out) = self.child.stdout.as_mut() {
            out.read_to_string(&mut said)?;
        }
        self.child.wait()?;
        Ok(said.lines().map(str::to_owned).collect())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn built(name: &str) -> io::Result<PathBuf> {
    let program = env::current_exe()?.with_file_name(name);
    if program.exists() {
        return Ok(program);
    }
    let build = "build all of it first: cargo build --workspace --all-targets";
    Err(io::Error::other(build))
}
