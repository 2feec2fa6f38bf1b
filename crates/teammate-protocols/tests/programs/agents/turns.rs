//! What agents do in a turn.

use std::time::Duration;

use teammate_protocols::acp::{AgentFailure, Stop};

use crate::agents::bench::Bench;

const LONG: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_never_ends_is_given_up() {
    let bench = Bench::of("never-ends");
    let (agent, session, _) = bench.open().await.unwrap();
    let limit = Duration::from_millis(300);
    let ended = agent.prompt(&session, "hello", limit).await;
    let silent = AgentFailure::Silent {
        method: "session/prompt",
        after: limit,
    };
    assert_eq!(ended, Err(silent));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_dies_in_a_turn_says_why() {
    let bench = Bench::of("dies-in-turn");
    let (agent, session, _) = bench.open().await.unwrap();
    let why = agent.prompt(&session, "hello", LONG).await.unwrap_err();
    assert_eq!(
        why.to_string(),
        "it ended with exit code 1; it said: out of memory"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_huge_update_is_cut_and_one_over_the_line_ends_it() {
    let bench = Bench::of("huge-update");
    let (agent, session, hears) = bench.open().await.unwrap();
    agent.prompt(&session, "hello", LONG).await.unwrap();
    assert_eq!(hears.all()[0].len(), 1 << 20);

    let bench = Bench::of("update-over-line");
    let (agent, session, _) = bench.open().await.unwrap();
    let why = agent.prompt(&session, "hello", LONG).await.unwrap_err();
    let why = why.to_string();
    assert!(
        why.starts_with("it sent a line of more than 16 MiB"),
        "{why}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_updates_is_heard_to_its_end() {
    let bench = Bench::of("flood-of-updates");
    let (agent, session, hears) = bench.open().await.unwrap();
    agent.prompt(&session, "hello", LONG).await.unwrap();
    assert_eq!(hears.all().len(), 100_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_protocol_does_not_have_is_noted_and_the_turn_is_done() {
    let bench = Bench::of("odd");
    let (agent, session, hears) = bench.open().await.unwrap();
    let turn = agent.prompt(&session, "hello", LONG).await.unwrap();
    assert_eq!(turn.stop, Stop::Other("bored".to_owned()));
    assert_eq!(
        hears.all()[..4],
        [
            "other: hologram",
            "other: ",
            "oddity: it asked for secrets/give",
            "oddity: the notification gossip",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_would_be_allowed_for_ever_is_cancelled() {
    let bench = Bench::of("always-only");
    let (agent, session, hears) = bench.open().await.unwrap();
    agent.prompt(&session, "hello", LONG).await.unwrap();
    assert_eq!(hears.all(), ["cancelled"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_read_and_written_in_the_workspace_only() {
    let bench = Bench::of("outside");
    let (agent, session, hears) = bench.open().await.unwrap();
    agent.prompt(&session, "hello", LONG).await.unwrap();
    assert_eq!(
        hears.all(),
        ["f1 null\n", "f2 null\n", "f3 {}\n", "f4 two\n"]
    );
    assert!(!bench.root.parent().unwrap().join("outside.txt").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_questions_ends_it() {
    let bench = Bench::of("questions");
    let (agent, session, _) = bench.open().await.unwrap();
    // It is killed, or it stops for its answers, which it does not read.
    let ended = agent
        .prompt(&session, "hello", Duration::from_secs(10))
        .await;
    if let Err(why) = ended {
        let why = why.to_string();
        assert!(
            why.contains("floods") || why.contains("did not answer"),
            "{why}"
        );
    }
}
