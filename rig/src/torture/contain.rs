//! A host whose commands have done all they can to get away is killed at random moments, in some rounds after the helper or the
//! first process of the command. Nothing of them may be left two seconds later, and after the next opening nothing that the
//! sandbox had put into the workspace. Where nothing holds commands and they kill what looks after them, something must be left,
//! or the rig proves nothing.

mod victim;

use std::{
    env, fmt, fs, io,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use self::victim::Victim;
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
    let mut is_well = true;
    for (nth, round) in (1..).zip(ROUNDS) {
        let until = begun + plan.time.mul_f64(f64::from(nth) / f64::from(TIMED));
        let found = kill_hosts(&program, &round, plan.crashes, until, &mut chance)?;
        say(&format!("{round}: {found}\n")).map_err(io::Error::other)?;
        let is_as_it_must_be = match round.level {
            Held::Full | Held::Weakly => found.left == 0 && found.unclean == 0,
            Held::Not => found.left > 0,
        };
        if !is_as_it_must_be {
            eprintln!("FAILED: replay with --seed {}", plan.seed);
            is_well = false;
        }
    }
    Ok(is_well)
}

/// Kills up to so many hosts, until the time is up.
fn kill_hosts(
    program: &Path,
    round: &Round,
    kills: u64,
    until: Instant,
    chance: &mut Chance,
) -> io::Result<Found> {
    let mut found = Found::default();
    let is_naive = round.level == Held::Not;
    let kills = if is_naive { NAIVE } else { kills };
    let mut tries = 0;
    while found.kills < kills && (Instant::now() < until || is_naive) {
        let life = (tries % 2 == 0).then(|| Duration::from_millis(chance.below(LIFE_MAX)));
        tries += 1;
        let (number, name) = (tries, round.mark());
        let mark = format!("{}.{number}{name}", 500_000 + std::process::id());
        let end = kill_one(program, round, &mark, life)?;
        found.kills += u64::from(end.is_killed);
        found.got_away += u64::from(end.got_away > 0);
        found.slowest = found.slowest.max(end.gone_after);
        found.left += end.left;
        found.unclean += usize::from(!end.is_clean);
    }
    Ok(found)
}

/// One way to kill.
struct Round {
    level: Held,
    victim: Victim,
}

const fn round(level: Held, victim: Victim) -> Round {
    Round { level, victim }
}

const ROUNDS: [Round; 5] = [
    round(Held::Full, Victim::Host),
    round(Held::Full, Victim::Helper),
    round(Held::Full, Victim::First),
    round(Held::Weakly, Victim::Host),
    round(Held::Not, Victim::Host),
];
/// The rounds that share the time; the last takes what it takes.
const TIMED: u32 = 4;

impl Round {
    /// Part of a mark: no two rounds have the same.
    fn mark(&self) -> String {
        format!("{}{}", self.level as u8, self.victim as u8)
    }
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {:?} killed", self.level, self.victim)
    }
}

/// What came of a round.
#[derive(Default)]
struct Found {
    kills: u64,
    got_away: u64,
    slowest: Duration,
    left: usize,
    unclean: usize,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kills,
            got_away,
            slowest,
            left,
            unclean,
        } = self;
        write!(
            f,
            "{kills} kills, {got_away} of them with children that had got away; left after 2 s: {left}; slowest end {slowest:?}; \
             workspaces with something left after the next opening: {unclean}"
        )
    }
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
    /// Whether the victim had begun.
    is_killed: bool,
    is_clean: bool,
}

/// Starts a host, waits for so long, or else until its commands have got away, and kills it.
fn kill_one(program: &Path, round: &Round, mark: &str, life: Option<Duration>) -> io::Result<End> {
    let dir = tempfile::tempdir()?;
    let mut host = Host(start(program, round.level, mark, dir.path())?);
    let begun = Instant::now();
    while life.map_or_else(
        || bearing(mark).len() < WAYS.len() && begun.elapsed() < Duration::from_secs(20),
        |life| begun.elapsed() < life,
    ) {
        thread::sleep(Duration::from_millis(1));
    }
    let got_away = bearing(mark).len();
    let pid = Pid::from_raw(i32::try_from(host.0.id()).unwrap_or(0));
    let is_killed = pid.is_some_and(|pid| round.victim.kill(pid));
    if round.victim == Victim::First && is_killed {
        // The kernel ends all others with it, while the host runs.
        wait_until_gone(mark);
    }
    let left_before = bearing(mark).len();
    host.0.kill()?;
    host.0.wait()?;
    let killed = Instant::now();
    wait_until_gone(mark);
    let (gone_after, left) = (killed.elapsed(), bearing(mark));
    let left_alone = match round.victim {
        Victim::First if is_killed => left_before,
        Victim::First | Victim::Host | Victim::Helper => 0,
    };
    for process in &left {
        // Ours: nobody else has the mark.
        // It may have ended by itself since.
        let _ = kill_process(*process, Signal::KILL);
    }
    Ok(End {
        got_away,
        left: left.len() + left_alone,
        gone_after,
        is_killed,
        is_clean: is_clean_after_opening(program, dir.path())?,
    })
}

fn wait_until_gone(mark: &str) {
    let begun = Instant::now();
    while !bearing(mark).is_empty() && begun.elapsed() < GONE_WITHIN {
        thread::sleep(Duration::from_millis(2));
    }
}

/// Opens the team once more, and looks whether its workspace has only what was there or the team's own.
fn is_clean_after_opening(program: &Path, dir: &Path) -> io::Result<bool> {
    let done = json!({ "say": "Done.", "when": { "otherwise": true }, "repeat": true });
    let play = json!({ "members": { "lead": [done] } });
    fs::write(dir.join("play.json"), play.to_string())?;
    command(program, dir).status()?;
    let before = fs::read_to_string(dir.join("before"))?;
    Ok(names(&dir.join("work"))? == before)
}

/// What stands in a workspace and in its repository, but for the team.
fn names(work: &Path) -> io::Result<String> {
    let mut names = Vec::new();
    for dir in [work.to_owned(), work.join(".git"), work.join(".git/info")] {
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            if !path.ends_with(".team") {
                names.push(path.display().to_string());
            }
        }
    }
    names.sort();
    Ok(names.join("\n"))
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
    fs::write(dir.join("config.toml"), level.settings())?;
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
    fs::write(dir.join("play.json"), play.to_string())?;
    let work = dir.join("work");
    // A repository as git makes it has names that the sandbox puts something at.
    fs::create_dir_all(work.join(".git/info"))?;
    fs::write(work.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    for name in ["objects", "refs/heads"] {
        fs::create_dir_all(work.join(".git").join(name))?;
    }
    fs::write(dir.join("before"), names(&work)?)?;
    command(program, dir).spawn()
}

/// A job for the team in this directory.
fn command(program: &Path, dir: &Path) -> Command {
    let mut command = Command::new(program);
    let play = format!("scripted:{}", dir.join("play.json").display());
    command
        .args(["run", "--permission-mode", "bypass", "Go"])
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("HOME", dir.join("home"))
        .env("TEAMMATE_CONFIG", dir.join("config.toml"))
        .env("TEAMMATE_MODEL", play)
        .current_dir(dir.join("work"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The children that got away: those with the mark as their name.
fn bearing(mark: &str) -> Vec<Pid> {
    with_word(|word| word == mark)
}
