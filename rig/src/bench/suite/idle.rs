//! A team that has nothing to do: what a teammate more costs, and that nothing runs.

use std::{
    fs,
    io::{self, Write as _},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};

use super::{
    Effort, Measured, program,
    program::Running,
    row::{Row, Target},
};

/// How many spawns there are in one answer of the lead.
const AT_ONCE: usize = 50;

pub(super) fn measure(effort: Effort) -> Measured {
    let many = effort.times(1_000, 200);
    let one = team(1)?;
    let hundred = team(100)?;
    let all = team(many)?;
    let per =
        |team: &Team, size: usize| (team.rss_kb as f64 - one.rss_kb as f64) / (size - 1) as f64;
    let mut rows = vec![
        Row::new(
            "memory, one idle teammate and the lead",
            "MB",
            Target::AtMost(15.0),
            one.rss_kb as f64 / 1024.0,
        ),
        Row::new(
            "memory per idle teammate, at 100",
            "kB",
            Target::AtMost(50.0),
            per(&hundred, 100),
        ),
        Row::new(
            &format!("memory per idle teammate, at {many}"),
            "kB",
            Target::AtMost(50.0),
            per(&all, many),
        )
        .note(format!(
            "{} MB in all, {} threads",
            all.rss_kb / 1024,
            all.threads
        )),
    ];
    rows.extend(still(&hundred, effort)?);
    Ok(rows)
}

/// A team idle.
struct Team {
    running: Running,
    rss_kb: u64,
    threads: u64,
    _typing: std::process::ChildStdin,
    _dir: tempfile::TempDir,
}

/// Spawns so many, lets each say a word, and waits until all are idle. The program stays, as it does at a terminal.
fn team(size: usize) -> Result<Team, Box<dyn std::error::Error + Send + Sync>> {
    let dir = program::workspace()?;
    let file = dir.path().join("play.json");
    fs::write(&file, play(size).to_string())?;
    let mut command = Command::new(program::path());
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", dir.path())
        .arg("--model")
        .arg(format!("scripted:{}", file.display()))
        .args(["--max-spawns", "0", "--permission-mode", "bypass", "--dir"])
        .arg(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut running = program::start(&mut command)?;
    let mut typing = running.stdin().ok_or("no standard input")?;
    typing.write_all(b"Spawn them.\n")?;
    let events = dir.path().join(".team/events.jsonl");
    let rested = || {
        let text = fs::read_to_string(&events).unwrap_or_default();
        text.lines()
            .filter(|line| {
                line.contains(r#""event":"rested""#) && !line.contains(r#""member":"lead""#)
            })
            .count()
    };
    wait(|| rested() >= size)?;
    quiet(running.id())?;
    let rss_kb = program::status_kb(running.id(), "VmRSS").ok_or("no memory to read")?;
    let threads = program::status_kb(running.id(), "Threads").unwrap_or(0);
    Ok(Team {
        running,
        rss_kb,
        threads,
        _typing: typing,
        _dir: dir,
    })
}

fn play(size: usize) -> Value {
    let names: Vec<String> = (0..size).map(|number| format!("m{number}")).collect();
    let mut lead: Vec<Value> = names
        .chunks(AT_ONCE)
        .map(|names| {
            let calls: Vec<Value> = names
                .iter()
                .map(|name| json!({"tool": "spawn_teammate", "input": {"name": name, "role": "idler", "prompt": "Say ok."}}))
                .collect();
            json!({"calls": calls})
        })
        .collect();
    lead.push(json!({"calls": [{"tool": "wait_for_team"}]}));
    lead.push(json!({"say": "All rest.", "repeat": true}));
    json!({"members": {"lead": lead, "m*": [{"say": "ok", "repeat": true}]}})
}

fn wait(holds: impl Fn() -> bool) -> io::Result<()> {
    let begun = Instant::now();
    while !holds() {
        if begun.elapsed() > Duration::from_secs(180) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Waits until nothing has run for a good while: threads that wait for blocking work end after ten seconds.
fn quiet(pid: u32) -> io::Result<()> {
    let begun = Instant::now();
    let (mut last, mut since) = (program::switches(pid)?, Instant::now());
    while since.elapsed() < Duration::from_secs(12) {
        if begun.elapsed() > Duration::from_secs(120) {
            return Err(io::Error::other("the team never comes to rest"));
        }
        thread::sleep(Duration::from_millis(200));
        let now = program::switches(pid)?;
        if now != last {
            (last, since) = (now, Instant::now());
        }
    }
    Ok(())
}

/// Watches an idle team for a while: how often it runs, and, where `strace` is there, which system calls it makes.
fn still(
    team: &Team,
    effort: Effort,
) -> Result<Vec<Row>, Box<dyn std::error::Error + Send + Sync>> {
    let seconds = effort.times(10, 5) as u64;
    let pid = team.running.id();
    let before = program::switches(pid)?;
    thread::sleep(Duration::from_secs(seconds));
    let runs = program::switches(pid)? - before;
    let mut rows = vec![
        Row::new(
            "times that any thread of an idle team of 100 runs",
            "",
            Target::AtMost(0.0),
            runs as f64,
        )
        .note(format!(
            "in {seconds} s; a thread that does not run makes no system call"
        )),
    ];
    if let Some(calls) = traced(pid, seconds) {
        rows.push(
            Row::new(
                "system calls of an idle team of 100",
                "",
                Target::AtMost(0.0),
                calls as f64,
            )
            .note(format!("in {seconds} s, by strace")),
        );
    }
    Ok(rows)
}

/// Counts system calls. The first second is left out: attaching interrupts those that wait; so is the detaching.
fn traced(pid: u32, seconds: u64) -> Option<usize> {
    let file = tempfile::NamedTempFile::new().ok()?;
    let begun = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()?
        .as_secs_f64();
    let until = seconds + 2;
    let status = Command::new("timeout")
        .args(["-s", "INT", &until.to_string()])
        .args(["strace", "-f", "-ttt", "-q", "-o"])
        .arg(file.path())
        .args(["-p", &pid.to_string()])
        .stderr(Stdio::null())
        .status();
    // `timeout` ends with 124.
    status.ok().filter(|status| status.code() == Some(124))?;
    let text = fs::read_to_string(file.path()).ok()?;
    let watched = begun + 1.0..begun + 1.0 + seconds as f64;
    let calls = text.lines().filter(|line| {
        let moment = line
            .split_whitespace()
            .nth(1)
            .and_then(|word| word.parse::<f64>().ok());
        moment.is_some_and(|moment| watched.contains(&moment))
    });
    Some(calls.count())
}
