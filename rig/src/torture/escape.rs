//! `cargo xtask torture escape`: all that a command may try to get out of the sandbox, by each way in which commands are
//! started, as root and as an ordinary user, at each level. Each attempt is also made without the sandbox, where it must work, or
//! it proves nothing.

mod attempt;
mod files;
mod ipc;
mod kernel;
mod network;
mod outside;
mod privileges;
mod processes;
mod repository;
mod scene;
mod stage;
mod tally;
mod terminals;
mod timing;
pub(super) mod without_namespaces;

use std::{
    collections::VecDeque,
    env, fs, io,
    os::unix::fs::{PermissionsExt as _, chown},
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
    thread,
};

use attempt::{Attempt, Who};
use scene::Scene;
use tally::{Row, Tally};

use super::{rng::Chance, say};

/// All attempts, by class.
const CLASSES: [(&str, &[Attempt]); 9] = [
    ("files", files::ATTEMPTS),
    ("repository", repository::ATTEMPTS),
    ("processes", processes::ATTEMPTS),
    ("network", network::ATTEMPTS),
    ("privileges", privileges::ATTEMPTS),
    ("kernel", kernel::ATTEMPTS),
    ("terminals", terminals::ATTEMPTS),
    ("ipc", ipc::ATTEMPTS),
    ("timing", timing::ATTEMPTS),
];
/// The ordinary user that root becomes.
const NOBODY: u32 = 65_534;
/// Nearly all of the time is spent waiting.
const WORKERS: usize = 4;

/// How often it is said how far it has come.
const SAID_EACH: usize = 250;

/// What is tried.
pub(super) struct Choice<'a> {
    /// Only in the foreground, only at `full`.
    pub(super) is_short: bool,
    /// Only attempts with this in their class or name.
    pub(super) only: &'a str,
    pub(super) seed: u64,
}

/// How well the program is to hold commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Off,
    Landlock,
    Full,
}

/// How a command is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Foreground,
    Background,
    Check,
    /// By a filter that the user has said yes to, when the program's own git makes a worktree.
    Git,
}

/// Who runs the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum User {
    /// The one who runs this.
    Same,
    Ordinary(u32),
}

/// What is the same for all attempts.
struct Rig {
    name: String,
    dir: PathBuf,
    program: PathBuf,
    itself: PathBuf,
    probe: PathBuf,
    canary: String,
}

impl Level {
    fn settings(self) -> &'static str {
        match self {
            Self::Off => "",
            Self::Landlock => "[sandbox]\nrequired = \"landlock\"\nnetwork = \"none\"\n",
            Self::Full => "[sandbox]\nrequired = \"full\"\nnetwork = \"none\"\n",
        }
    }
}

impl User {
    fn owns(self, path: &Path) -> io::Result<()> {
        match self {
            Self::Same => Ok(()),
            Self::Ordinary(id) => chown(path, Some(id), Some(id)),
        }
    }

    /// A command with a plain environment.
    fn command(self, words: &[&str]) -> Command {
        let mut command = match (self, words.split_first()) {
            (Self::Same, Some((program, arguments))) => {
                let mut command = Command::new(program);
                command.args(arguments);
                command
            }
            (Self::Same, None) => Command::new("true"),
            (Self::Ordinary(id), _) => {
                let id = id.to_string();
                let mut command = Command::new("setpriv");
                command
                    .args(["--reuid", &id, "--regid", &id, "--clear-groups"])
                    .args(words);
                command
            }
        };
        let path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
        command.env_clear().env("PATH", path).env("LC_ALL", "C");
        command
    }

    fn may(self, who: Who) -> bool {
        let is_root = self == Self::Same && rustix::process::geteuid().is_root();
        who == Who::Anyone || is_root
    }
}

