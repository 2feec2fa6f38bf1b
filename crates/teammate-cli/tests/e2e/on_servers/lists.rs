//! Lists of teams: those on servers stand beside those in files, and servers that do not answer hide nothing.

use serde_json::Value;

use super::{begun, worker, world};
use crate::{
    on_servers::joined,
    terminal::Terminal,
    world::{Run, World},
};

/// The program where no servers are configured.
fn in_files(world: &World, args: &[&str]) -> Run {
    let mut command = world.command(args);
    command.env_remove("TEAMMATE_NATS");
    world.launch(command).end()
}

#[test]
fn teams_on_servers_are_listed_beside_those_in_files() {
    let Some((server, world, dir)) = begun(world()) else {
        return;
    };
    let job = ["run", "--permission-mode", "bypass", "light it"];
    in_files(&world, &job).ends(0).says("It is lit.");
    let one = worker(&world, &server, dir.path(), "one");
    one.until("team lamps: holds lead");
    let (url, work) = (server.url(), world.work());
    let on_servers = format!("{url}  lamps  running on a worker");
    let here = format!("{}  default  not running", work.display());
    world
        .teammate(&["teams"])
        .ends(0)
        .says(&on_servers)
        .says(&here);
    world
        .teammate(&["team", "--all"])
        .ends(0)
        .says("default: not running, 1 member")
        .says(&format!("lamps: running on a worker, 1 member, on {url}"));
    let said = world.teammate(&["teams", "--json"]).ends(0).out;
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["teams"][0]["servers"], Value::Null);
    assert_eq!(said["teams"][1]["team_name"], "lamps");
    assert_eq!(said["teams"][1]["servers"], url.as_str());

    // Servers that are gone hide no team in files.
    one.signal(rustix::process::Signal::KILL);
    drop(server);
    for verb in [&["teams"][..], &["team", "--all"]] {
        world
            .teammate(verb)
            .ends(0)
            .says("default")
            .complains(&format!("not listed: the teams on {url} ("));
    }
}

#[test]
fn the_picker_goes_on_with_a_team_on_servers_and_back() {
    let Some((server, world, dir)) = begun(world()) else {
        return;
    };
    let job = ["run", "--permission-mode", "bypass", "light it"];
    in_files(&world, &job).ends(0);
    let one = worker(&world, &server, dir.path(), "one");
    joined(&world, "one", &one);
    let talk = Terminal::open(&world, 120, &["--team", "lamps"]);
    talk.until("Attached to the team on a worker");
    talk.keys("/resume\r");
    talk.until("lamps  running on a worker");
    talk.until("default  not running");
    talk.keys("/resume 1\r");
    talk.until("team 'default' in");
    talk.keys("/resume 2\r");
    talk.until("Attached to the team on a worker");
    talk.keys("light it\r");
    talk.until("It is lit.");
}

#[test]
fn the_audit_log_of_a_team_on_servers_is_found_from_any_directory() {
    let Some((server, world, dir)) = begun(world()) else {
        return;
    };
    let one = worker(&world, &server, dir.path(), "one");
    one.until("team lamps: holds lead");
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    at(&["send", "lead", "light it"]).ends(0);
    crate::world::until(|| at(&["log"]).out.contains("It is lit."), || one.err());
    // What the worker allowed, and where it works.
    let workspace = dir.path().join("one");
    at(&["audit"])
        .ends(0)
        .says(&format!("team opened in {}", workspace.display()))
        .says("bash allowed by the mode 'bypass'")
        .says("echo a flame | tee lamp.txt");
    at(&["audit", "verify"])
        .ends(0)
        .says("whole, as they were written");
    world
        .teammate(&["audit", "--team", "other"])
        .ends(0)
        .says("Nothing is recorded here");
}
