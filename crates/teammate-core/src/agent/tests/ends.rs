//! What ends a turn other than its last answer and an interrupt: a wait, a limit, a failure, a stop.

use super::*;

#[test]
fn a_member_that_waits_ends_its_turn_after_the_round_unless_mail_has_come() {
    let waits = || Input::Pause("bob".into());
    let mut agent = asked();
    check(
        &mut agent,
        vec![
            (
                wants(&[call("c1", "send_message"), call("c2", "bash")]),
                "answered run(c1)",
            ),
            (waits(), ""),
            (done("c1"), "done(c1) run(c2)"),
            (done("c2"), "done(c2) listen"),
            (
                Input::Heard(vec![]),
                "settle rested REST[Waiting { what: \"bob\" }]",
            ),
            // It is between turns; the next mail begins another.
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
            // What it would wait for may have come meanwhile.
            (wants(&[call("c3", "send_message")]), "answered run(c3)"),
            (waits(), ""),
            (done("c3"), "done(c3) listen"),
            (Input::Heard(vec![mail("m3")]), "heard(m3) settle model#2"),
            // An interrupt is an interrupt.
            (wants(&[call("c4", "send_message")]), "answered run(c4)"),
            (waits(), ""),
            (
                Input::Interrupt,
                "cancel-tools done(c4!) rested REST[Interrupted]",
            ),
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m4")]), "heard(m4) settle model#1"),
            (wants(&[call("c5", "bash")]), "answered run(c5)"),
            (done("c5"), "done(c5) listen"),
            (Input::Heard(vec![]), "settle model#2"),
        ],
    );
    // A wish that belongs to no round is noted, and nothing else.
    check(&mut agent, vec![(waits(), "note")]);
}

#[test]
fn a_cut_answer_goes_on_but_not_for_ever() {
    let cut = || Input::Answered(reply("part", &[], StopReason::MaxTokens));
    let cut_call = Input::Answered(reply("", &[call("c1", "bash")], StopReason::MaxTokens));
    let mut agent = agent(vec![]);
    agent.limits.rounds_max = 100;
    agent.step(begin(None));
    check(
        &mut agent,
        vec![
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (cut(), "answered prompted listen"),
            (Input::Heard(vec![]), "settle model#2"),
            (cut_call, "answered done(c1!) listen"),
            (Input::Heard(vec![]), "settle model#3"),
            (cut(), "answered prompted listen"),
            (Input::Heard(vec![]), "settle model#4"),
        ],
    );
    let last = brief(&agent.step(cut()));
    assert!(last.starts_with("answered rested REST[Limit"), "{last}");
}

#[test]
fn the_limit_of_rounds_ends_the_turn_with_a_message() {
    let mut agent = asked();
    for round in 0..3 {
        agent.step(wants(&[call(&format!("c{round}"), "bash")]));
        agent.step(done(&format!("c{round}")));
        assert!(brief(&agent.step(Input::Heard(vec![]))).contains("model#"));
    }
    agent.step(wants(&[call("c9", "bash")]));
    agent.step(done("c9"));
    let last = brief(&agent.step(Input::Heard(vec![])));
    assert!(last.contains("stopped after 4 model calls"), "{last}");
    // The next mail begins a new turn.
    assert!(hears(&mut agent, "m2").ends_with("model#1"));
}

#[test]
fn a_model_failure_is_told_and_the_next_mail_tries_again() {
    check(
        &mut asked(),
        vec![
            (Input::Rang, ""),
            (no_key(), "rested REST[Failed { what: \"no key\" }] listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
        ],
    );
}

#[test]
fn a_spent_budget_pauses_the_turn_and_records_nothing() {
    let mut agent = asked();
    let limited = || Input::OutOfBudget("spent".into());
    assert_eq!(brief(&agent.step(limited())), "pause");
    assert!(agent.is_idle());
    assert_eq!(agent.conversation().resume_point(), ResumePoint::CallModel);
    assert_eq!(brief(&agent.step(limited())), "note", "it came too late");

    // With mail, the turn continues.
    assert_eq!(hears(&mut agent, "m2"), "heard(m2) settle model#1");
    // Mail that came with the refusal is not forgotten.
    agent.step(Input::Rang);
    assert_eq!(brief(&agent.step(limited())), "pause listen");
}

#[test]
fn a_stop_leaves_the_turn_unfinished() {
    let mut agent = asked();
    check(
        &mut agent,
        vec![(Input::Stop, "cancel-model retire"), (says("late"), "")],
    );
    assert_eq!(agent.conversation().resume_point(), ResumePoint::CallModel);
}

#[test]
fn a_member_that_leaves_calls_its_model_no_more() {
    let leave = |why| Input::Leave(why);
    check(&mut begun(), vec![(leave(Leave::Pause), "retire")]);
    // Calls of the same answer run when the team pauses, and do not when the member has agreed to shut down.
    for (why, after_the_first) in [
        (Leave::Pause, "done(b1) run(b2)"),
        (Leave::Shutdown, "done(b1) done(b2!) listen"),
    ] {
        let mut agent = asked();
        check(
            &mut agent,
            vec![
                (
                    wants(&[call("b1", "bash"), call("b2", "bash")]),
                    "answered run(b1)",
                ),
                (leave(why), ""),
                (done("b1"), after_the_first),
            ],
        );
        if why == Leave::Pause {
            check(&mut agent, vec![(done("b2"), "done(b2) listen")]);
        }
        check(&mut agent, vec![(Input::Heard(vec![]), "settle retire")]);
    }
    // A turn that ends by itself is recorded before the loop ends, and no task is claimed.
    check(
        &mut asked(),
        vec![
            (leave(Leave::Pause), ""),
            (says("ok"), "answered REST[ok] listen"),
            (Input::Heard(vec![]), "settle retire"),
        ],
    );
}
