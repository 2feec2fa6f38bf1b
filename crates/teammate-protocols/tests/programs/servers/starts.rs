//! Servers that do not come up.

use std::time::Duration;

use teammate_protocols::mcp::client::{Greeting, ServerTimeouts};

use crate::servers::bench::{Bench, impatient, names, server};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_start_is_told_with_its_reason() {
    for (mode, why) in [
        (
            "exits",
            "it ended with exit code 3; it said: no API key is set",
        ),
        ("silent", "it did not answer within"),
        ("floods", "it floods its output with what is no message"),
        ("endless-line", "it sent a line of more than 16 MiB"),
        (
            "wrong-id",
            "conflict initialized response id: expected 1, got 4711",
        ),
        ("refuses", "it answered with an error: go\\u{1b}[2J away"),
        ("old-version", "the version 1999-01-01 of the protocol"),
        ("dies-after-hello", "it said: segmentation fault"),
        ("list-hangs", "it did not answer within"),
    ] {
        let bench = Bench::with_timeouts(vec![server("x", mode, "")], impatient());
        let notice = bench.notice().await;
        assert!(
            notice.starts_with("The MCP server x is not used"),
            "{mode}: {notice}"
        );
        assert!(notice.contains(why), "{mode}: {notice}");
        bench.servers.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_hello_offers_nothing() {
    let bench = Bench::with_timeouts(vec![server("x", "empty", "")], impatient());
    assert!(bench.offer().await.tools.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn others_go_on_beside_one_that_fails() {
    let settings = vec![
        server("broken", "exits", ""),
        server("mute", "silent", ""),
        server("x", "works", ""),
    ];
    let bench = Bench::with_timeouts(settings, impatient());
    let offered = bench.offer().await;
    assert_eq!(offered.notices.len(), 2, "{:?}", offered.notices);
    let outcome = bench.call(&offered.tools, "mcp__x__act", "{}").await;
    assert_eq!(outcome.text(), "did act");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_beside_messages_are_passed_over() {
    for mode in ["chatty", "stderr-flood"] {
        let outcome = Bench::one(mode).act().await;
        assert_eq!(outcome.text(), "did act", "{mode}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_failed_is_left_alone_for_a_while() {
    let bench = Bench::with_timeouts(vec![server("x", "exits", "")], impatient());
    assert!(bench.notice().await.contains("exit code 3"));
    let again = bench.notice().await;
    assert!(again.contains("is tried again in"), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_an_earlier_protocol_is_greeted_as_it_wants() {
    for mode in ["exits-at-unknown", "silent-at-unknown"] {
        let timeouts = ServerTimeouts {
            probe: Duration::from_millis(200),
            ..ServerTimeouts::default()
        };
        let bench = Bench::with_timeouts(vec![server("x", mode, "")], timeouts);
        let offered = bench.offer().await;
        assert_eq!(names(&offered.tools), ["mcp__x__act"], "{mode}");
        let server = bench.servers.get("x").unwrap();
        let kept = bench.accepted.of(&server.settings().fingerprint()).unwrap();
        assert_eq!(kept.greeting, Greeting::Initialize, "{mode}");
        let outcome = bench.call(&offered.tools, "mcp__x__act", "{}").await;
        assert_eq!(outcome.text(), "did act", "{mode}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_newest_protocol_may_start_slowly() {
    let timeouts = ServerTimeouts {
        probe: Duration::from_millis(50),
        ..ServerTimeouts::default()
    };
    let bench = Bench::with_timeouts(vec![server("x", "slow-newest", "")], timeouts);
    let offered = bench.offer().await;
    assert_eq!(
        names(&offered.tools),
        ["mcp__x__act"],
        "{:?}",
        offered.notices
    );
    let server = bench.servers.get("x").unwrap();
    let kept = bench.accepted.of(&server.settings().fingerprint()).unwrap();
    assert_eq!(kept.greeting, Greeting::NewestPatiently);
    let outcome = bench.call(&offered.tools, "mcp__x__act", "{}").await;
    assert_eq!(outcome.text(), "did act");
}
