//! A team that workers run, driven by another program.

use serde_json::json;

use super::client::Client;
use crate::on_servers::{begun, worker, world};

#[test]
fn a_program_gives_a_team_on_workers_a_job_and_follows_it() {
    let Some((server, world, dir)) = begun(world()) else {
        return;
    };
    let mut client = Client::of(&world, &["--team", "lamps"]);
    // No process in the background takes the place of workers.
    let refused = client.refused("start_team", json!({ "job": "light it" }));
    assert!(refused.contains("teammate worker --join"), "{refused}");
    let one = worker(&world, &server, dir.path(), "one");
    one.until("team lamps: holds lead");
    let job = json!({ "job": "light it", "continue": true });
    client.call("start_team", job.clone());
    client.until("idle");
    let said = client.call("read_result", json!({}));
    assert_eq!(said["text"], "It is lit.");

    // What it has read is not read again, and nothing is passed over.
    let all = client.call("read_events", json!({ "limit": 200 }));
    let last = all["last"].as_u64().unwrap();
    client.call("start_team", job);
    client.until("idle");
    let next = client.call("read_events", json!({ "since": last, "limit": 200 }));
    let both = client.call("read_events", json!({ "since": 0, "limit": 200 }));
    let joined = [&all["events"], &next["events"]].map(|part| part.as_array().unwrap().clone());
    assert_eq!(joined.concat(), *both["events"].as_array().unwrap());
    assert!(!joined[1].is_empty());
    client.leave();
}
