//! A summary between two rounds: what it keeps, and what happens while it is written.

use super::*;

#[test]
fn a_full_context_is_summed_up_between_two_rounds_and_the_turn_goes_on() {
    let mut agent = summing();
    check(
        &mut agent,
        vec![
            (sums_up("we did c1"), "compacted[we did c1] listen"),
            (Input::Heard(vec![mail("m3")]), "heard(m3) settle model#2"),
            (says("ready"), "answered REST[ready] listen"),
            (Input::Heard(vec![mail("m1"), mail("m2")]), "settle seek"),
        ],
    );
    let text = texts(&agent);
    assert!(
        !text.contains("tool_result") && text.contains("we did c1"),
        "{text}"
    );
    assert!(text.contains("the state"), "{text}");
    // Unanswered mail is kept word for word; answered mail is in the summary.
    assert!(text.contains("from=\\\"lead\\\""), "{text}");
    assert!(text.contains("m2") && !text.contains("m1"), "{text}");
    let roles: Vec<Role> = agent
        .conversation()
        .messages()
        .iter()
        .map(|m| m.role)
        .collect();
    assert_eq!(roles, [Role::User, Role::Assistant]);
}

#[test]
fn mail_that_comes_meanwhile_is_heard_after_it() {
    check(
        &mut summing(),
        vec![
            (Input::Rang, ""),
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![mail("m3")]), "heard(m3) settle model#2"),
        ],
    );
}

#[test]
fn calls_in_a_summary_do_not_run() {
    let calls = reply("the gist", &[call("c9", "bash")], StopReason::ToolUse);
    let mut agent = summing();
    check(
        &mut agent,
        vec![
            (
                Input::Summarized(calls, "state".into()),
                "compacted[the gist] listen",
            ),
            (Input::Heard(vec![]), "settle model#2"),
        ],
    );
    assert!(!texts(&agent).contains("tool_use"));
}

#[test]
fn an_interrupt_or_a_stop_leaves_everything_as_it_was() {
    let mut agent = summing();
    let before = texts(&agent);
    check(
        &mut agent,
        vec![
            (Input::Interrupt, "cancel-model rested REST[Interrupted]"),
            (sums_up("late"), "note"),
        ],
    );
    assert_eq!(texts(&agent), before);
    assert_eq!(agent.conversation().resume_point(), ResumePoint::Idle);

    let mut agent = summing();
    check(
        &mut agent,
        vec![(Input::Stop, "cancel-model retire"), (sums_up("late"), "")],
    );
    assert_eq!(texts(&agent), before);
    assert_eq!(agent.conversation().resume_point(), ResumePoint::CallModel);
}

#[test]
fn a_spent_budget_pauses_the_turn_as_it_is() {
    let mut agent = summing();
    let before = texts(&agent);
    let paused = brief(&agent.step(Input::OutOfBudget("100 tokens are spent".into())));
    assert_eq!(paused, "pause");
    assert_eq!(texts(&agent), before);
    assert_eq!(agent.conversation().resume_point(), ResumePoint::CallModel);
}

#[test]
fn after_a_crash_in_the_middle_the_summary_is_asked_for_again() {
    let entries = || {
        vec![
            Entry::Heard(vec![mail("m1")]),
            answered(counting(900, wants(&[call("c1", "bash")]))),
            Entry::ToolOutcomes(vec![(CallId::new("c1".into()), Outcome::ok("fine"))]),
        ]
    };
    let mut agent = small(entries());
    check(
        &mut agent,
        vec![
            (Input::Heard(vec![]), "settle summarize"),
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![]), "settle model#1"),
        ],
    );

    // The turn continues right after it, with the same entry numbers and mail ids.
    let mut compacted = entries();
    compacted.push(Entry::SummaryFailed {
        model: "m".into(),
        usage: Usage::default(),
    });
    compacted.push(Entry::Compacted(Compacted {
        summary: "s".into(),
        recap: "state".into(),
        mail_bytes_max: 1_000,
        before: 900,
        model: "m".into(),
        usage: Usage::default(),
    }));
    let mut agent = small(compacted);
    assert_eq!(agent.conversation().length(), 5);
    check(
        &mut agent,
        vec![(Input::Heard(vec![mail("m1")]), "settle model#1")],
    );
}
