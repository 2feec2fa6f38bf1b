//! Summaries that fail or free nothing, and answers that the context cut off.

use super::*;

fn too_long() -> Input {
    Input::ModelFailed(ModelFailure {
        what: "prompt is too long".into(),
        remedy: Remedy::Shorten,
    })
}

#[test]
fn a_model_that_says_it_is_too_long_is_asked_for_a_summary_of_a_part() {
    let mut agent = rested();
    hears(&mut agent, "m1");
    check(
        &mut agent,
        vec![
            (too_long(), "summarize-of-a-part"),
            (too_long(), "summarize-of-a-part"),
            (
                summary("", StopReason::ContextFull),
                "wasted summarize-of-a-part",
            ),
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![]), "settle model#2"),
            (says("ok"), "answered REST[ok] listen"),
        ],
    );
}

#[test]
fn an_answer_that_ended_because_the_context_was_full_goes_on() {
    let mut agent = full();
    let cut = |calls: &[ToolCall]| Input::Answered(reply("half a", calls, StopReason::ContextFull));
    check(
        &mut agent,
        vec![
            (done("c1"), "done(c1) listen"),
            (Input::Heard(vec![]), "settle summarize"),
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![]), "settle model#2"),
            (cut(&[]), "answered prompted listen"),
            (Input::Heard(vec![]), "settle summarize-of-a-part"),
            (sums_up("t"), "compacted[t] listen"),
            (Input::Heard(vec![]), "settle model#3"),
            // Twice in a row is enough.
            (cut(&[call("c2", "bash")]), "answered done(c2!) listen"),
        ],
    );
    let last = brief(&agent.step(Input::Heard(vec![])));
    assert!(last.contains("REST[Limit"), "{last}");
    assert!(last.contains("context_tokens"), "{last}");
}

#[test]
fn after_a_crash_an_answer_that_was_cut_by_the_context_goes_on() {
    let cut = reply("half a", &[], StopReason::ContextFull);
    let mut agent = small(vec![Entry::Heard(vec![mail("m1")]), Entry::Answered(cut)]);
    assert_eq!(
        brief(&agent.step(Input::Heard(vec![]))),
        "settle prompted model#1"
    );
}

#[test]
fn two_summaries_that_free_nothing_end_the_turn() {
    let mut agent = summing();
    let fills = |id: &str| counting(850, wants(&[call(id, "bash")]));
    check(
        &mut agent,
        vec![
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![]), "settle model#2"),
            (fills("c2"), "answered run(c2)"),
            (done("c2"), "done(c2) listen"),
            (Input::Heard(vec![]), "settle summarize"),
            (sums_up("t"), "compacted[t] listen"),
            (Input::Heard(vec![]), "settle model#3"),
            (fills("c3"), "answered run(c3)"),
            (done("c3"), "done(c3) listen"),
        ],
    );
    let last = brief(&agent.step(Input::Heard(vec![])));
    assert!(
        last.contains("rested REST[Limit") && last.contains("context_tokens"),
        "{last}"
    );
    // More mail triggers no new try. A request for compaction does.
    assert!(hears(&mut agent, "m3").contains("REST[Limit"));
    let wish = Input::Compact { focus: None };
    assert_eq!(brief(&agent.step(wish)), "summarize-at-rest");
}

#[test]
fn a_summary_that_frees_enough_forgets_the_failed_ones() {
    let mut agent = summing();
    for at in 0..5 {
        let id = format!("d{at}");
        agent.step(sums_up("s"));
        agent.step(Input::Heard(vec![]));
        round(&mut agent, 100, &id, done(&id));
        let id = format!("e{at}");
        let next = round(&mut agent, 900, &id, done(&id));
        assert_eq!(next, "settle summarize");
    }
}

#[test]
fn a_model_that_gives_no_summary_is_asked_twice() {
    let mut agent = summing();
    let before = texts(&agent);
    check(
        &mut agent,
        vec![(
            Input::Summarized(
                reply("", &[call("c5", "bash")], StopReason::ToolUse),
                String::new(),
            ),
            "wasted summarize",
        )],
    );
    let last = brief(&agent.step(summary("I would rather not", StopReason::Refusal)));
    assert!(last.starts_with("wasted rested REST[Limit"), "{last}");
    assert_eq!(texts(&agent), before);
}

#[test]
fn a_model_that_fails_at_the_summary_is_told() {
    let last = brief(&summing().step(no_key()));
    assert!(
        last.contains("Failed") && last.contains("summarized: no key"),
        "{last}"
    );
}
