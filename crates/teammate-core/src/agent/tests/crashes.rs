//! How a turn goes on after a crash, in every place where one can come.

use super::*;

fn after(entries: Vec<Entry>) -> (Agent, String) {
    let mut agent = agent(entries);
    let effects = brief(&agent.step(begin(None)));
    (agent, effects)
}

#[test]
fn after_a_crash_the_turn_goes_on() {
    let (mut agent, effects) = after(vec![Entry::Heard(vec![mail("m1")])]);
    assert_eq!(effects, "listen");
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle model#1");
}

#[test]
fn a_paused_turn_goes_on_when_the_team_is_opened_again() {
    let mut agent = agent(vec![Entry::Heard(vec![mail("m1")])]);
    agent.step(begin(None));
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle model#1");
}

#[test]
fn after_a_crash_open_calls_have_an_outcome_and_only_harmless_ones_run_again() {
    let calls = [
        call("b", "bash"),
        call("r", "read_file"),
        call("s", "send_message"),
    ];
    let (mut agent, effects) = after(vec![
        Entry::Heard(vec![mail("m1")]),
        answered(wants(&calls)),
    ]);
    assert_eq!(effects, "done(b!) run(r)");
    check(
        &mut agent,
        vec![
            (done("r"), "done(r) run(s)"),
            (done("s"), "done(s) listen"),
            (Input::Heard(vec![]), "settle model#1"),
        ],
    );
}

#[test]
fn a_subagent_is_not_started_again_after_a_crash() {
    let (_, effects) = after(vec![
        Entry::Heard(vec![mail("m1")]),
        answered(wants(&[call("c1", "task"), call("c2", "send_message")])),
    ]);
    assert_eq!(effects, "done(c1!) run(c2)");
}

#[test]
fn calls_lapse_where_the_transcript_proves_nothing_about_them() {
    let mut agent = agent(vec![
        Entry::Heard(vec![mail("m1")]),
        Entry::Answered(reply(
            "",
            &[call("c1", "read_file"), call("c2", "send_message")],
            StopReason::ToolUse,
        )),
    ]);
    let lapsed = Input::Begin {
        assignment: None,
        unfinished: Unfinished::Lapse,
    };
    let effects = agent.step(lapsed);
    assert_eq!(brief(&effects), "done(c1!,c2!) listen");
}

#[test]
fn after_a_crash_a_finished_turn_is_told_again() {
    let (mut agent, effects) = after(vec![
        Entry::Heard(vec![mail("m1")]),
        answered(says("all good")),
    ]);
    assert_eq!(effects, "REST[all good] listen");
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle seek");
}

#[test]
fn after_an_interrupt_nothing_goes_on_by_itself() {
    let (mut agent, effects) = after(vec![
        Entry::Heard(vec![mail("m1")]),
        Entry::TurnEnded(EndReason::Interrupted),
    ]);
    assert_eq!(effects, "listen");
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle seek");
}
