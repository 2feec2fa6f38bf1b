//! What the user allows to be spent holds on a worker, and goes on there when it is raised.

use super::{begun, worker_of, world};
use crate::world::until;

#[test]
fn a_budget_is_set_for_all_workers_and_raised_by_up() {
    let Some((server, world, dir)) = begun(world()) else {
        return;
    };
    let at = |args: &[&str]| world.teammate(&[args, &["--team", "lamps"]].concat());
    let up = |turns: &str| {
        let up = ["up", "--replicas", "1", "--i-know-acks-may-be-lost"];
        let rest = ["--detach", "--budget-turns", turns];
        at(&[&up[..], &rest].concat()).ends(0);
    };
    up("1");
    let (url, clone) = (server.url(), dir.path().join("one"));
    std::fs::create_dir(&clone).unwrap();
    let dir = clone.to_str().unwrap();
    let worker = worker_of(&world, &url, "one", &["--dir", dir]);
    worker.until("team lamps: holds lead");
    let said = |text: &str| until(|| at(&["log"]).out.contains(text), || worker.err());
    at(&["send", "lead", "light it"]).ends(0);
    said("It is lit.");
    at(&["send", "lead", "good night"]).ends(0);
    said("the team's budget is spent: 1 of 1 turns");
    said("raise it for all workers: `teammate up --budget-turns N`");
    assert!(!at(&["log"]).out.contains("I wait."));
    up("5");
    said("I wait.");
}
