//! What is measured of an agent that conforms, and of others.

use teammate_protocols::acp::{
    Asked, Cancelled, CostReport, Ending, Finding, Gated, Loaded, Row, Steering, measure,
};

use crate::agents::bench::{Bench, is_walled};

async fn row(bench: &Bench) -> Row {
    measure(&bench.trial).await.unwrap()
}

fn seen<T: Clone>(finding: &Finding<T>) -> T {
    match finding {
        Finding::Seen(found) => found.clone(),
        Finding::NotMeasured(why) => panic!("not measured: {why}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_conforms_has_a_whole_row() {
    let bench = Bench::of("");
    let row = row(&bench).await;
    assert_eq!(row.product, "test-agent 1");
    assert!(row.start.start_seconds > 0.0);
    let uses = seen(&row.uses);
    assert!(uses.processes == 1 && uses.memory_mb < 500, "{uses:?}");
    assert_eq!(row.modes.first.as_deref(), Some("ask"));
    assert_eq!(row.modes.all, ["ask", "free"]);
    assert_eq!(seen(&row.asks_for_shell), Asked::Asked);
    assert_eq!(seen(&row.asks_for_edit), Asked::Asked);
    assert_eq!(seen(&row.asks_for_tool), Asked::Asked);
    assert_eq!(seen(&row.steering), Steering::Injected);
    let Cancelled {
        answered_after_seconds,
        left_running,
    } = seen(&row.cancel);
    assert!(
        answered_after_seconds.is_some() && left_running == 0,
        "{:?}",
        row.cancel
    );
    let Loaded::Loaded {
        updates,
        has_prompt,
    } = seen(&row.load)
    else {
        panic!("{:?}", row.load);
    };
    assert!(updates > 4 && has_prompt);
    assert_eq!(seen(&row.cost), CostReport::Money);
    assert!(matches!(seen(&row.end), Ending::ByEof(_)));
    let gated = match is_walled() {
        true => Gated::Held,
        false => Gated::Written,
    };
    assert_eq!(seen(&row.gated_write), gated);
    assert_eq!(row.oddities, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mode_without_questions_is_seen() {
    let mut bench = Bench::of("");
    bench.trial.settings.mode = Some("free".to_owned());
    let row = row(&bench).await;
    assert_eq!(seen(&row.asks_for_shell), Asked::Unasked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_outlives_its_turn_is_seen() {
    let row = row(&Bench::of("leaves-running")).await;
    assert!(seen(&row.cancel).left_running > 0, "{:?}", row.cancel);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_that_is_not_answered_is_seen_and_the_rest_goes_on() {
    let row = row(&Bench::of("deaf-to-cancel")).await;
    assert_eq!(seen(&row.cancel).answered_after_seconds, None);
    assert!(matches!(seen(&row.load), Loaded::Loaded { .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_offered_or_not_done_is_not_claimed() {
    let row_of_less = row(&Bench::of("forgets")).await;
    assert_eq!(seen(&row_of_less.steering), Steering::NotOffered);
    assert_eq!(seen(&row_of_less.load), Loaded::NotOffered);
    let idle = row(&Bench::of("odd")).await;
    for finding in [idle.asks_for_shell, idle.asks_for_edit, idle.asks_for_tool] {
        assert_eq!(finding, Finding::NotMeasured("it did not do it".to_owned()));
    }
    let why = "it ran no command".to_owned();
    assert_eq!(idle.cancel, Finding::NotMeasured(why));
    assert!(matches!(idle.gated_write, Finding::NotMeasured(_)));
    let told = serde_json::to_value(&idle.steering).unwrap();
    assert_eq!(told["not_measured"], "it ran no command");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_server_calls_of_tools_are_not_measured() {
    let mut bench = Bench::of("");
    bench.trial.tool_server = None;
    let row = row(&bench).await;
    assert!(matches!(row.asks_for_tool, Finding::NotMeasured(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_does_not_start_has_no_row() {
    let why = measure(&Bench::of("exits").trial).await.unwrap_err();
    assert!(why.to_string().contains("no API key is set"), "{why}");
}
