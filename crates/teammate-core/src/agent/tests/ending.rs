//! Turns that somebody may hold back when they are about to end.

use super::*;

/// In a turn, where somebody is asked before it ends.
fn asked_to_end() -> Agent {
    let mut agent = asked();
    agent.ask_to_end(true);
    agent
}

fn go_on() -> Input {
    Input::MayEnd(Some("the tests fail".to_owned()))
}

#[test]
fn a_turn_that_may_end_ends_as_ever() {
    check(
        &mut asked_to_end(),
        vec![
            (says("done"), "answered may-end[done]#0"),
            (Input::MayEnd(None), "REST[done] listen"),
            (Input::Heard(vec![]), "settle seek"),
            (Input::TaskFound(None), ""),
        ],
    );
}

#[test]
fn a_turn_that_is_held_back_goes_on_with_the_reason() {
    let mut agent = asked_to_end();
    check(
        &mut agent,
        vec![
            (says("done"), "answered may-end[done]#0"),
            (go_on(), "prompted listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#2"),
            (says("now"), "answered may-end[now]#1"),
            (Input::MayEnd(None), "REST[now] listen"),
        ],
    );
    let said = agent.conversation().messages().len();
    assert_eq!(said, 4, "mail, answer, reason with mail, answer");
}

#[test]
fn an_answer_with_calls_ends_nothing() {
    check(
        &mut asked_to_end(),
        vec![(wants(&[call("t1", "bash")]), "answered run(t1)")],
    );
}

#[test]
fn who_holds_back_again_and_again_is_not_asked_any_more() {
    let mut agent = asked();
    agent.limits.rounds_max = 100;
    agent.ask_to_end(true);
    for held in 0..10 {
        let expected = format!("answered may-end[done]#{held}");
        assert_eq!(brief(&agent.step(says("done"))), expected);
        assert_eq!(brief(&agent.step(go_on())), "prompted listen");
        agent.step(Input::Heard(vec![]));
    }
    assert_eq!(
        brief(&agent.step(says("done"))),
        "answered note REST[done] listen"
    );
}

#[test]
fn each_turn_can_be_held_back() {
    let mut agent = asked_to_end();
    agent.step(says("one"));
    agent.step(go_on());
    agent.step(Input::Heard(vec![]));
    agent.step(says("one"));
    agent.step(Input::MayEnd(None));
    agent.step(Input::Heard(vec![]));
    agent.step(Input::TaskFound(None));
    assert!(agent.is_idle());
    assert_eq!(hears(&mut agent, "m2"), "heard(m2) settle model#1");
    assert_eq!(brief(&agent.step(says("two"))), "answered may-end[two]#0");
}

#[test]
fn an_interrupt_does_not_wait_for_the_word() {
    check(
        &mut asked_to_end(),
        vec![
            (says("done"), "answered may-end[done]#0"),
            (Input::Interrupt, "cancel-may-end REST[done] listen"),
            (go_on(), "note"),
            (
                Input::Heard(vec![mail("m2")]),
                "heard(m2) settle rested REST[Interrupted]",
            ),
        ],
    );
}

#[test]
fn who_leaves_is_not_held_back() {
    let mut agent = asked_to_end();
    agent.step(Input::Leave(Leave::Shutdown));
    assert_eq!(
        brief(&agent.step(says("done"))),
        "answered REST[done] listen"
    );
    let mut agent = asked_to_end();
    agent.step(says("done"));
    agent.step(Input::Leave(Leave::Shutdown));
    assert_eq!(brief(&agent.step(go_on())), "REST[done] listen");
}

#[test]
fn a_stop_ends_the_turn_with_its_answer() {
    let mut agent = asked_to_end();
    agent.step(says("done"));
    assert_eq!(
        brief(&agent.step(Input::Stop)),
        "cancel-may-end REST[done] retire"
    );
}

#[test]
fn a_bell_that_rings_meanwhile_is_heard() {
    check(
        &mut asked_to_end(),
        vec![
            (says("done"), "answered may-end[done]#0"),
            (Input::Rang, ""),
            (Input::MayEnd(None), "REST[done] listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
        ],
    );
}

#[test]
fn a_call_that_is_text_is_said_and_asked_for_once() {
    let written = "I look.\n<tool_call>{\"name\": \"bash\", \"arguments\": {}}</tool_call>";
    let agent = || asked_again_after(written);
    // It makes the call.
    check(
        &mut agent(),
        vec![(wants(&[call("t1", "bash")]), "answered run(t1)")],
    );
    // It writes the same again: that is its answer.
    let rests = format!("answered REST[{written}] listen");
    check(&mut agent(), vec![(says(written), &rests)]);
    // Of tools that it does not have, and in a quotation, there is nothing to say.
    for said in [
        r#"{"name": "fly", "arguments": {}}"#,
        "Write `<tool_call>{}</tool_call>`",
    ] {
        let rests = format!("answered REST[{said}] listen");
        check(&mut asked(), vec![(says(said), &rests)]);
    }
}

/// An agent that has written a call, and is asked again.
fn asked_again_after(written: &str) -> Agent {
    let mut agent = asked();
    check(
        &mut agent,
        vec![
            (says(written), "answered note prompted listen"),
            (Input::Heard(vec![]), "settle model#2"),
        ],
    );
    agent
}
