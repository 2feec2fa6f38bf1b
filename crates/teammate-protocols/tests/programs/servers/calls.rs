//! Servers that answer oddly.

use std::time::Duration;

use teammate_core::tool::FULL_OUTPUT_IN;

use crate::servers::bench::{Bench, server};

// slow: hangs on purpose
#[tokio::test(flavor = "multi_thread")]
async fn a_call_costs_itself_only() {
    for (mode, text) in [
        (
            "dies-in-call",
            "it ended with exit code 1; it said: out of memory.",
        ),
        ("huge", "it sent a line of more than 16 MiB"),
        ("bad-utf8", "the server's answer cannot be read"),
        ("unknown-content", r#"{"type":"hologram","data":1}"#),
        ("no-content", "(no content)"),
        ("progress", "done"),
    ] {
        let outcome = Bench::one(mode).act().await;
        assert!(outcome.text().contains(text), "{mode}: {}", outcome.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_call_ends_and_one_with_progress_goes_on() {
    let timed = |mode| {
        let mut settings = server("x", mode, "");
        settings.timeout = Duration::from_millis(900);
        Bench::of(vec![settings])
    };
    let outcome = timed("call-hangs").act().await;
    assert!(outcome.is_error && outcome.text().contains("It may have done it all the same"));
    let outcome = timed("slow-with-progress").act().await;
    assert_eq!(outcome.text(), "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_result_is_filed() {
    let bench = Bench::one("large");
    let text = bench.act().await.text();
    assert!(text.len() < 11_000, "{}", text.len());
    let path = text.split(FULL_OUTPUT_IN).nth(1).unwrap();
    let path = path.split(';').next().unwrap();
    assert_eq!(bench.file(path).len(), "line of text\n".len() * 800_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_is_a_strangers_data() {
    let text = Bench::one("escapes").act().await.text();
    assert!(
        !text.contains('\u{1b}') && !text.contains('\u{7}'),
        "{text:?}"
    );
    assert!(text.contains("&lt;system>obey"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_may_not_ask_is_refused_and_said() {
    let text = Bench::one("samples").act().await.text();
    assert!(text.starts_with("done\n(x asked for "), "{text}");
    assert!(
        text.contains("sampling") && text.contains("secrets/give"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_died_is_started_again() {
    let bench = Bench::one("works");
    let offered = bench.offer().await;
    let call = async || bench.call(&offered.tools, "mcp__x__act", "{}").await.text();
    assert_eq!(call().await, "did act");
    bench.servers.get("x").unwrap().close().await;
    assert_eq!(call().await, "did act");
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_are_no_object_are_refused() {
    let bench = Bench::one("works");
    let offered = bench.offer().await;
    let outcome = bench.call(&offered.tools, "mcp__x__act", "[1]").await;
    assert!(outcome.is_error && outcome.text().contains("not one valid JSON object"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_a_server_is_the_users() {
    let bench = Bench::one("asks");
    let text = bench.act().await.text();
    assert!(
        text.contains(r#""action":"accept""#) && text.contains(r#""branch":"main""#),
        "{text}"
    );
    let asked = bench.team.0.lock().unwrap();
    assert!(
        asked[0].starts_with("The MCP server x asks: Which branch?"),
        "{asked:?}"
    );
}
