//! How many requests a job takes: three teammates with five shell calls each.

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say},
    wires::{Vendor, WIRES, Wire, world_at},
};

const WORKERS: [&str; 3] = ["w1", "w2", "w3"];

fn spawns() -> [(&'static str, Value); 3] {
    let input = |name| json!({"name": name, "role": "worker", "prompt": "Do what you are given."});
    WORKERS.map(|name| ("spawn_teammate", input(name)))
}

fn work() -> Vec<Value> {
    (1..=5).map(|step| bash(&format!("true {step}"))).collect()
}

/// Plays it to the end; returns how many requests there were.
fn requests(wire: Wire, members: [(&str, Vec<Value>); 4]) -> usize {
    let vendor = Vendor::playing("127.0.0.1:0", &play(members));
    let world = world_at(wire, &vendor.url());
    world
        .run("have three teammates do it")
        .ends(0)
        .says("All is done.");
    vendor.assert_content();
    world.assert_at_rest();
    vendor.bodies().len()
}

#[test]
fn a_job_on_the_board_with_shutdown_takes_25_requests() {
    let task = |owner| json!({"subject": format!("part of {owner}"), "owner": owner});
    let [one, two, three] = spawns();
    let [first, second, third] = WORKERS.map(|owner| ("create_task", task(owner)));
    let shutdowns = WORKERS.map(|name| ("request_shutdown", json!({"name": name})));
    let lead = vec![
        calls([one, two, three, first, second, third]),
        say("They are at work."),
        calls(shutdowns),
        say("All is done.").otherwise(),
    ];
    let worker = |number: u32| {
        let complete = json!({"task_id": number, "result": "done"});
        let last = [
            calls([("complete_task", complete)]),
            say("Done.").otherwise(),
        ];
        work().into_iter().chain(last).collect::<Vec<_>>()
    };
    let members = [
        ("lead", lead),
        ("w1", worker(1)),
        ("w2", worker(2)),
        ("w3", worker(3)),
    ];
    for wire in WIRES {
        let count = requests(wire, members.clone());
        assert!(count <= 25, "{wire:?}: {count} requests");
    }
}

#[test]
fn a_plain_job_takes_22_requests_whether_or_not_the_lead_waits() {
    let waits = vec![
        calls(spawns()),
        calls([("wait_for_team", json!({}))]),
        say("All is done.").otherwise(),
    ];
    let ends_its_turn = vec![
        calls(spawns()),
        say("They are at work."),
        say("All is done.").otherwise(),
    ];
    let worker = || {
        work()
            .into_iter()
            .chain([say("Done.").otherwise()])
            .collect::<Vec<_>>()
    };
    for lead in [waits, ends_its_turn] {
        let members = [
            ("lead", lead),
            ("w1", worker()),
            ("w2", worker()),
            ("w3", worker()),
        ];
        for wire in WIRES {
            let count = requests(wire, members.clone());
            assert!(count <= 22, "{wire:?}: {count} requests");
        }
    }
}
