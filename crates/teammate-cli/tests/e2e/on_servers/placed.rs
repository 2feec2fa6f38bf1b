//! Which worker gets which members, what it must hold them by, what it is allowed; and that it serves a stopped team again.

use std::path::Path;

use serde_json::json;

use super::{begun, joined, world};
use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    world::{Running, World, until},
};

/// A worker that works in a directory of its own.
fn worker(world: &World, url: &str, dir: &Path, (name, more): (&str, &[&str])) -> Running {
    let at = dir.join(name);
    std::fs::create_dir_all(&at).unwrap();
    let at = at.to_str().unwrap();
    let join = ["worker", "--join", url, "--name", name, "--for", "lamps"];
    world.start(&[&join[..], &["--dir", at], more].concat())
}

#[test]
fn a_member_waits_for_a_worker_with_its_label_and_everybody_sees_it() {
    let on_gpu = json!({ "name": "alice", "role": "trainer", "prompt": "Train it", "on": ["gpu"] });
    let plays = World::playing(&play([
        (
            "lead",
            vec![
                calls([("spawn_teammate", on_gpu)]).after("begin"),
                say("She waits for a gpu.").after("It does not run yet: no worker with gpu"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("It is trained.").otherwise()]),
    ]));
    let Some((server, world, dir)) = begun(plays) else {
        return;
    };
    let (url, at) = (server.url(), |args: &[&str]| {
        world.teammate(&[args, &["--team", "lamps"]].concat())
    });
    let free = ["--permission-mode", "bypass"];
    let one = worker(&world, &url, dir.path(), ("one", &free));
    one.until("team lamps: holds lead");
    at(&["send", "lead", "begin"]).ends(0);
    until(
        || at(&["log"]).out.contains("She waits for a gpu."),
        || one.err(),
    );
    at(&["team"]).ends(0).says("starting (no worker with gpu)");
    at(&["needs"])
        .ends(0)
        .says("alice")
        .says("waits for a worker: no worker with gpu");
    at(&["workers"])
        .ends(0)
        .says("alice  waits for a worker with gpu");

    let with_gpu = [&free[..], &["--label", "gpu"]].concat();
    let two = worker(&world, &url, dir.path(), ("two", &with_gpu));
    two.until("team lamps: holds alice");
    until(|| at(&["log"]).out.contains("It is trained."), || two.err());
    at(&["needs"]).ends(0).says("Nothing waits for you");
}

#[test]
fn a_worker_below_what_the_team_demands_gets_no_members_and_says_why() {
    let Some((server, world, dir)) = begun(world()) else {
        return;
    };
    let (url, monitor) = (server.url(), server.monitor());
    let up = |level: &str| {
        let proof = ["--replicas", "1", "--monitor", &monitor];
        let demand = ["--detach", "--team", "lamps", "--require-sandbox", level];
        world.teammate(&[&["up"], &proof[..], &demand].concat())
    };
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    up("walls").ends(2).complains("'walls' is no level");
    up("full").ends(0);
    let bare = ["--permission-mode", "bypass", "--sandbox", "off"];
    let one = worker(&world, &url, dir.path(), ("one", &bare));
    one.until("this worker gets no members: its sandbox is 'off', and the team demands 'full'");
    joined(&world, "one", &one);
    at(&["workers"])
        .ends(0)
        .says("The team demands sandbox full of its workers")
        .says("one  gets no members: its sandbox is 'off', and the team demands 'full'")
        .says("lead  waits for a worker with sandbox full");
    // The user demands less.
    up("off").ends(0);
    one.until("team lamps: holds lead");
    at(&["workers"]).ends(0).says("one  there  holds lead");
}

#[test]
fn a_running_worker_serves_a_stopped_team_again() {
    let Some((server, world, dir)) = begun(world()) else {
        return;
    };
    let (url, monitor) = (server.url(), server.monitor());
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    let free = ["--permission-mode", "bypass"];
    let one = worker(&world, &url, dir.path(), ("one", &free));
    one.until("team lamps: holds lead");
    at(&["stop"]).ends(0);
    one.until("somebody stopped the team");
    at(&["team"]).ends(0).says("not running");
    at(&["resume"]).ends(0).says("The team goes on, run by");
    // Who types it again runs no team here, and needs no model.
    at(&["resume"]).ends(0).says("The team goes on, run by");
    at(&["send", "lead", "light it"]).ends(0);
    until(|| at(&["log"]).out.contains("It is lit."), || one.err());

    at(&["stop"]).ends(0);
    until(|| at(&["team"]).out.contains("not running"), || one.err());
    let proof = ["--replicas", "1", "--monitor", &monitor];
    at(&[&["up", "--detach"], &proof[..]].concat()).ends(0);
    until(
        || at(&["workers"]).out.contains("one  there  holds lead"),
        || one.err(),
    );
}

#[test]
fn an_always_reaches_the_next_worker_and_no_file() {
    let plays = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "lighter", "Light it")]).after("begin"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("touch lamp && echo burning").after("Light it"),
                bash("touch lamp && echo burning").after("Once more"),
                say("It burns.").after("burning").again(),
                say("I rest.").otherwise(),
            ],
        ),
    ]));
    let Some((server, world, dir)) = begun(plays) else {
        return;
    };
    let (url, at) = (server.url(), |args: &[&str]| {
        world.teammate(&[args, &["--team", "lamps"]].concat())
    });
    let asks = ["--permission-mode", "ask"];
    let one = worker(&world, &url, dir.path(), ("one", &asks));
    one.until("team lamps: holds lead");
    let two = worker(&world, &url, dir.path(), ("two", &asks));
    joined(&world, "two", &two);
    at(&["send", "lead", "begin"]).ends(0);
    until(
        || at(&["requests"]).out.contains("req_000001"),
        || two.err(),
    );
    at(&["approve", "1", "--always"]).ends(0);
    let burns = || at(&["log"]).out.matches("It burns.").count();
    until(|| burns() > 0, || two.err());
    let before = burns();
    let kept = world.teammate(&["rules"]).ends(0);
    assert!(!kept.out.contains("touch lamp"), "{}", kept.out);
    at(&["workers", "drain", "two"]).ends(0);
    two.end().ends(0);
    let three = worker(&world, &url, dir.path(), ("three", &asks));
    joined(&world, "three", &three);
    at(&["workers", "drain", "one"]).ends(0);
    one.end().ends(0);
    three.until("alice");
    at(&["send", "alice", "Once more"]).ends(0);
    until(|| burns() > before, || three.err());
    // It is listed, and taken back.
    let rule = "bash(=touch lamp && echo burning)";
    at(&["rules"]).ends(0).says(rule);
    at(&["rules", "remove", rule]).ends(0).says("Forgotten");
    let kept = at(&["rules"]).ends(0);
    assert!(!kept.out.contains(rule), "{}", kept.out);
    let asked = at(&["requests"]).ends(0);
    assert!(!asked.out.contains("req_000002"), "{}", asked.out);
}
