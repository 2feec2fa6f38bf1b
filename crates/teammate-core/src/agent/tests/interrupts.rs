//! Interrupts by the user: what they end, and what they leave.

use super::*;

#[test]
fn an_interrupt_leaves_every_call_with_an_outcome() {
    let mut agent = asked();
    check(
        &mut agent,
        vec![
            (
                wants(&[call("b1", "bash"), call("b2", "bash")]),
                "answered run(b1)",
            ),
            (
                Input::Interrupt,
                "cancel-tools done(b1!,b2!) rested REST[Interrupted]",
            ),
            (done("b1"), "note"),
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
            (Input::Interrupt, "cancel-model rested REST[Interrupted]"),
            (says("late"), "note"),
        ],
    );
    assert_eq!(agent.conversation().resume_point(), ResumePoint::Idle);
}

#[test]
fn an_interrupt_while_listening_keeps_the_mail() {
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (Input::Interrupt, ""),
            (
                Input::Heard(vec![mail("m1")]),
                "heard(m1) settle rested REST[Interrupted]",
            ),
        ],
    );
}

#[test]
fn mail_that_came_in_a_turn_begins_no_other_after_an_interrupt() {
    check(
        &mut asked(),
        vec![
            (Input::Rang, ""),
            (Input::Interrupt, "cancel-model listen"),
            (
                Input::Heard(vec![mail("m2")]),
                "heard(m2) settle rested REST[Interrupted]",
            ),
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m3")]), "heard(m3) settle model#1"),
        ],
    );
}

#[test]
fn mail_that_lay_there_before_a_crash_is_heard_also_when_an_interrupt_ends_the_calls() {
    let mut agent = agent(vec![
        Entry::Heard(vec![mail("m1")]),
        Entry::Answered(reply("", &[call("r", "read_file")], StopReason::ToolUse)),
    ]);
    assert_eq!(brief(&agent.step(begin(None))), "run(r)");
    check(
        &mut agent,
        vec![
            (Input::Interrupt, "cancel-tools done(r!) listen"),
            (
                Input::Heard(vec![mail("m2")]),
                "heard(m2) settle rested REST[Interrupted]",
            ),
        ],
    );
}

#[test]
fn mail_that_comes_while_a_task_is_sought_is_heard_also_after_an_interrupt() {
    let mut agent = agent(vec![]);
    agent.step(begin(None));
    check(
        &mut agent,
        vec![
            (Input::Heard(vec![]), "settle seek"),
            (Input::Rang, ""),
            (Input::Interrupt, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
        ],
    );
}

#[test]
fn an_interrupt_that_is_taken_back_leaves_the_turn_unfinished() {
    let interrupted = || {
        let mut agent = asked();
        let script = vec![
            (wants(&[call("b1", "bash")]), "answered run(b1)"),
            (
                Input::Interrupt,
                "cancel-tools done(b1!) rested REST[Interrupted]",
            ),
        ];
        check(&mut agent, script);
        agent
    };
    let mut agent = interrupted();
    check(
        &mut agent,
        vec![
            (Input::TakeBack, "prompted listen"),
            // The model is not asked: the program ends.
            (Input::Heard(vec![]), "settle retire"),
        ],
    );
    assert_eq!(agent.conversation().resume_point(), ResumePoint::CallModel);

    // An interrupt is taken back only as long as it is the last thing that happened.
    let nothing_since: [Vec<(Input, &str)>; 2] = [
        vec![(Input::Interrupt, "")],
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
            (says("ok"), "answered REST[ok] listen"),
            (Input::Heard(vec![]), "settle seek"),
            (Input::TaskFound(None), ""),
        ],
    ];
    for later in nothing_since {
        let mut agent = interrupted();
        check(&mut agent, later);
        check(&mut agent, vec![(Input::TakeBack, "retire")]);
    }
}
