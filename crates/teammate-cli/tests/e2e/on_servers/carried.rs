//! What members did on a worker is there on the next one: each worker has a clone of its own.

use std::{path::Path, process::Command};

use serde_json::Value;

use super::{begun, joined, worker_of};
use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::{Running, World, until},
};

#[test]
fn what_a_member_wrote_is_there_when_its_worker_is_killed() {
    let plays = writing(vec![
        bash("echo a wick > lamp.txt && echo made").after("Write it"),
        say("It is written.").after("made"),
        bash("cat lamp.txt").after("Look"),
        say("I see a wick.").after("a wick"),
        say("I see nothing.").otherwise(),
    ]);
    let Some((server, world, dir)) = begun(plays) else {
        return;
    };
    let repository = repository(dir.path());
    let url = server.url();
    let worker = |name: &str| worker_of(&world, &url, name, &["--repo", &repository]);
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    let one = worker("one");
    one.until("team lamps: holds lead");
    let two = worker("two");
    joined(&world, "two", &two);
    at(&["send", "lead", "begin"]).ends(0);
    two.until("team lamps: holds alice");
    until(
        || at(&["log"]).out.contains("It is written."),
        || {
            format!(
                "{}{}{}",
                at(&["log"]).out,
                at(&["team"]).out,
                at(&["export"]).out
            )
        },
    );
    // Its turn's end was saved before it was killed: the remote has it.
    until(
        || is_saved(dir.path()),
        || format!("{}{}", at(&["log"]).out, saved(dir.path())),
    );
    two.signal(rustix::process::Signal::KILL);
    one.until("team lamps: holds alice, lead");
    at(&["send", "alice", "Look"]).ends(0);
    until(
        || at(&["log"]).out.contains("I see a wick."),
        || format!("{}{}", at(&["log"]).out, one.err()),
    );
}

#[test]
fn each_worker_sets_a_worktree_up_by_its_own_settings() {
    let plays = writing(vec![
        bash("cat set-up").after("Write it"),
        say("Two has set it up.").after("by two\nexit status 0"),
        bash("cat set-up").after("Look"),
        say("One has, as well.").after("by two\nby one\nexit status 0"),
        say("I see nothing.").otherwise(),
    ]);
    let Some((server, world, dir)) = begun(plays) else {
        return;
    };
    let repository = repository(dir.path());
    let url = server.url();
    let worker = |name: &str, rest: &str| -> Running {
        let settings = format!("[worktrees]\nrun = [\"echo by {name} >> set-up\"{rest}]\n");
        let config = dir.path().join(name);
        std::fs::create_dir_all(config.join("teammate")).unwrap();
        std::fs::write(config.join("teammate/config.toml"), settings).unwrap();
        let own = world
            .again()
            .env("XDG_CONFIG_HOME", config.to_str().unwrap());
        worker_of(&own, &url, name, &["--repo", &repository])
    };
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    let one = worker("one", ", \"echo no parts; exit 3\"");
    one.until("team lamps: holds lead");
    let two = worker("two", "");
    joined(&world, "two", &two);
    at(&["send", "lead", "begin"]).ends(0);
    two.until("team lamps: holds alice");
    let all = || format!("{}{}{}", at(&["export"]).out, one.err(), two.err());
    until(|| at(&["log"]).out.contains("Two has set it up."), all);
    until(|| is_saved(dir.path()), all);
    two.signal(rustix::process::Signal::KILL);
    one.until("team lamps: holds alice, lead");
    at(&["send", "alice", "Look"]).ends(0);
    until(|| at(&["log"]).out.contains("One has, as well."), all);
    // The user and the member read what failed.
    let failed = "`echo no parts; exit 3`, which the settings have run in a new worktree, failed";
    until(|| at(&["log"]).out.contains(failed), all);
    let heard = format!("Your worktree is new. {failed}");
    until(|| at(&["export"]).out.contains(&heard), all);
}

/// A team whose lead has alice write something; these are her turns.
pub(super) fn writing(alice: Vec<Value>) -> World {
    let lead = vec![
        spawn([("alice", "coder", "Write it")]).after("begin"),
        say("I wait.").otherwise(),
    ];
    World::playing(&play([("lead", lead), ("alice", alice)]))
}

/// A repository with a commit, which nobody works in.
pub(super) fn repository(dir: &Path) -> String {
    let made = dir.join("made");
    let made = made.to_str().unwrap();
    let bare = dir.join("lamps.git").to_str().unwrap().to_owned();
    git(dir, &["init", "-q", "-b", "main", made]);
    let name = ["-c", "user.name=Ann", "-c", "user.email=ann@localhost"];
    let commit = ["-C", made, "commit", "-q", "--allow-empty", "-m", "Begin"];
    git(dir, &[&name[..], &commit].concat());
    git(dir, &["clone", "-q", "--bare", made, &bare]);
    bare
}

/// Whether the repository has work of alice's that is not committed.
pub(super) fn is_saved(dir: &Path) -> bool {
    saved(dir)
        .lines()
        .any(|line| line.contains("/alice/") && line.ends_with("/wip"))
}

fn saved(dir: &Path) -> String {
    git(dir, &["-C", "lamps.git", "for-each-ref", "refs/teammate"])
}

pub(super) fn git(dir: &Path, args: &[&str]) -> String {
    let mut git = Command::new("git");
    let done = git
        .args(args)
        .current_dir(dir)
        .env("HOME", "/nowhere")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {args:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}
