//! Who answers what members ask: the person, unless the user's configuration says that clients may.

use serde_json::json;
use teammate::{handle::AnswerRequest, request::Answer};

use crate::{stories::questions, wire::Wire, world::World};

#[tokio::test]
async fn a_client_has_no_answer_and_the_person_s_is_waited_for() {
    let world = World::asking(&questions(), false);
    let mut wire = Wire::to(world.server());
    wire.call("start_team", json!({ "job": "make it" })).await;
    let asks = wire.until("asks_user").await;
    assert_eq!(asks["requests"][0]["id"], "req_000001");
    assert!(
        asks["next"]
            .as_str()
            .unwrap()
            .contains("The user can answer it, in that directory")
    );
    let listed = wire.call("list_requests", json!({})).await;
    assert_eq!(listed["requests"][0]["tool"], "write_file");
    assert!(
        listed["answered_by"]
            .as_str()
            .unwrap()
            .starts_with("the user only")
    );

    // Each request ends one wait, not every.
    let waited = wire
        .call("wait_for_team", json!({ "timeout_seconds": 1 }))
        .await;
    assert_eq!(waited["state"], "asks_user");
    let digest = &listed["requests"][0]["digest"];
    let answer = json!({ "id": "1", "digest": digest, "approve": true });
    let id = wire.begin("answer_request", answer).await;
    let refused = wire.answer(id).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    assert!(!world.has("made"));

    let mut person = world.look().await;
    let yes = AnswerRequest {
        request: person.requests()[0].id,
        saw: None,
        answer: Answer::yes(),
        device: None,
    };
    person.ask(yes).await.unwrap();
    assert_eq!(wire.until("idle").await["result"]["text"], "It is made.");
    assert!(world.has("made"));
}

#[tokio::test]
async fn a_client_that_may_answers_exactly_what_it_saw() {
    let world = World::asking(&questions(), true);
    let mut wire = Wire::to(world.server());
    wire.call("start_team", json!({ "job": "make it" })).await;
    let asks = wire.until("asks_user").await;
    assert!(asks["next"].as_str().unwrap().contains("answer_request"));
    let whole = wire
        .call("list_requests", json!({ "id": "req_000001" }))
        .await;
    let wrong = "0".repeat(64);
    for (answer, says) in [
        (
            json!({ "id": "1", "digest": "", "approve": true }),
            "64 hexadecimal digits",
        ),
        (
            json!({ "id": "1", "digest": wrong, "approve": true }),
            "something else",
        ),
        (
            json!({ "id": "x", "digest": wrong, "approve": true }),
            "req_000003",
        ),
        (
            json!({ "id": "7", "digest": wrong, "approve": true }),
            "req_000001",
        ),
        (
            json!({ "id": "1", "approve": true }),
            "missing field `digest`",
        ),
    ] {
        let refused = wire.refused("answer_request", answer).await;
        assert!(refused.contains(says), "{refused}");
    }
    assert!(!world.has("made"));
    let answer = json!({ "id": "1", "digest": whole["digest"], "approve": true });
    let answered = wire.call("answer_request", answer.clone()).await;
    assert_eq!(answered["state"], "approved");
    assert_eq!(wire.until("idle").await["result"]["text"], "It is made.");
    // A second answer counts for nothing.
    wire.refused("answer_request", answer).await;
}

#[tokio::test]
async fn a_no_is_told_to_the_member_with_the_reason() {
    let world = World::asking(&questions(), true);
    let mut wire = Wire::to(world.server());
    wire.call("start_team", json!({ "job": "make it" })).await;
    wire.until("asks_user").await;
    let whole = wire.call("list_requests", json!({ "id": "1" })).await;
    let no = json!({ "id": "1", "digest": whole["digest"], "approve": false, "text": "not today" });
    wire.call("answer_request", no).await;
    let text = wire.until("idle").await["result"]["text"].clone();
    assert!(text.as_str().unwrap().contains("not today"), "{text}");
    assert!(!world.has("made"));
}
