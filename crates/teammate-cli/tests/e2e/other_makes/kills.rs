//! Whatever is killed, and whenever: each message reaches an agent's own records once.

use std::{thread, time::Duration};

use rustix::process::Signal;

use super::*;
use crate::crash::{Chance, seeds};

/// What bob is sent, one after the other.
const LETTERS: usize = 6;

/// The host is killed at random moments until bob has everything.
#[test]
fn each_letter_is_in_the_agents_records_once() {
    let mut kills = 0;
    for seed in seeds(2) {
        println!("TEAMMATE_SEED={seed}, after {kills} kills");
        let mut chance = Chance(seed);
        let world = world(&with_bob("SAY Ready."));
        world.run("Go").ends(0);
        for letter in 0..LETTERS {
            let text = format!(
                "letter-{letter}.\nDO call send_message {{\"to\":\"lead\",\"content\":\"got-{letter}\"}}\nSAY Read."
            );
            world.teammate(&["send", "bob", &text]).ends(0);
            let mut host = world.start(&["resume", "--permission-mode", "bypass"]);
            thread::sleep(Duration::from_millis(chance.below(160)));
            if !host.is_over() {
                host.signal(Signal::KILL);
                kills += 1;
            }
            host.end();
        }
        world.resume().ends(0);
        let records = records(&world);
        for letter in 0..LETTERS {
            let count = records.matches(&format!("letter-{letter}.")).count();
            assert_eq!(count, 1, "letter-{letter}, {kills} kills: {records}");
        }
        assert!(playing(&world).is_empty());
        world.assert_valid();
        world.assert_at_rest();
    }
    println!("{kills} kills");
    assert!(kills > 0, "nothing was killed: this tests nothing");
}

/// The agent alone is killed in its turn: the turn goes on in the same session.
#[test]
fn an_agent_that_is_killed_in_its_turn_goes_on() {
    let world = world(&with_bob(
        "DO run sh -c 'test -e begun || { touch begun; sleep 20; }'\nSAY Through.",
    ));
    let up = world.start(&["up", "--permission-mode", "bypass"]);
    up.until("is open in process");
    world.teammate(&["send", "lead", "Go"]).ends(0);
    until(
        || world.path("begun").exists(),
        || world.teammate(&["log"]).out,
    );
    for process in playing(&world) {
        let _ = rustix::process::kill_process(process, Signal::KILL);
    }
    until(
        || world.heard("lead").iter().any(|mail| mail.contains("done")),
        || world.teammate(&["log"]).out,
    );
    world.teammate(&["stop"]).ends(0);
    up.end().ends(0);
    let log = world.teammate(&["log"]).ends(0).out;
    assert!(log.contains("the agent was lost"), "{log}");
    assert_eq!(records(&world).matches("Through.").count(), 1);
}
