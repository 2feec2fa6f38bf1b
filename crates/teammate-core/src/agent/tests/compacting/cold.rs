//! The prompt cache is gone: old outcomes are shortened before they are paid for again.

use super::*;

/// A turn with eight rounds, the first of which printed so many bytes; then idle.
fn after_eight_rounds(bytes: usize) -> Agent {
    let mut agent = rested();
    hears(&mut agent, "m1");
    for at in 0..8 {
        let id = format!("c{at}");
        let outcome = printed(&id, if at == 0 { bytes } else { 40 });
        round(&mut agent, 100, &id, outcome);
    }
    agent.step(counting(100, says("done")));
    agent.step(Input::Heard(vec![]));
    agent.step(Input::TaskFound(None));
    assert!(agent.is_idle());
    agent
}

fn wakes(agent: &mut Agent) -> String {
    agent.step(Input::Rang);
    brief(&agent.step(Input::Heard(vec![mail("m2")])))
}

#[test]
fn a_member_that_slept_past_its_cache_does_not_pay_for_old_outcomes_again() {
    let mut agent = after_eight_rounds(20_000);
    agent.mark_cold();
    assert_eq!(wakes(&mut agent), "heard(m2) settle shortened(1) model#1");
    // Once is enough.
    let next = round(&mut agent, 100, "d1", done("d1"));
    assert_eq!(next, "settle model#2");
}

#[test]
fn with_a_warm_cache_nothing_is_shortened_early() {
    let mut agent = after_eight_rounds(20_000);
    assert_eq!(wakes(&mut agent), "heard(m2) settle model#1");
}

#[test]
fn little_is_not_worth_it() {
    let mut agent = after_eight_rounds(500);
    agent.mark_cold();
    assert_eq!(wakes(&mut agent), "heard(m2) settle model#1");
}
