//! A host whose commands have done all they can to get away is killed at random moments, and nothing of them may be left two
//! seconds later. Where nothing holds them and they kill what looks after them, something must be left, or the rig proves nothing.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::{Plan, processes::with_word, rng::Chance, say};

/// How long what was left may take to end.
const GONE_WITHIN: Duration = Duration::from_secs(2);
/// A host is killed that soon after its start at the earliest; at the latest a while after all got away.
const LIFE_MAX: u64 = 700;
/// How often the design that must lose is killed.
const NAIVE: u64 = 4;

/// Kills hosts; whether nothing was left where nothing may be, and something where it must.
pub(super) fn torture(plan: &Plan) -> io::Result<bool> {
    let program = env::current_exe()?.with_file_name("teammate");
    if !program.exists() {
        return Err(io::Error::other("build the program first: cargo build"));
    }
    let begun = Instant::now();
    let mut chance = Chance(plan.seed);
    let mut left = Vec::new();
    for (level, kills) in [
        (Held::Full, plan.crashes),
        (Held::Weakly, plan.crashes),
        (Held::Not, NAIVE),
    ] {
        let (mut killed, mut got_away, mut slowest, mut remained) = (0, 0, Duration::ZERO, 0);
        // Half of the time for each of the first two.
        let until = begun
            + plan
                .time
                .mul_f64(if level == Held::Full { 0.5 } else { 1.0 });
        while killed < kills && (Instant::now() < until || level == Held::Not) {
            let life = (killed % 2 == 0).then(|| Duration::from_millis(chance.below(LIFE_MAX)));
            let mark = format!("{}.{killed}{}", 500_000 + std::process::id(), level as u8);
            let end = kill_one(&program, level, &mark, life)?;
            killed += 1;
            got_away += u64::from(end.got_away > 0);
            slowest = slowest.max(end.gone_after);
            remained += end.left;
        }
        say(&format!(
            "{level:?}: {killed} kills, {got_away} of them with children that had got away; left after 2 s: {remained}; slowest end {slowest:?}\n"
        ))
        .map_err(io::Error::other)?;
        left.push(remained);
    }
    let (sure, naive) = left.split_at(2);
    if sure.iter().any(|remained| *remained > 0) {
        eprintln!("FAILED: replay with --seed {}", plan.seed);
        return Ok(false);
    }
    if naive == [0] {
        eprintln!("FAILED: nothing was left where nothing holds, so this rig does not bite");
        return Ok(false);
    }
    Ok(true)
}

/// How well commands are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// In namespaces of their own.
    Full,
    /// By a process that kills all their descendants.
    Weakly,
    /// By nobody: they kill that process and its parent first.
    Not,
}

impl Held {
    fn settings(self) -> &'static str {
        match self {
            Self::Full => "",
            Self::Weakly | Self::Not => "containment = \"descendants\"\n",
        }
    }

    /// What a command begins with.
    fn first(self) -> &'static str {
        match self {
            Self::Full | Self::Weakly => "",
            Self::Not => "kill -9 $(ps -o ppid= -p $PPID) $PPID;",
        }
    }
}

struct End {
    got_away: usize,
    left: usize,
    gone_after: Duration,
}

/// Starts a host, waits for so long, or else until its commands have got away, and kills it.
fn kill_one(program: &Path, level: Held, mark: &str, life: Option<Duration>) -> io::Result<End> {
    let dir = tempfile::tempdir()?;
    let mut host = Host(start(program, level, mark, dir.path())?);
    let begun = Instant::now();
    while life.map_or_else(
        || bearing(mark).len() < WAYS.len() && begun.elapsed() < Duration::from_secs(20),
        |life| begun.elapsed() < life,
    ) {
        thread::sleep(Duration::from_millis(1));
    }
    let got_away = bearing(mark).len();
    host.0.kill()?;
    host.0.wait()?;
    let killed = Instant::now();
    while !bearing(mark).is_empty() && killed.elapsed() < GONE_WITHIN {
        thread::sleep(Duration::from_millis(2));
    }
    let (gone_after, left) = (killed.elapsed(), bearing(mark));
    for process in &left {
        // Ours: nobody else has the mark.
        // It may have ended by itself since.
        let _ = kill_process(*process, Signal::KILL);
    }
    Ok(End {
        got_away,
        left: left.len(),
        gone_after,
    })
}

/// A host that does not outlive the rig.
struct Host(Child);

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How children get away: all leave their session, their parents and their marks, and do not hear TERM. Some print, some stop.
const WAYS: [&str; 3] = [
    "while :; do sleep 0.2; done",
    "while :; do echo; sleep 0.01; done",
    "kill -STOP $BASHPID",
];

fn start(program: &Path, level: Held, mark: &str, dir: &Path) -> io::Result<Child> {
    let config = dir.join("config.toml");
    fs::write(&config, level.settings())?;
    let away = |way: &str| {
        let runaway = format!("trap \"\" TERM HUP INT; {way}");
        format!(
            "( ( setsid env -i PATH=\"$PATH\" bash -c '{runaway}' {mark} & ) & ) >/dev/null 2>&1; "
        )
    };
    let all: String = WAYS.iter().map(|way| away(way)).collect();
    let play = json!({ "members": { "lead": [
        { "calls": [{ "tool": "bash", "input": { "command": format!("{} {all} sleep 1000", level.first()) } }] },
    ] } });
    let file = dir.join("play.json");
    fs::write(&file, play.to_string())?;
    let work: PathBuf = dir.join("work");
    fs::create_dir(&work)?;
    Command::new(program)
        .args(["run", "--permission-mode", "bypass", "Go"])
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("HOME", dir.join("home"))
        .env("TEAMMATE_CONFIG", &config)
        .env("TEAMMATE_MODEL", format!("scripted:{}", file.display()))
        .current_dir(work)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// The children that got away: those with the mark as their name.
fn bearing(mark: &str) -> Vec<Pid> {
    with_word(|word| word == mark)
}
