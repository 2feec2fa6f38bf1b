//! What is counted over a run.

use teammate_otel::{Contents, SpanFold};

use crate::told::{events, fold};

fn lines(fold: &SpanFold) -> Vec<String> {
    let series = fold.metrics().series();
    series
        .map(|(instrument, labels, series)| {
            let labels: Vec<String> = labels
                .iter()
                .map(|(name, value)| format!("{}={value}", name.rsplit('.').next().unwrap()))
                .collect();
            let (count, sum) = (series.count, series.sum);
            format!(
                "{} [{}] {count}x {sum}",
                instrument.name(),
                labels.join(" ")
            )
        })
        .collect()
}

#[test]
fn tokens_money_times_and_waits_of_a_run_are_counted() {
    let mut fold = fold(Contents::Left);
    for event in events(include_str!("run.events")) {
        fold.take(&event);
    }
    let counted = lines(&fold);
    for line in [
        // 44 + 300 from a cache + 6 into one.
        "gen_ai.client.token.usage [name=chat name=anthropic model=claude-sonnet-5-5-20261001 type=input] 1x 350",
        "gen_ai.client.token.usage [name=chat name=openai model=gpt-6.2-sol type=output] 1x 2",
        "gen_ai.client.operation.duration [name=chat name=openai model=gpt-6.2-sol] 1x 0.006",
        "gen_ai.execute_tool.duration [name=bash name=alice type=tool_failed] 1x 0.01",
        "gen_ai.invoke_agent.duration [name=invoke_agent name=alice type=model_failed] 1x 1.528",
        "gen_ai.workflow.duration [name=default] 1x 1.569",
        "teammate.wait.duration [name=alice on=plan] 1x 1.5",
        "teammate.cost [name=chat name=anthropic model=claude-sonnet-5-5-20261001 name=lead currency=USD] 1x 0.0005073",
    ] {
        assert!(
            counted.contains(&line.to_owned()),
            "{line} is not in {counted:#?}"
        );
    }
}

#[test]
fn a_call_that_was_refused_is_not_counted_among_those_that_failed() {
    let mut fold = fold(Contents::Left);
    for event in events(
        r#"
        1 lead asked {"round":1,"model":"a:b"}
        2 lead tool_started {"call":"c","tool":"bash","summary":"rm x"}
        12 lead tool_finished {"call":"c","tool":"bash","ok":false,"summary":"Not run","took_ms":10,"refused":"rule"}
        "#,
    ) {
        fold.take(&event);
    }
    let counted = lines(&fold);
    let line = "gen_ai.execute_tool.duration [name=bash name=lead type=refused] 1x 0.01";
    assert!(counted.contains(&line.to_owned()), "{counted:#?}");
}

#[test]
fn summaries_and_subagents_are_counted_with_the_model_of_their_member() {
    let mut fold = fold(Contents::Left);
    for event in events(
        r#"
        1 lead asked {"round":1,"model":"a:b"}
        2 lead answered {"text":"","stop":"end_turn","usage":{"input":10,"output":1,"cache_read":0,"cache_write":0}}
        3 lead compacted {"how":"summarized","before":1,"after":1,"usage":{"input":20,"output":1,"cache_read":0,"cache_write":0},"summary":""}
        4 lead subagent_answered {"call":"c","usage":{"input":40,"output":1,"cache_read":0,"cache_write":0}}
        "#,
    ) {
        fold.take(&event);
    }
    let line = "gen_ai.client.token.usage [name=chat name=a model=b type=input] 3x 70".to_owned();
    assert!(lines(&fold).contains(&line), "{:#?}", lines(&fold));
}

#[test]
fn estimates_are_series_of_their_own_and_what_nobody_counted_is_left_out() {
    let mut fold = fold(Contents::Left);
    let mut spans = Vec::new();
    for event in events(
        r#"
        1 lead asked {"round":1,"model":"a:b"}
        2 lead answered {"text":"","stop":"tool_use","usage":{"input":10,"output":0,"cache_read":0,"cache_write":0,"estimated":10},"money":{"amount":"0.5","currency":"USD","estimated":true}}
        3 lead asked {"round":2,"model":"a:c"}
        4 lead answered {"text":"","stop":"end_turn","usage":{"input":0,"output":0,"cache_read":0,"cache_write":0}}
        "#,
    ) {
        spans.extend(fold.take(&event));
    }
    let counted = lines(&fold);
    for line in [
        "gen_ai.client.token.usage [name=chat name=a model=b type=input estimated=true] 1x 10",
        "teammate.cost [name=chat name=a model=b name=lead currency=USD estimated=true] 1x 0.5",
    ] {
        assert!(counted.contains(&line.to_owned()), "{counted:#?}");
    }
    let of = |model: &str| {
        let span = spans
            .iter()
            .find(|span| span.name == format!("chat {model}"));
        format!("{:?}", span.unwrap().attributes)
    };
    assert!(
        of("b").contains("teammate.usage.estimated_tokens"),
        "{}",
        of("b")
    );
    assert!(!of("c").contains("gen_ai.usage"), "{}", of("c"));
}

#[test]
fn the_time_in_which_a_person_was_waited_for_is_no_calls_time() {
    let mut fold = fold(Contents::Left);
    let mut spans = Vec::new();
    for event in events(
        r#"
        1000 alice asked {"round":1,"model":"a:b"}
        1500 alice tool_started {"call":"c","tool":"bash","summary":"make"}
        1600 alice permission_asked {"question":1,"tool":"bash","shows":"make"}
        16400 alice permission_answered {"question":1,"allowed":true,"by":"user"}
        16500 alice tool_finished {"call":"c","tool":"bash","ok":true,"summary":"","took_ms":15000}
        "#,
    ) {
        spans.extend(fold.take(&event));
    }
    let line = "gen_ai.execute_tool.duration [name=bash name=alice] 1x 0.2".to_owned();
    assert!(lines(&fold).contains(&line), "{:#?}", lines(&fold));
    let span = spans.iter().find(|span| span.name.ends_with("bash"));
    let told = format!("{:?}", span.unwrap().attributes);
    assert!(
        told.contains("teammate.tool.waited_ms") && told.contains("14800"),
        "{told}"
    );
}
