//! A team of a hundred that works, in a process of its own, and pages of it in others.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::program::{self, Running};

/// Teammates.
const MEMBERS: usize = 100;

/// Spawns in one answer of the lead.
const AT_ONCE: usize = 50;

/// So long the model of each takes for an answer.
const ANSWER_MILLIS: u64 = 2_000;

/// Answers of each: more than the benchmark waits for.
const ROUNDS: usize = 300;

/// The team.
pub(super) struct Stage {
    pub(super) host: Process,
    /// Its id.
    pub(super) team: String,
    dir: Directory,
}

/// Where the team works, and the user's home beside it: inside the workspace a home has no state, and no socket for viewers.
struct Directory {
    _root: TempDir,
    work: PathBuf,
    home: PathBuf,
}

/// A process whose CPU time is read.
pub(super) struct Process(Running);

/// A page of the team, and what opens it.
pub(super) struct Page {
    pub(super) process: Process,
    /// `127.0.0.1:PORT`.
    pub(super) host: String,
    pub(super) key: String,
}

impl Stage {
    /// Resolves when all of them work.
    pub(super) fn begin() -> io::Result<Self> {
        let dir = Directory::new()?;
        fs::write(dir.work.join("play.json"), play().to_string())?;
        let mut up = dir.command(&["up", "--permission-mode", "bypass"]);
        up.args(["--max-spawns", "0", "--max-hops", "0", "--max-repeats", "0"]);
        up.args(["--max-rounds", "100000"]);
        let host = Process(program::start(&mut up)?);
        let events = dir.work.join(".team/events.jsonl");
        wait(|| has(&events, r#""event":"team_opened""#) > 0)?;
        let sent = dir.command(&["send", "lead", "Begin"]).status()?;
        if !sent.success() {
            return Err(io::Error::other("the lead gets no mail"));
        }
        // Each has sent its first word.
        wait(|| has(&events, "mail mark-") >= MEMBERS)?;
        let journal = fs::read_to_string(dir.work.join(".team/journal.jsonl"))?;
        let team = between(&journal, "\"id\":\"", "\"").ok_or(io::ErrorKind::NotFound)?;
        Ok(Self { host, team, dir })
    }

    /// Serves the team in another process.
    pub(super) fn page(&self) -> io::Result<Page> {
        let said = self.dir.work.join("web.txt");
        let mut web = self.dir.command(&["web", "--no-open"]);
        web.stdout(File::create(&said)?);
        let process = Process(program::start(&mut web)?);
        wait(|| has(&said, "makes one for another device") > 0)?;
        let said = fs::read_to_string(&said)?;
        let odd = || io::Error::other("the page does not say how it opens");
        let file = between(&said, "with its key by ", ";").ok_or_else(odd)?;
        let file = fs::read_to_string(file)?;
        Ok(Page {
            process,
            host: between(&file, "url=http://", "/#key=").ok_or_else(odd)?,
            key: between(&file, "#key=", "\"").ok_or_else(odd)?,
        })
    }

    /// The lines of what happened.
    pub(super) fn events(&self) -> io::Result<String> {
        fs::read_to_string(self.dir.work.join(".team/events.jsonl"))
    }
}

impl Directory {
    fn new() -> io::Result<Self> {
        let root = program::workspace()?;
        let [work, home] = ["work", "home"].map(|name| root.path().join(name));
        fs::create_dir(&work)?;
        fs::create_dir(&home)?;
        Ok(Self {
            _root: root,
            work,
            home,
        })
    }

    fn command(&self, words: &[&str]) -> Command {
        let play = self.work.join("play.json");
        let mut command = Command::new(program::path());
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("TEAMMATE_MODEL", format!("scripted:{}", play.display()))
            .args(words)
            .current_dir(&self.work)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}

impl Process {
    /// How much of a CPU it takes during this time, in percent.
    pub(super) fn share(&self, span: Duration) -> io::Result<f64> {
        let (before, begun) = (program::cpu(self.0.id())?, Instant::now());
        thread::sleep(span);
        let used = program::cpu(self.0.id())?.saturating_sub(before);
        Ok(used.as_secs_f64() / begun.elapsed().as_secs_f64() * 100.0)
    }
}

/// Each member's answers are words and a letter to the next one, none like another.
fn play() -> Value {
    let names: Vec<String> = (0..MEMBERS).map(|number| format!("m{number}")).collect();
    let spawn = |name: &String| json!({"tool": "spawn_teammate", "input": {"name": name, "role": "worker", "prompt": "Work."}});
    let mut lead: Vec<Value> = names
        .chunks(AT_ONCE)
        .map(|names| json!({"calls": names.iter().map(spawn).collect::<Vec<_>>()}))
        .collect();
    lead.push(json!({"calls": [{"tool": "wait_for_team"}]}));
    lead.push(json!({"say": "All rest.", "repeat": true}));
    let mut members = json!({ "lead": lead });
    for (number, name) in names.iter().enumerate() {
        let next = &names[(number + 1) % MEMBERS];
        let rounds = (0..ROUNDS).map(|round| {
            let letter = json!({"to": next, "content": format!("mail mark-{number}-{round}.")});
            json!({
                "say": format!("Said mark-{number}-{round}s."), "pause_ms": ANSWER_MILLIS,
                "calls": [{"tool": "send_message", "input": letter}],
            })
        });
        members[name.as_str()] = rounds.collect();
    }
    json!({ "members": members })
}

fn between(text: &str, from: &str, to: &str) -> Option<String> {
    let (_, rest) = text.split_once(from)?;
    rest.split_once(to).map(|(found, _)| found.to_owned())
}

/// How many lines of a file have this.
fn has(file: &Path, text: &str) -> usize {
    let all = fs::read_to_string(file).unwrap_or_default();
    all.lines().filter(|line| line.contains(text)).count()
}

fn wait(holds: impl Fn() -> bool) -> io::Result<()> {
    let begun = Instant::now();
    while !holds() {
        if begun.elapsed() > Duration::from_secs(60) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
