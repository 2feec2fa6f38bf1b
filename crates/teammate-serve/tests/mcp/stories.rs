//! What a client does with a team.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use crate::{wire::Wire, world::World};

/// A lead that has a poem written.
pub(crate) fn poets() -> Value {
    json!({
        "lead": [
            { "when": { "mail_contains": "title" }, "say": "Rain.", "repeat": true },
            { "when": { "mail_contains": "haiku" }, "calls": [
                { "tool": "spawn_teammate", "input": { "name": "ada", "role": "poet", "prompt": "Write it." } } ] },
            { "calls": [{ "tool": "wait_for_team" }] },
            { "when": { "mail_from": "ada" }, "say": "ada says: {{mail}}" },
            { "when": { "otherwise": true }, "say": "I wait.", "repeat": true },
        ],
        "ada": [
            { "when": { "mail_type": "task_assignment" }, "say": "Rain on the roof" },
            { "when": { "mail_contains": "again" }, "say": "Snow on the roof" },
        ],
    })
}

#[tokio::test]
async fn a_job_is_given_waited_for_and_read() {
    let world = World::playing(&poets());
    let mut wire = Wire::to(world.server());
    let status = wire.call("team_status", json!({})).await;
    assert_eq!(status["state"], "no_team");
    let started = wire.call("start_team", json!({ "job": "A haiku" })).await;
    assert_eq!(started["state"], "working");
    let done = wire.until("idle").await;
    assert_eq!(done["result"]["text"], "ada says: Rain on the roof");
    assert_eq!(done["result"]["ended"], "done");
    assert_eq!(done["directory"], world.directory());
    let names: Vec<&Value> = done["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|member| &member["name"])
        .collect();
    assert_eq!(names, ["lead", "ada"]);
    let ada = wire.call("read_result", json!({ "member": "ada" })).await;
    assert_eq!(ada["text"], "Rain on the roof");
    assert_eq!(ada["is_working"], false);
    wire.leave().await.unwrap();
}

#[tokio::test]
async fn mail_starts_a_team_that_does_not_run_and_a_second_job_goes_on_or_begins_anew() {
    let world = World::playing(&poets());
    let mut wire = Wire::to(world.server());
    let refused = wire
        .refused("send_mail", json!({ "to": "lead", "text": "hi" }))
        .await;
    assert!(refused.contains("start_team"), "{refused}");
    wire.call("start_team", json!({ "job": "A haiku" })).await;
    wire.until("idle").await;
    let sent = wire
        .call(
            "send_mail",
            json!({ "to": "ada", "text": "again, with sk-secret" }),
        )
        .await;
    assert_eq!(sent["sent_to"], "ada");
    wire.until("idle").await;
    let ada = wire.call("read_result", json!({ "member": "ada" })).await;
    assert_eq!(ada["text"], "Snow on the roof");
    let events = wire
        .call("read_events", json!({ "limit": 200 }))
        .await
        .to_string();
    assert!(events.contains("again, with [secret A_KEY]") && !events.contains("sk-secret"));

    wire.call(
        "start_team",
        json!({ "job": "And a title", "continue": true }),
    )
    .await;
    assert_eq!(wire.until("idle").await["result"]["text"], "Rain.");
    assert_eq!(world.look().await.conversations().await.unwrap().len(), 1);
    wire.call("start_team", json!({ "job": "Another title" }))
        .await;
    assert_eq!(wire.until("idle").await["result"]["text"], "Rain.");
    assert_eq!(world.look().await.conversations().await.unwrap().len(), 2);
    let unknown = wire
        .refused("send_mail", json!({ "to": "bob", "text": "hi" }))
        .await;
    assert!(unknown.contains("Members: lead, ada"), "{unknown}");
}

#[tokio::test]
async fn a_team_that_works_takes_a_job_more_only_where_it_is() {
    let world = World::asking(&questions(), false);
    let mut wire = Wire::to(world.server());
    wire.call("start_team", json!({ "job": "make it" })).await;
    wire.until("asks_user").await;
    let refused = wire
        .refused("start_team", json!({ "job": "something else" }))
        .await;
    assert!(refused.contains("continue: true"), "{refused}");
    let joined = json!({ "job": "be quick", "continue": true });
    let joined = wire.call("start_team", joined).await;
    assert_eq!(
        joined["job"],
        "heard, or will be before the member's next step"
    );
    let stopped = wire.call("stop_team", json!({})).await;
    assert_eq!(stopped["stopped"], "team");
    assert_eq!(world.program.starts.load(Ordering::SeqCst), 1);
    let waited = wire.call("wait_for_team", json!({})).await;
    assert_eq!(waited["state"], "paused");
}

/// A lead that asks before it writes a file.
pub(crate) fn questions() -> Value {
    json!({
        "lead": [
            { "when": { "mail_contains": "make it" }, "calls": [
                { "tool": "write_file", "input": { "path": "made", "content": "x" } } ] },
            { "when": { "tool_failed": false }, "say": "It is made." },
            { "when": { "tool_failed": true }, "say": "I may not: {{last_result}}" },
            { "when": { "otherwise": true }, "say": "I wait.", "repeat": true },
        ],
    })
}

#[tokio::test]
async fn two_clients_at_once_start_one_team_and_see_the_same() {
    let world = World::playing(&poets());
    // Two processes, and two clients of a third, as over HTTP.
    let shared = world.server();
    let (mut one, mut two) = (Wire::to(world.server()), Wire::to(world.server()));
    let (mut three, mut four) = (Wire::to(shared.clone()), Wire::to(shared));
    three.call("start_team", json!({ "job": "A haiku" })).await;
    let mail = json!({ "to": "lead", "text": "a title, too" });
    let sent = tokio::join!(
        three.call("send_mail", mail.clone()),
        four.call("send_mail", mail.clone())
    );
    assert_eq!(sent.0["sent_to"], sent.1["sent_to"]);
    for wire in [&mut one, &mut two, &mut three, &mut four] {
        let done = wire.until("idle").await;
        assert_eq!(done["members"].as_array().unwrap().len(), 2);
    }
    assert!(world.program.starts.load(Ordering::SeqCst) <= 3);
}

#[tokio::test]
async fn tasks_are_put_on_the_board_changed_and_listed() {
    let world = World::playing(&poets());
    let mut wire = Wire::to(world.server());
    wire.call("start_team", json!({ "job": "A haiku" })).await;
    wire.until("idle").await;
    let first = json!({ "subject": "Print it", "description": "On good paper", "owner": "ada" });
    let first = wire.call("create_task", first).await;
    assert_eq!((&first["id"], &first["owner"]), (&json!(1), &json!("ada")));
    let second = json!({ "subject": "Sell it", "blocked_by": [1] });
    wire.call("create_task", second).await;
    let listed = wire.call("list_tasks", json!({})).await;
    assert_eq!(listed["board"], "0 of 2 done");
    assert_eq!(listed["tasks"][1]["blocked_by"], json!([1]));
    assert_eq!(
        wire.call("list_tasks", json!({ "after": 1 })).await["tasks"][0]["id"],
        2
    );
    let done = json!({ "id": 1, "action": "complete", "text": "printed" });
    assert_eq!(wire.call("update_task", done).await["result"], "printed");
    let whole = wire.call("list_tasks", json!({ "id": 1 })).await;
    assert_eq!(whole["description"], "On good paper");
    assert!(whole["history"].as_array().unwrap().len() >= 2, "{whole}");
    for (wrong, says) in [
        (json!({ "id": 9, "action": "reopen" }), "9"),
        (
            json!({ "id": 2, "action": "assign" }),
            "assign needs an owner",
        ),
        (json!({ "id": 2, "action": "fail" }), "fail needs a text"),
        (json!({ "id": 2, "action": "delete" }), "unknown variant"),
    ] {
        let refused = wire.refused("update_task", wrong).await;
        assert!(refused.contains(says), "{refused}");
    }
}

#[tokio::test]
async fn events_are_read_on_and_on() {
    let world = World::playing(&poets());
    let mut wire = Wire::to(world.server());
    wire.call("start_team", json!({ "job": "A haiku" })).await;
    wire.until("idle").await;
    let (mut all, mut since) = (Vec::new(), None);
    loop {
        let page = wire
            .call(
                "read_events",
                json!({ "since": since.unwrap_or(0), "limit": 7 }),
            )
            .await;
        let events = page["events"].as_array().unwrap();
        all.extend(events.iter().map(|event| event["n"].as_u64().unwrap()));
        since = page["last"].as_u64();
        if page["has_more"] == false {
            break;
        }
    }
    let wanted: Vec<u64> = (1..=u64::try_from(all.len()).unwrap()).collect();
    assert_eq!(all, wanted);
    let latest = wire.call("read_events", json!({ "limit": 2 })).await;
    assert_eq!(latest["last"].as_u64(), since);
    assert_eq!(latest["events"][1]["event"], "team_closed");
    let nothing = wire.call("read_events", json!({ "since": since })).await;
    assert_eq!(
        (&nothing["events"], &nothing["last"]),
        (&json!([]), &json!(since))
    );
}

#[tokio::test]
async fn a_long_result_is_read_in_pieces_and_hides_nothing() {
    let long = "ä".repeat(30_000);
    let world = World::playing(&json!({
        "lead": [{ "say": format!("{long}\u{1b}[2J\u{202e}end") }],
    }));
    let mut wire = Wire::to(world.server());
    wire.call("start_team", json!({ "job": "Talk" })).await;
    let first = wire.until("idle").await["result"].clone();
    let offset = first["next_offset"].as_u64().unwrap();
    let rest = wire.call("read_result", json!({ "offset": offset })).await;
    assert!(rest.get("next_offset").is_none());
    let text = format!(
        "{}{}",
        first["text"].as_str().unwrap(),
        rest["text"].as_str().unwrap()
    );
    assert_eq!(text, format!("{long}\\u{{1b}}[2J\\u{{202e}}end"));
}
