//! Kills a program whose commands write at guarded names, or any process of it or of its commands, at any moment: nothing is left
//! there.
//!
//! A directory that a command made and that has nothing in it is that command's work, as any directory is, and may stay: it decides
//! nothing, and git puts files in its place (`git_puts_files_in_the_place_of_empty_directories` of `teammate-tools`). Of the guard
//! itself not even that may be left.
//!
//! `GUARD_KILLS=300` kills more often than the ordinary run does; `GUARD_SEED` repeats one.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::{
    collections::BTreeSet,
    env, fs,
    os::{fd::AsFd as _, unix::process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use rustix::process::{Pid, Signal, kill_process};
use teammate_sandbox::{
    By, CommandLimits, GuardDirs, Order, Place, Sandbox, SandboxRules, Streams, helper_is,
};
use tempfile::TempDir;

/// The workspace, for the program that is killed.
const PLACE: &str = "GUARD_PLACE";
/// Kills of an ordinary run.
const KILLS: u64 = 12;
/// How long the processes of a killed program are given to end.
const GONE_WITHIN: Duration = Duration::from_secs(20);
/// The directory that a command makes.
const MADE: &str = ".vscode";
/// What a command writes.
const SCRIPT: &str = "echo evil > .envrc; mkdir -p .vscode; echo evil > .vscode/tasks.json; echo evil > .mcp.json; \
    echo /x > .git/commondir; sleep 0.02; echo evil > .gitlab-ci.yml";

fn sandbox() -> Sandbox {
    helper_is(PathBuf::from(env!("CARGO_BIN_EXE_teammate-sandbox")));
    Sandbox::new(SandboxRules {
        home: None,
        ..SandboxRules::default()
    })
}

fn place(root: &Path) -> Place {
    let team = root.join(".team");
    Place {
        root: root.to_owned(),
        teams: vec![team.clone()],
        worktrees: team.join("worktrees"),
        by: By::Member,
        own: Vec::new(),
        tmp: None,
        shown: Default::default(),
        closed: Default::default(),
        fixed: Default::default(),
        repositories: Default::default(),
        guard: Some(GuardDirs::of_team(&team, None)),
    }
}

/// The program that is killed: runs commands for ever.
#[tokio::test]
#[ignore = "it is started by the test below"]
async fn host() {
    let Some(root) = env::var_os(PLACE).map(PathBuf::from) else {
        return;
    };
    let (sandbox, nowhere) = (
        sandbox(),
        fs::File::options().write(true).open("/dev/null").unwrap(),
    );
    loop {
        let order = Order {
            program: "/bin/bash".into(),
            arguments: vec!["-c".into(), SCRIPT.into()],
            environment: vec![
                ("PATH".into(), "/usr/bin:/bin".into()),
                (PLACE.into(), root.display().to_string()),
            ],
            directory: root.clone(),
            limits: CommandLimits::default(),
        };
        let streams = Streams::to(nowhere.as_fd(), nowhere.as_fd());
        // What of it was killed is made anew, or refused.
        let Ok(mut running) = sandbox.start(&place(&root), order, streams, None) else {
            continue;
        };
        let _ = running.ended_within(Duration::from_secs(5));
        if let Some(looking) = running.looking() {
            looking.look();
        }
        drop(running);
        let _ = fs::remove_dir_all(root.join(".team/held/1"));
        let _ = fs::write(root.join(".team/began"), "");
    }
}

/// Numbers by chance, the same for the same seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// A process as `/proc` has it.
struct Process {
    id: i32,
    parent: i32,
    group: i32,
}

/// All processes of the machine that have not ended.
fn all_processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let read = |path: PathBuf| {
        let id = path.file_name()?.to_str()?.parse().ok()?;
        let stat = fs::read_to_string(path.join("stat")).ok()?;
        let mut words = stat.rsplit(") ").next()?.split(' ');
        let lives = words.next()? != "Z";
        let (parent, group) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        lives.then_some(Process { id, parent, group })
    };
    entries.filter_map(|entry| read(entry.path())).collect()
}

/// The program, what it started, and the processes of its commands.
fn processes(host: &Child) -> Vec<i32> {
    let all = all_processes();
    let host = i32::try_from(host.id()).unwrap();
    let mut found = vec![host];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        next += 1;
        found.extend((all.iter().filter(|it| it.parent == parent)).map(|it| it.id));
    }
    let more = all.iter().filter(|it| it.group == host).map(|it| it.id);
    let more: Vec<i32> = more.filter(|id| !found.contains(id)).collect();
    found.extend(more);
    found
}

