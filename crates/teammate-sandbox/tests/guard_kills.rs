//! Kills a program whose commands write at guarded names, or any process of it, at any moment: nothing is left there.
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
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
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

/// The processes of the program, but for those of its commands, which have sessions of their own.
fn processes(group: u32) -> Vec<i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let is_of_group = |path: &PathBuf| {
        let stat = fs::read_to_string(path.join("stat")).unwrap_or_default();
        let rest = stat.rsplit(") ").next().unwrap_or_default().to_owned();
        let words: Vec<&str> = rest.split(' ').collect();
        words.first() != Some(&"Z") && words.get(2) == Some(&&*group.to_string())
    };
    let paths = entries.map(|entry| entry.path()).filter(is_of_group);
    paths
        .filter_map(|path| path.file_name()?.to_str()?.parse().ok())
        .collect()
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

/// What stands in the workspace that was not there. A directory that a command has made, and nothing in it, decides nothing.
fn left(root: &Path) -> BTreeSet<String> {
    let dirs = [root.to_owned(), root.join(".git")];
    let entries = dirs
        .iter()
        .flat_map(|dir| fs::read_dir(dir).unwrap().flatten());
    let is_empty_dir = |path: &Path| fs::read_dir(path).is_ok_and(|mut all| all.next().is_none());
    let names = entries
        .filter(|entry| !is_empty_dir(&entry.path()))
        .map(|entry| entry.file_name().into_string().unwrap());
    names
        .filter(|name| ![".git", ".team", "config", "hooks", "HEAD"].contains(&&**name))
        .collect()
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
    let mut at_next_opening = 0;
    for round in 0..kills {
        let mut host = start(&root);
        thread::sleep(Duration::from_micros(chance.below(60_000)));
        let all = processes(host.id());
        // Each other time the program itself.
        let pick = usize::try_from(chance.below(2 * all.len().max(1) as u64)).unwrap();
        let victim = all.get(pick).copied();
        if let Some(victim) = victim {
            kill(victim);
        }
        if victim.is_some() {
            thread::sleep(Duration::from_micros(chance.below(30_000)));
        }
        host.kill().unwrap();
        host.wait().unwrap();
        let until = Instant::now() + GONE_WITHIN;
        while !processes(host.id()).is_empty() {
            assert!(Instant::now() < until, "round {round}: processes are left");
            thread::sleep(Duration::from_millis(1));
        }
        if !left(&root).is_empty() {
            assert!(victim.is_some(), "round {round}: {:?}", left(&root));
            at_next_opening += 1;
            sandbox().reopen(&place(&root));
        }
        assert_eq!(left(&root), BTreeSet::new(), "round {round}");
        let _ = fs::remove_dir_all(root.join(".team/held"));
        let _ = fs::remove_dir(root.join(".vscode"));
    }
    println!("{kills} kills, 0 left; {at_next_opening} times by the next opening");
}
