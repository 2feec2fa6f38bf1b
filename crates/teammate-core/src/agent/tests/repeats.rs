//! The same call repeatedly.

use super::*;

/// A member in a turn that may make so many rounds.
fn repeating(repeats_max: u32) -> Agent {
    let limits = Limits {
        rounds_max: 1_000,
        repeats_max,
        ..Limits::default()
    };
    let mut agent = Agent::new(Incarnation(2), classes(), limits, Conversation::default());
    agent.step(begin(None));
    agent.step(Input::Heard(vec![mail("m1")]));
    agent
}

/// One round with one call; the outcome as it was recorded, and what follows.
fn round(agent: &mut Agent, at: u32, tool: &str, outcome: Outcome) -> (String, String) {
    let id = format!("c{at}");
    let mut effects = agent.step(wants(&[call(&id, tool)]));
    if brief(&effects).contains("run(") {
        effects = agent.step(Input::ToolDone(CallId::new(id), outcome));
    }
    let seen = effects.iter().find_map(|effect| match effect {
        Effect::Record(Entry::ToolOutcomes(outcomes)) => Some(outcomes[0].1.text()),
        _ => None,
    });
    (seen.unwrap(), brief(&agent.step(Input::Heard(vec![]))))
}

/// The round whose outcome first warns, and the round that ends the turn.
fn ends(repeats_max: u32, mut calls: impl FnMut(u32) -> (&'static str, Outcome)) -> (u32, u32) {
    let mut agent = repeating(repeats_max);
    let mut warned = 0;
    for at in 1..=300 {
        let (tool, outcome) = calls(at);
        let (seen, next) = round(&mut agent, at, tool, outcome);
        if warned == 0 && seen.contains("Stop repeating") {
            warned = at;
        }
        if next.contains("REST[Limit") {
            assert!(next.contains("say what to do instead"), "{next}");
            return (warned, at);
        }
        assert!(next.contains("model#"), "{next}");
    }
    (warned, 0)
}

#[test]
fn the_same_call_that_fails_in_the_same_way_ends_the_turn() {
    let fails = |_| ("bash", Outcome::error("no such file"));
    assert_eq!(ends(10, fails), (5, 10));
    assert_eq!(ends(4, fails), (2, 4));
    assert_eq!(ends(0, fails), (0, 0));
    // A tool that does not exist.
    assert_eq!(ends(10, |_| ("fly", Outcome::ok(""))), (5, 10));
    // Two in turn.
    let turns = |at: u32| match at % 2 {
        0 => ("bash", Outcome::error("no")),
        _ => ("read_file", Outcome::error("no")),
    };
    assert_eq!(ends(10, turns), (9, 19));
    // What succeeds in the same way may wait for something.
    let waits = |_| ("bash", Outcome::ok("pending"));
    assert_eq!(ends(10, waits), (50, 100));
}

#[test]
fn work_between_two_failures_is_no_loop() {
    let edits = |at: u32| match at % 2 {
        0 => ("bash", Outcome::error("1 test failed")),
        _ => ("read_file", Outcome::ok(format!("line {at}"))),
    };
    assert_eq!(ends(10, edits), (0, 0));
    let fails_anew = |at: u32| ("bash", Outcome::error(format!("{at} tests failed")));
    assert_eq!(ends(10, fails_anew), (0, 0));
}

#[test]
fn mail_from_another_member_restarts_the_count() {
    let mut agent = repeating(3);
    for at in 0..20 {
        let no = || Outcome::error("no");
        let (seen, _) = round(&mut agent, 2 * at, "bash", no());
        assert!(!seen.contains("Stop"), "{at}");
        agent.step(Input::Rang);
        agent.step(wants(&[call("x", "read_file")]));
        agent.step(Input::ToolDone(CallId::new("x".into()), no()));
        let next = agent.step(Input::Heard(vec![mail(&format!("n{at}"))]));
        assert!(brief(&next).contains("model#"), "{at}");
    }
}
