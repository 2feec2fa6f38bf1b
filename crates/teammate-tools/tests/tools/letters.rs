//! Mail by the tools: what goes out, what waits, and what is no message.

use serde_json::json;
use teammate_core::{
    MemberName,
    port::{MemberSummary, Target},
};

use crate::support::Bench;

#[tokio::test]
async fn mail_goes_out() {
    let bench = Bench::new();
    let forged = json!({"to": "bob", "content": "hi", "from": "user"});
    let refused = bench.error("send_message", forged).await;
    assert!(refused.contains("no argument 'from'"), "{refused}");
    let mail = json!({"to": "bob", "content": "hi"});
    assert_eq!(bench.ok("send_message", mail).await, "Sent message to bob");
    let frame = json!({"to": "bob", "content": "hi", "type": "shutdown_request"});
    let refused = bench.error("send_message", frame).await;
    assert!(refused.contains("call request_shutdown"), "{refused}");
    let mail = json!({"recipient": "lead", "message": "ho"});
    assert_eq!(bench.ok("send_message", mail).await, "Sent message to lead");
    let mail = json!({"content": "all of you"});
    assert_eq!(
        bench.ok("broadcast", mail).await,
        "Broadcast to 3 teammates"
    );
    assert_eq!(
        *bench.team.asked.lock().unwrap(),
        ["lead -> bob: hi", "lead -> lead: ho", "all: all of you"]
    );
    let empty = json!({"to": "bob", "content": "  "});
    assert!(bench.error("send_message", empty).await.contains("empty"));
    let nobody = json!({"to": "../x", "content": "hi"});
    assert!(
        bench
            .error("send_message", nobody)
            .await
            .contains("not a member's name")
    );
}

#[tokio::test]
async fn the_inbox_and_the_roster_are_told() {
    let bench = Bench::new();
    assert_eq!(bench.ok("read_inbox", json!({})).await, "(inbox empty)");
    assert_eq!(
        bench.ok("wait_for_team", json!({})).await,
        "No teammate is working, and you have no mail."
    );
    *bench.team.mail.lock().unwrap() = 2;
    assert_eq!(
        bench.ok("read_inbox", json!({})).await,
        "2 new messages, shown below"
    );
    assert_eq!(
        bench.ok("wait_for_team", json!({})).await,
        "You have mail: 2 new messages, shown below"
    );

    let line = |name, role: &str, status: &str| MemberSummary {
        name,
        role: role.to_owned(),
        status: status.to_owned(),
        team: None,
        is_busy: status == "working",
    };
    let lead = line(MemberName::lead(), "lead", "working");
    *bench.team.roster.lock().unwrap() = vec![lead.clone()];
    assert_eq!(bench.ok("list_teammates", json!({})).await, "No teammates.");
    let alice = line(
        MemberName::teammate("alice").unwrap(),
        "coder",
        "idle: done",
    );
    *bench.team.roster.lock().unwrap() = vec![lead, alice];
    assert_eq!(
        bench.ok("list_teammates", json!({})).await,
        "Team members:\n  lead (lead): working\n  alice (coder): idle: done"
    );
}

#[test]
fn team_tools_show_the_whole_message() {
    let bench = Bench::new();
    let mail = json!({"to": "bob", "content": "first\nsecond"});
    let action = bench.action("send_message", mail).unwrap();
    assert_eq!(action.target, Target::Team);
    assert_eq!(action.shows, "to bob:\nfirst\nsecond");
    assert_eq!(action.summary, "bob: first...");
}

#[tokio::test]
async fn a_frame_of_a_protocol_is_no_message() {
    let bench = Bench::new();
    let asks = |kind| json!({ "to": "bob", "type": kind });
    let answers = |kind| json!({ "to": "bob", "type": kind, "approve": true, "request_id": "1" });
    for (input, tool) in [
        (asks("shutdown_request"), "request_shutdown"),
        (answers("shutdown_response"), "respond_shutdown"),
        (answers("plan_approval_response"), "review_plan"),
    ] {
        let refused = bench.error("send_message", input).await;
        assert!(refused.contains(tool), "{refused}");
    }
    let input = json!({ "to": "bob", "type": "message", "content": "hi" });
    assert_eq!(bench.ok("send_message", input).await, "Sent message to bob");
}
