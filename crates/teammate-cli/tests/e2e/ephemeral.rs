//! Jobs whose team leaves nothing behind.

use std::{fs, path::PathBuf};

use rustix::process::Signal;
use serde_json::json;

use crate::{
    play::{Scene as _, bash, calls, play, say},
    world::{World, files, until},
};

const RUN: [&str; 4] = ["run", "--ephemeral", "--permission-mode", "bypass"];

/// A world with a temporary directory of its own.
fn world(world: World) -> (World, PathBuf) {
    let temp = world.path("../temp");
    fs::create_dir(&temp).unwrap();
    let name = temp.canonicalize().unwrap().display().to_string();
    (world.env("TMPDIR", &name), temp)
}

fn run(job: &str) -> Vec<&str> {
    [&RUN[..], &[job]].concat()
}

fn is_empty(dir: &PathBuf) -> bool {
    fs::read_dir(dir).unwrap().next().is_none()
}

// fast: ephemeral runs
#[test]
fn an_ephemeral_run_leaves_nothing_behind() {
    let (world, temp) = world(World::playing(&play([(
        "lead",
        vec![bash("echo made > made.txt"), say("It is made.")],
    )])));
    world.teammate(&run("Make it")).ends(0).says("It is made.");
    assert_eq!(world.file("made.txt"), "made\n");
    let left: Vec<_> = fs::read_dir(world.work()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(is_empty(&temp));
    let known = files(&world.path("../home/.local/state/teammate/teams"));
    assert!(
        known
            .iter()
            .all(|path| path.extension().is_none_or(|end| end != "json")),
        "{known:?}"
    );
    // Also after a failure, and if the team could not be opened at all.
    let failed = world.again().replay(&play([(
        "lead",
        vec![json!({"fail": {"kind": "refused", "what": "no"}})],
    )]));
    assert_ne!(failed.teammate(&run("Fail")).code, 0);
    assert!(is_empty(&temp));
    world
        .teammate(&[&run("x")[..], &["--continue"]].concat())
        .ends(2);
}

#[test]
fn an_interrupted_ephemeral_run_leaves_nothing_and_a_killed_one_is_ended_by_the_next() {
    let works = bash("touch works; sleep 60");
    let (world, temp) = world(World::playing(&play([(
        "lead",
        vec![works.after("Wait"), say("Done.").otherwise()],
    )])));
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 130), (Signal::KILL, 137)] {
        let host = world.start(&run("Wait"));
        until(|| world.path("works").exists(), || host.err());
        host.signal(signal);
        host.end().ends(code);
        fs::remove_file(world.path("works")).unwrap();
        assert_eq!(is_empty(&temp), code == 130);
    }
    world.teammate(&run("Quick")).ends(0).says("Done.");
    assert!(is_empty(&temp));
}

#[test]
fn worktrees_with_work_that_is_not_merged_stay_and_are_named() {
    let spawn = |name: &str| {
        let input = json!({ "name": name, "role": "coder", "prompt": "Work", "worktree": true });
        ("spawn_teammate", input)
    };
    let (world, temp) = world(World::playing(&play([
        (
            "lead",
            vec![
                calls([spawn("alice"), spawn("bob")]),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("echo a > a.txt && git add a.txt && git commit -qm work"),
                say("done").otherwise(),
            ],
        ),
        ("bob", vec![say("Nothing to do.").otherwise()]),
    ])));
    crate::worktrees::repository(&world);
    let ended = world.teammate(&run("Go")).ends(0);
    assert!(ended.err.contains("worktree is kept in"), "{}", ended.err);
    assert!(ended.err.contains("/alice, 1 ahead"), "{}", ended.err);
    assert!(!ended.err.contains("bob, 0 ahead"), "{}", ended.err);
    let kept: Vec<_> = files(&temp)
        .into_iter()
        .filter(|path| path.ends_with("a.txt"))
        .collect();
    assert_eq!(kept.len(), 1, "{:?}", files(&temp));
    let journals = files(&temp)
        .into_iter()
        .filter(|path| path.ends_with("journal.jsonl"));
    assert_eq!(journals.count(), 0);
    assert!(!world.path(".team").exists() && !world.path(".teams").exists());
    let status = std::process::Command::new("git")
        .args(["branch", "--list", "teammate*"])
        .current_dir(world.work())
        .output()
        .unwrap();
    let branches = String::from_utf8_lossy(&status.stdout).into_owned();
    assert!(
        branches.contains("/alice") && !branches.contains("/bob"),
        "{branches}"
    );
}