/// Whether one of these lives, or any other process of the program or its commands: in their environment stands the workspace.
fn live(of: &[i32], host: &Child, root: &Path) -> bool {
    let host = i32::try_from(host.id()).unwrap();
    let is_marked = |id: i32| {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let mark = format!("{PLACE}={}\0", root.display());
        environment
            .windows(mark.len())
            .any(|it| it == mark.as_bytes())
    };
    let is_one = |it: &Process| it.group == host || of.contains(&it.id) || is_marked(it.id);
    // One that forks while the list is read is in the next list.
    (0..2).any(|_| all_processes().iter().any(is_one))
}

fn kill(process: i32) {
    if let Some(process) = Pid::from_raw(process) {
        // It may have ended by itself.
        let _ = kill_process(process, Signal::KILL);
    }
}

fn start(root: &Path) -> Child {
    let _ = fs::remove_file(root.join(".team/began"));
    let host = Command::new(env::current_exe().unwrap())
        .args(["--exact", "host", "--ignored"])
        .env(PLACE, root)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let until = Instant::now() + GONE_WITHIN;
    while !root.join(".team/began").exists() {
        assert!(Instant::now() < until, "the program does not begin");
        thread::sleep(Duration::from_millis(2));
    }
    host
}

/// What stands in the workspace that was not there, but for the one directory that a command makes, if nothing is in it.
fn left(root: &Path) -> BTreeSet<String> {
    let dirs = [root.to_owned(), root.join(".git")];
    let entries = dirs
        .iter()
        .flat_map(|dir| fs::read_dir(dir).unwrap().flatten());
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    let was_there = [".git", ".team", "config", "hooks", "HEAD"];
    names
        .filter(|name| !was_there.contains(&&**name))
        .filter(|name| name != MADE || !is_empty_dir(&root.join(MADE)))
        .collect()
}

fn is_empty_dir(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut all| all.next().is_none())
}

#[test]
fn nothing_is_left_whoever_is_killed_and_whenever() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let kills = number("GUARD_KILLS").unwrap_or(KILLS);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let seed = number("GUARD_SEED").unwrap_or(u64::from(now.subsec_nanos()) | 1);
    println!("GUARD_SEED={seed}");
    let mut chance = Chance(seed);
    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let root = dir.path().canonicalize().unwrap().join("work");
    fs::create_dir_all(root.join(".team")).unwrap();
    fs::create_dir_all(root.join(".git/hooks")).unwrap();
    fs::write(root.join(".git/config"), "[core]\n").unwrap();
    let (mut at_next_opening, mut empty_dirs) = (0, 0);
    for round in 0..kills {
        let mut host = start(&root);
        thread::sleep(Duration::from_micros(chance.below(60_000)));
        let all = processes(&host);
        // Each other time the program itself.
        let pick = usize::try_from(chance.below(2 * all.len() as u64)).unwrap();
        let another = all.get(pick).copied().filter(|id| *id != all[0]);
        if let Some(another) = another {
            kill(another);
            thread::sleep(Duration::from_micros(chance.below(30_000)));
        }
        let all: BTreeSet<i32> = all.into_iter().chain(processes(&host)).collect();
        let all: Vec<i32> = all.into_iter().collect();
        host.kill().unwrap();
        host.wait().unwrap();
        let until = Instant::now() + GONE_WITHIN;
        while live(&all, &host, &root) {
            assert!(Instant::now() < until, "round {round}: processes are left");
            thread::sleep(Duration::from_millis(1));
        }
        if !left(&root).is_empty() {
            // Where the process that would look was killed as well.
            assert!(another.is_some(), "round {round}: {:?}", left(&root));
            at_next_opening += 1;
            sandbox().reopen(&place(&root));
        }
        assert_eq!(left(&root), BTreeSet::new(), "round {round}");
        empty_dirs += u32::from(is_empty_dir(&root.join(MADE)));
        let _ = fs::remove_dir_all(root.join(".team/held"));
        let _ = fs::remove_dir(root.join(MADE));
    }
    println!(
        "{kills} kills, 0 left; {at_next_opening} times by the next opening, {empty_dirs} times a command's empty directory"
    );
}
