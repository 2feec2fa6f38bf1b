//! When room is made, and what is shortened before a summary is asked for.

use super::*;

#[test]
fn what_the_model_counts_decides_and_not_the_bytes() {
    let mut agent = rested();
    hears(&mut agent, "m1");
    let next = round(&mut agent, 100, "c1", printed("c1", 100_000));
    assert_eq!(next, "settle model#2");
    let next = round(&mut agent, 799, "c2", done("c2"));
    assert_eq!(next, "settle model#3");
    let next = round(&mut agent, 800, "c3", done("c3"));
    assert_eq!(next, "settle summarize");
}

#[test]
fn without_usage_of_the_server_tokens_are_estimated_from_bytes() {
    let mut agent = rested();
    hears(&mut agent, "m1");
    agent.step(wants(&[call("c1", "bash")]));
    agent.step(printed("c1", 4_000));
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle summarize");
}

#[test]
fn the_parts_of_a_count_are_added_up() {
    let usage = Usage {
        input: 1,
        output: 20,
        cache_read: 300,
        cache_write: 4_000,
        ..Usage::default()
    };
    assert_eq!(usage.total(), 4_321);
}

#[test]
fn old_outcomes_are_shortened_first() {
    let mut agent = rested();
    hears(&mut agent, "m1");
    let mut next = String::new();
    for at in 0..8 {
        let id = format!("c{at}");
        let tokens = if at == 7 { 850 } else { 100 };
        let outcome = printed(&id, if at < 2 { 1_100 } else { 40 });
        next = round(&mut agent, tokens, &id, outcome);
    }
    // Both long ones are old; the rest is short or new.
    assert_eq!(next, "settle shortened(2) model#9");
    let text = texts(&agent);
    assert!(!text.contains("xxxx".repeat(20).as_str()), "{text}");
    assert_eq!(text.matches("[bash: 1").count(), 2, "{text}");
    assert_eq!(
        text.matches("tool_result").count(),
        8,
        "no call lost its outcome"
    );
    // It is not done twice: what is left is summarized.
    let next = round(&mut agent, 900, "c8", done("c8"));
    assert_eq!(next, "settle summarize");
}

#[test]
fn shortening_that_frees_little_is_left_out() {
    let mut agent = rested();
    agent.limits.context = ContextWindow::new(100_000, 0.8);
    hears(&mut agent, "m1");
    let mut next = String::new();
    for at in 0..8 {
        let id = format!("c{at}");
        next = round(&mut agent, 90_000 * (at / 7), &id, printed(&id, 2_000));
    }
    assert_eq!(next, "settle summarize");
}
