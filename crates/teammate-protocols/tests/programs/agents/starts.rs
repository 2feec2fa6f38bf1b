//! Agents that do not come as far as a session: each with its reason, in time.

use std::time::Duration;

use teammate_protocols::acp::ProgramClose;

use crate::agents::bench::Bench;

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_does_not_start_is_told_with_its_reason() {
    for (manner, why) in [
        (
            "exits",
            "it ended with exit code 3; it said: no API key is set",
        ),
        ("silent", "it did not answer initialize within 4 s"),
        ("floods", "it floods its output with what is no message"),
        ("endless-line", "it sent a line of more than 16 MiB"),
        ("refuses", "it refused initialize: go\\u{1b}[2J away"),
        ("bad-utf8", "the answer cannot be read"),
        ("protocol-99", "it speaks version 99 of the protocol"),
        ("no-version", "its answer to initialize cannot be used"),
        (
            "log-in",
            "it wants you to log in first (Authentication required); known to it: API key",
        ),
        ("session-hangs", "it did not answer session/new within 4 s"),
        ("no-session", "it names no session"),
        ("dies-after-hello", "it said: segmentation fault"),
    ] {
        let told = Bench::of(manner).why().await;
        assert!(told.contains(why), "{manner}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_not_there_is_named() {
    let mut bench = Bench::of("");
    bench.trial.settings.command = "no-such-agent".to_owned();
    assert_eq!(bench.why().await, "there is no program 'no-such-agent'");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_beside_messages_are_passed_over() {
    for manner in ["chatty", "stderr-flood"] {
        let opened = Bench::of(manner).open().await;
        assert!(opened.is_ok(), "{manner}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_asked_is_noted_and_no_turn() {
    let bench = Bench::of("answers-twice");
    let (agent, session, hears) = bench.open().await.unwrap();
    assert_eq!(session.id, "s1");
    agent.load("s1", &[]).await.unwrap_err();
    let heard = hears.all();
    let oddity = "oddity: an answer to what nobody asked, or a second one";
    assert!(
        heard.iter().filter(|said| *said == oddity).count() >= 2,
        "{heard:?}"
    );
    assert!(heard.contains(&"another's: psst".to_owned()), "{heard:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_one_that_ignores_the_end_of_its_input() {
    let mark = format!("{}.901", 100_000 + std::process::id());
    let bench = Bench::marked("stays", &mark);
    let (agent, _, _) = bench.open().await.unwrap();
    let census = agent.census();
    while census.running(&mark).unwrap() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let closing = agent.close().await;
    // Asked to stop, it ended; what it had started did not.
    assert!(matches!(closing, ProgramClose::Asked(_)), "{closing:?}");
    // The kernel takes a moment to take them off its table.
    while census.count().unwrap().processes > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