impl Rig {
    /// Below the directory of what was built: `/tmp` is not there in the sandbox.
    fn set_up(seed: u64) -> io::Result<(tempfile::TempDir, Self)> {
        let built = env::current_exe()?;
        let built = built.parent().unwrap_or(Path::new("/"));
        let dir = tempfile::Builder::new()
            .prefix("escape-")
            .tempdir_in(built)?;
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755))?;
        let path = |name: &str| dir.path().join(name);
        for name in ["teammate", "rig"] {
            fs::hard_link(built.join(name), path(name))
                .map_err(|error| io::Error::other(format!("build {name} first: {error}")))?;
        }
        let source = path("probe.c");
        fs::write(&source, include_str!("escape/probe.c"))?;
        let made = Command::new("cc")
            .arg("-w")
            .arg("-o")
            .arg(path("probe"))
            .arg(source)
            .status()?;
        if !made.success() {
            return Err(io::Error::other("cc does not work here"));
        }
        let mut chance = Chance(seed);
        let rig = Self {
            name: format!("escape-{}", std::process::id()),
            program: path("teammate"),
            itself: path("rig"),
            probe: path("probe"),
            canary: format!("canary-{:016x}", chance.below(u64::MAX)),
            dir: dir.path().to_owned(),
        };
        Ok((dir, rig))
    }
}

/// Tries all; whether nothing got out that should not.
pub(super) fn torture(choice: &Choice<'_>) -> io::Result<bool> {
    let (_dir, rig) = Rig::set_up(choice.seed)?;
    let mut users = vec![User::Same];
    let as_nobody = User::Ordinary(NOBODY).command(&["true"]).output();
    if as_nobody.is_ok_and(|done| done.status.success()) {
        users.push(User::Ordinary(NOBODY));
    }
    let mut tally = Tally::default();
    for user in users {
        tally.rows.extend(try_as(&rig, user, choice)?);
    }
    say(&tally.report()).map_err(io::Error::other)?;
    Ok(tally.is_well(choice.is_short))
}

/// All attempts as this user, some at a time.
fn try_as(rig: &Rig, user: User, choice: &Choice<'_>) -> io::Result<Vec<Row>> {
    let jobs = jobs(user, choice);
    let all = jobs.len();
    let jobs = Mutex::new(jobs);
    let rows = Mutex::new(Vec::new());
    let work = |number: usize| -> io::Result<()> {
        let user_name = if user == User::Same { "same" } else { "other" };
        let dir = rig.dir.join(format!("{user_name}{number}"));
        let scene = Scene::new(dir, user, &rig.canary, &rig.program)?;
        loop {
            let next = jobs
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop_front();
            let Some((class, attempt, level, way)) = next else {
                return Ok(());
            };
            let end = stage::play(rig, &scene, (attempt, level, way))?;
            let row = Row {
                class,
                attempt,
                user,
                level,
                way,
                end,
            };
            let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
            rows.push(row);
            if rows.len().is_multiple_of(SAID_EACH) {
                say(&format!("{user:?}: {} of {all} made\n", rows.len()))
                    .map_err(io::Error::other)?;
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|number| scope.spawn(move || work(number)))
            .collect();
        for worker in workers {
            worker
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("a worker panicked")))?;
        }
        Ok::<_, io::Error>(())
    })?;
    Ok(rows.into_inner().unwrap_or_else(PoisonError::into_inner))
}

type Job = (&'static str, &'static Attempt, Level, Way);

fn jobs(user: User, choice: &Choice<'_>) -> VecDeque<Job> {
    let ways = [Way::Foreground, Way::Background, Way::Check, Way::Git];
    let mut jobs = VecDeque::new();
    for (class, attempts) in CLASSES {
        let is_wanted = |attempt: &&Attempt| {
            let is_chosen = class.contains(choice.only) || attempt.name.contains(choice.only);
            is_chosen && user.may(attempt.who)
        };
        for attempt in attempts.iter().filter(is_wanted) {
            jobs.push_back((class, attempt, Level::Off, Way::Foreground));
            if choice.is_short {
                jobs.push_back((class, attempt, Level::Full, Way::Foreground));
                continue;
            }
            for way in ways {
                jobs.push_back((class, attempt, Level::Full, way));
                jobs.push_back((class, attempt, Level::Landlock, way));
            }
        }
    }
    jobs
}
