//! What the page says is so: who waits for whom and for how long, when an answer was given, and that nobody runs the team.

use serde_json::json;
use teammate_core::Timestamp;
use teammate_view::Fact;

use crate::page::team::{Facts, NOW, Page, TEAM, event};

/// The same fact, so many milliseconds later.
fn later(ms: u64, fact: Fact) -> Fact {
    let Fact::Event(event) = fact else {
        panic!("an event");
    };
    let mut event = (*event).clone();
    event.at = Timestamp(NOW.0 + ms);
    Fact::Event(event.into())
}

/// Alice and bob work; alice's call waits for the user, and bob's was refused.
fn asking() -> Facts {
    let mut facts = Facts::of_a_team();
    for name in ["alice", "bob"] {
        facts.teammate(name);
    }
    facts.record(&[json!({ "event": "request", "request": 1, "change": "opened", "kind": "permission", "tool": "bash",
        "shows": "make", "digest": "ab".repeat(32), "from": { "member": "alice", "incarnation": 1 },
        "call": "alice/1/1/a/abababababab" })]);
    facts.record(&[json!({ "event": "request", "request": 2, "change": "opened", "kind": "permission", "tool": "bash",
        "shows": "rm -rf build", "digest": "cd".repeat(32), "from": { "member": "bob", "incarnation": 1 },
        "call": "bob/1/1/b/cdcdcdcdcdcd" })]);
    facts.record(&[
        json!({ "event": "request", "request": 2, "change": "rejected", "by": "user", "because": "" }),
    ]);
    let started = |call: &str| json!({ "event": "tool_started", "call": call, "tool": "bash", "summary": "make" });
    let asked = |question: u64| json!({ "event": "permission_asked", "question": question, "tool": "bash", "shows": "make" });
    for (ms, member, what) in [
        (1_000, "alice", started("a")),
        (1_500, "alice", asked(1)),
        (2_000, "bob", started("b")),
        (2_000, "bob", asked(2)),
        (
            9_000,
            "bob",
            json!({ "event": "permission_answered", "question": 2, "allowed": false, "by": "user" }),
        ),
        (
            9_000,
            "bob",
            json!({ "event": "tool_finished", "call": "b", "tool": "bash", "ok": false, "summary": "Not run", "took_ms": 7_000 }),
        ),
        (
            61_500,
            "bob",
            json!({ "event": "asked", "round": 2, "model": "m" }),
        ),
    ] {
        facts.all.push(later(ms, event(member, what)));
    }
    facts
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_for_the_user_is_drawn_and_counted_as_that() {
    let page = Page::of(asking()).await;
    let browser = page.browser();
    let graph = browser.data("graph", "").await;
    let lanes = graph["lanes"].as_array().unwrap();
    let spans = |name: &str| {
        let lane = lanes.iter().find(|lane| lane["member"] == name).unwrap();
        let spans = lane["spans"].as_array().unwrap().iter();
        let shown = spans.filter(|span| span["kind"] != "turn");
        let shown = shown.map(|span| {
            let from = |field: &str| span[field].as_u64().unwrap() - NOW.0;
            (
                span["kind"].as_str().unwrap().to_owned(),
                from("from"),
                from("to"),
            )
        });
        shown.collect::<Vec<_>>()
    };
    let kind = str::to_owned;
    assert_eq!(
        spans("alice"),
        [(kind("tool"), 1_000, 1_500), (kind("waits"), 1_500, 61_500)]
    );
    assert_eq!(
        spans("bob"),
        [
            (kind("waits"), 2_000, 9_000),
            (kind("refused"), 9_000, 9_000)
        ]
    );
    let side = browser.data("side", "").await;
    let counts = &side["members"]["counts"];
    assert_eq!(
        (&counts["work"], &counts["wait_for_you"]),
        (&json!(1), &json!(1))
    );
    for name in ["side", "team"] {
        let html = browser.screen(name, "").await;
        assert!(html.contains("1 works, 1 waits for you"), "{html}");
    }
    let story = browser.screen("m:bob", "").await;
    for said in [
        "refused by you after 7.0 s",
        "you denied it after 7.0 s (req_000002)",
    ] {
        assert!(story.contains(said), "{said}: {story}");
    }
    assert!(
        !story.contains("FAILED") && !story.contains("asks for permission"),
        "{story}"
    );
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_told_at_once_that_the_program_that_ran_the_team_has_died() {
    let page = Page::of(asking()).await;
    let browser = page.browser();
    let side = browser.screen("side", "").await;
    assert!(
        side.contains(">live<") && !side.contains("data-lost"),
        "{side}"
    );
    page.happens(Fact::HostEnded { pid: 1 });
    let lost = async {
        loop {
            let side = browser.data("side", "").await;
            if side["is_live"] == false {
                return side["lost"].as_str().unwrap().to_owned();
            }
            tokio::task::yield_now().await;
        }
    };
    let lost = lost.await;
    assert!(
        lost.contains("process 1, has ended without a word"),
        "{lost}"
    );
    let side = browser.screen("side", "").await;
    assert!(side.contains("data-lost="), "{side}");
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_hears_that_the_list_of_teams_has_changed() {
    let page = Page::of(Facts::of_a_team()).await;
    let mut live = page.browser().live("side").await;
    // The stream is followed once its first screen is there.
    while !live.screens.contains_key("state") {
        live.next().await.unwrap();
    }
    page.lists_anew();
    while live.next().await.unwrap().name != "teams" {}
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_hears_of_a_list_that_changed_before_its_stream_began() {
    let page = Page::of(Facts::of_a_team()).await;
    let shown = page.browser().get("/teams").await.number();
    page.lists_anew();
    let mut live = page.browser().live(&format!("side&list={shown}")).await;
    while live.next().await.unwrap().name != "teams" {}
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn estimated_tokens_are_marked_and_what_nobody_counted_is_not_zero() {
    let mut facts = Facts::of_a_team();
    let answered = |input: u64, estimated: u64| {
        json!({ "event": "answered", "text": "", "stop": "end_turn", "model": "own:m",
            "usage": { "input": input, "output": 0, "cache_read": 0, "cache_write": 0, "estimated": estimated },
            "context": { "used": 50, "limit": 100, "estimated": true } })
    };
    for (name, input) in [("alice", 12_345), ("bob", 0)] {
        facts.teammate(name);
        facts.event(name, answered(input, input));
    }
    let page = Page::of(facts).await;
    let browser = page.browser();
    let html = browser.screen("cost", "").await;
    assert!(html.contains("~12k") && html.contains("unknown"), "{html}");
    assert!(html.contains(teammate_core::estimate::LEGEND), "{html}");
    let data = browser.data("cost", "").await;
    assert_eq!(data["members"][0]["tokens_estimated"], 12_345, "{data}");
    assert_eq!(data["members"][1]["tokens_in"], json!(null), "{data}");
    assert!(browser.screen("side", "").await.contains("~12k tokens"));
    assert!(browser.screen("team", "").await.contains("ctx ~50%"));
}

#[tokio::test]
async fn what_can_stand_at_the_prompt_is_offered_with_the_members_of_now() {
    let mut facts = Facts::of_a_team();
    facts.teammate("alice");
    let page = Page::of(facts).await;
    let browser = page.browser();
    let offered = async |before: &str| {
        let path = format!("/j/words?team={TEAM}&before={before}");
        let words = browser.get(&path).await.json();
        let words = words.as_array().unwrap().clone();
        words
            .iter()
            .map(|pair| pair[0].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(offered("").await, ["/team", "/tasks"]);
    assert_eq!(offered("/ta").await, ["/tasks"]);
    assert_eq!(offered("@a").await, ["@alice "]);
    assert_eq!(offered("see%20@").await, ["@src/", "@notes.txt "]);
    assert!(offered("words").await.is_empty());
}

#[tokio::test]
async fn changed_files_are_listed_with_the_latest_change_first() {
    let mut facts = Facts::of_a_team();
    let changes = [
        ("a", "src/a.rs", 1_000),
        ("b", "src/b.rs", 2_000),
        ("c", "src/a.rs", 3_000),
    ];
    for (call, path, ms) in changes {
        let begun =
            json!({ "event": "tool_started", "call": call, "tool": "edit_file", "summary": path });
        let ended = json!({ "event": "tool_finished", "call": call, "tool": "edit_file", "ok": true, "summary": "done", "took_ms": 1,
            "change": { "path": path, "added": 2, "removed": 1, "diff": "@@ -1 +1,2 @@\n-a\n+b\n+c\n" } });
        for what in [begun, ended] {
            facts.all.push(later(ms, event("lead", what)));
        }
    }
    let page = Page::of(facts).await;
    let browser = page.browser();
    let shown = browser.data("changes", "").await;
    let files = shown["files"].as_array().unwrap();
    let paths: Vec<_> = files.iter().map(|file| &file["path"]).collect();
    assert_eq!(paths, ["src/a.rs", "src/b.rs"]);
    assert_eq!(files[0]["changes"][0]["at"], NOW.0 + 3_000);
    assert_eq!(
        (&files[0]["added"], &files[0]["removed"]),
        (&json!(4), &json!(2))
    );
    let html = browser.screen("changes", "").await;
    assert!(html.contains("2 files changed"), "{html}");
    // A change is opened as its call is.
    assert!(html.contains("data-inside=\"/h/call/lead/"), "{html}");
}
