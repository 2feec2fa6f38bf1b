//! Clients that behave badly: they flood, take back, go away in the middle. The team goes on, and so do others.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    stories::{poets, questions},
    wire::{Wire, meta},
    world::World,
};

#[tokio::test]
async fn who_goes_in_the_middle_of_a_wait_is_waited_for_no_more_and_the_team_goes_on() {
    let world = World::asking(&questions(), false);
    let mut wire = Wire::to(world.server());
    wire.call("start_team", json!({ "job": "make it" })).await;
    wire.until("asks_user").await;
    let long = json!({ "timeout_seconds": 240 });
    for _ in 0..10 {
        wire.begin("wait_for_team", long.clone()).await;
    }
    // Ends long before the wait would.
    wire.leave().await.unwrap();
    let client = world.look().await;
    assert!(client.host().is_some());
    assert_eq!(client.requests().len(), 1);
    let mut other = Wire::to(world.server());
    assert_eq!(
        other.call("team_status", json!({})).await["state"],
        "asks_user"
    );
    other.call("stop_team", json!({})).await;
}

#[tokio::test]
async fn a_call_that_is_taken_back_has_no_answer_and_late_cancellations_mean_nothing() {
    let world = World::asking(&questions(), false);
    let mut wire = Wire::to(world.server());
    wire.call("start_team", json!({ "job": "make it" })).await;
    wire.until("asks_user").await;
    let cancel = |id: u64| {
        let params = json!({ "requestId": id, "reason": "too slow" });
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
    };
    let waits = wire
        .begin("wait_for_team", json!({ "timeout_seconds": 240 }))
        .await;
    wire.send(&cancel(waits).to_string()).await;
    let asked = wire.begin("team_status", json!({})).await;
    // The next answer is to this: there is none to the other.
    assert_eq!(wire.line().await["id"], asked);
    for id in [asked, waits, 999] {
        wire.send(&cancel(id).to_string()).await;
    }
    assert_eq!(
        wire.call("team_status", json!({})).await["state"],
        "asks_user"
    );
    wire.call("stop_team", json!({})).await;
}

#[tokio::test]
async fn a_flood_of_calls_is_answered_each_once() {
    let world = World::playing(&poets());
    let mut wire = Wire::to(world.server());
    let mut asked = BTreeSet::new();
    let mut answered = BTreeSet::new();
    // Nothing is read meanwhile; a pipe that is full on both sides would be a client's own doing.
    for _ in 0..150 {
        asked.insert(wire.begin("team_status", json!({})).await);
    }
    while answered.len() < asked.len() {
        let line = wire.line().await;
        let is_refused = line["error"]["code"] == -32000;
        assert!(is_refused || line["result"]["isError"] == false, "{line}");
        assert!(answered.insert(line["id"].as_u64().unwrap()), "{line}");
    }
    assert_eq!(asked, answered);
    wire.leave().await.unwrap();
}

#[tokio::test]
async fn who_wants_it_hears_how_far_the_team_is() {
    let world = World::asking(&questions(), false);
    let mut wire = Wire::to(world.server());
    wire.call("start_team", json!({ "job": "make it" })).await;
    wire.until("asks_user").await;
    let mut meta = meta();
    meta["progressToken"] = "p1".into();
    let params = json!({
        "name": "wait_for_team", "arguments": { "timeout_seconds": 240 }, "_meta": meta,
    });
    let call = json!({ "jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": params });
    wire.send(&call.to_string()).await;
    let (mut note, mut progress) = (wire.line().await, 1.0);
    // The question is there before the lead's phase says so.
    while note["params"]["message"] == "lead: working" {
        (note, progress) = (wire.line().await, progress + 1.0);
    }
    assert_eq!(note["method"], "notifications/progress");
    let said = json!({
        "progressToken": "p1",
        "progress": progress,
        "message": "lead: working (waiting for permission)",
    });
    assert_eq!(note["params"], said);
    // The wait ends with the team.
    let stop = wire.begin("stop_team", json!({})).await;
    let mut ended = BTreeSet::new();
    while ended.len() < 2 {
        ended.extend(wire.line().await["id"].as_u64());
    }
    assert_eq!(ended, BTreeSet::from([stop, 77]));
}

#[tokio::test]
async fn words_that_no_member_could_hear_are_refused_in_a_sentence() {
    let world = World::playing(&poets());
    let mut wire = Wire::to(world.server());
    let huge = "x".repeat(300 * 1024);
    for (tool, arguments, says) in [
        ("start_team", json!({ "job": "  " }), "the job is empty"),
        ("start_team", json!({ "job": huge }), "more than 200 KiB"),
        ("start_team", json!({}), "missing field `job`"),
        ("start_team", json!({ "job": 7 }), "expected a string"),
        (
            "start_team",
            json!({ "job": "x", "dir": "/etc" }),
            "unknown field `dir`",
        ),
        ("read_result", json!({}), "there is no team yet"),
        (
            "wait_for_team",
            json!({ "timeout_seconds": -1 }),
            "wait_for_team: ",
        ),
    ] {
        let refused = wire.refused(tool, arguments).await;
        assert!(refused.contains(says), "{tool}: {refused}");
    }
    assert!(!world.has(".team"));
}

#[tokio::test]
async fn a_client_that_never_says_what_a_server_could_answer_is_an_error_or_nothing() {
    let world = World::playing(&poets());
    Wire::to(world.server()).leave().await.unwrap();
    let mut wire = Wire::to(world.server());
    wire.send("GET / HTTP/1.1").await;
    let answer: Value = wire.line().await;
    assert_eq!(answer["error"]["code"], -32700);
    wire.leave().await.unwrap();
}
