//! Summaries that somebody asks for.

use super::*;

#[test]
fn a_requested_summary_is_written_right_after_the_round() {
    let wish = || Input::Compact {
        focus: Some("the parser".into()),
    };
    let mut agent = rested();
    check(
        &mut agent,
        vec![
            (wish(), "note"),
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (
                wants(&[call("c1", "send_message"), call("c2", "bash")]),
                "answered run(c1)",
            ),
            (wish(), ""),
            (done("c1"), "done(c1) run(c2)"),
            (done("c2"), "done(c2) listen"),
            (Input::Heard(vec![]), "settle summarize[the parser]"),
            (wish(), ""),
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![]), "settle model#2"),
            // A request during the turn's last model call is carried out after the turn.
            (wish(), ""),
            (says("done"), "answered REST[done] listen"),
            (Input::Heard(vec![]), "settle seek"),
            (Input::TaskFound(None), "summarize-at-rest[the parser]"),
            (Input::Rang, ""),
            (sums_up("t"), "compacted[t] listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
        ],
    );
}

#[test]
fn a_summary_at_rest_changes_nothing_else() {
    let told = || {
        let mut agent = rested();
        hears(&mut agent, "m1");
        agent.step(says("all good"));
        agent.step(Input::Heard(vec![]));
        agent.step(Input::TaskFound(None));
        agent.step(Input::Compact { focus: None });
        agent
    };
    let finished = ResumePoint::Finished {
        turn: 1,
        text: "all good".into(),
    };
    let mut agent = told();
    check(&mut agent, vec![(sums_up("s"), "compacted[s]")]);
    assert!(agent.is_idle());
    // The turn's end can still be recorded again.
    assert_eq!(agent.conversation().resume_point(), finished);

    let mut agent = told();
    check(&mut agent, vec![(Input::Interrupt, "cancel-model")]);
    assert!(agent.is_idle());
    let mut agent = told();
    check(
        &mut agent,
        vec![
            (
                summary(" ", StopReason::EndTurn),
                "wasted summarize-at-rest",
            ),
            (summary("", StopReason::EndTurn), "wasted note"),
        ],
    );
    assert!(agent.is_idle());
    assert_eq!(agent.conversation().resume_point(), finished);
}

#[test]
fn an_interrupt_withdraws_the_request() {
    check(
        &mut full(),
        vec![
            (Input::Compact { focus: None }, ""),
            (
                Input::Interrupt,
                "cancel-tools done(c1!) rested REST[Interrupted]",
            ),
        ],
    );
}
