//! A team without a face, in a process of its own: other processes talk with it, answer it and stop it.

use std::fs;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::{
    play::{Scene as _, bash, play, say},
    world::{World, until},
};

/// A lead that asks before it runs a command, and then says so.
pub(crate) fn asks() -> World {
    World::playing(&play([(
        "lead",
        vec![
            bash("touch made").after("make it"),
            say("It is made.").after("exit code 0"),
            say("I wait.").otherwise(),
        ],
    )]))
}

/// The process that the line names.
fn process(line: &str) -> Pid {
    let (_, rest) = line.split_once("is open in process ").unwrap();
    let number = rest.split(';').next().unwrap().parse().unwrap();
    Pid::from_raw(number).unwrap()
}

fn is_open(world: &World) -> bool {
    let team = world.teammate(&["team"]).ends(0).out;
    team.contains("running in process")
}

/// Waits for the question, and answers it from here.
fn approve(world: &World) {
    until(
        || world.teammate(&["requests"]).out.contains("req_000001"),
        || world.teammate(&["log"]).out,
    );
    world.teammate(&["approve", "1"]).ends(0);
    until(
        || world.path("made").exists(),
        || world.teammate(&["log"]).out,
    );
}

/// The team goes on in the background: its question still waits, and is answered from here.
pub(crate) fn goes_on_and_is_answered(world: &World) {
    assert!(is_open(world), "{}", world.teammate(&["log"]).out);
    approve(world);
    world.teammate(&["stop"]).ends(0);
    world.assert_at_rest();
}

// fast: the verb up
#[test]
fn other_processes_talk_with_it_answer_it_and_stop_it() {
    let world = asks();
    let up = world.start(&["up"]);
    up.until("is open in process");
    world.teammate(&["send", "lead", "make it"]).ends(0);
    approve(&world);
    world.teammate(&["stop"]).ends(0);
    let ended = up.end().ends(0);
    assert_eq!(ended.out.lines().count(), 1, "{}", ended.out);
    assert!(!is_open(&world));
    world.assert_at_rest();
}

#[test]
fn a_signal_pauses_the_team_and_after_a_kill_it_goes_on() {
    let world = asks();
    for signal in [Signal::TERM, Signal::INT] {
        let up = world.start(&["up"]);
        up.until("is open in process");
        up.signal(signal);
        up.end().ends(0);
    }
    let up = world.start(&["up"]);
    up.until("is open in process");
    world.teammate(&["send", "lead", "make it"]).ends(0);
    until(
        || world.teammate(&["requests"]).out.contains("req_000001"),
        || up.err(),
    );
    up.signal(Signal::KILL);
    up.end();
    assert!(!is_open(&world));
    let up = world.start(&["up"]);
    up.until("is open in process");
    approve(&world);
    world.teammate(&["stop"]).ends(0);
    up.end().ends(0);
    world.assert_at_rest();
}

#[test]
fn until_idle_it_ends_when_all_is_done_and_open_questions_are_not() {
    let world = asks();
    world.teammate(&["up", "--until-idle"]).ends(0);
    let mail = ["send", "lead", "make it"];
    world.teammate(&mail).ends(0);
    let up = world.start(&["up", "--until-idle"]);
    approve(&world);
    up.end().ends(0);
    world.assert_at_rest();
}

#[test]
fn in_the_background_it_outlives_its_caller_and_says_why_it_cannot_be_opened() {
    let world = asks();
    let begun = world
        .teammate(&["up", "--detach"])
        .ends(0)
        .says("Its log: ");
    let process = process(&begun.out);
    assert!(is_open(&world));
    let second = world.teammate(&["up", "--detach"]).ends(1);
    assert!(second.err.contains("error: "), "{}", second.err);
    world.teammate(&["up"]).ends(1);
    world.teammate(&["send", "lead", "make it"]).ends(0);
    approve(&world);
    world.teammate(&["stop"]).ends(0);
    until(
        || test_kill_process(process).is_err(),
        || "it runs on".to_owned(),
    );
    let (_, log) = begun.out.split_once("Its log: ").unwrap();
    let data = fs::metadata(log.trim()).unwrap();
    assert_eq!(std::os::unix::fs::MetadataExt::mode(&data) & 0o777, 0o600);

    // Killed, and opened again.
    let again = world.teammate(&["up", "--detach"]).ends(0);
    let process = self::process(&again.out);
    kill_process(process, Signal::KILL).unwrap();
    until(|| !is_open(&world), || "it is still open".to_owned());
    world.teammate(&["up", "--detach"]).ends(0);
    world.teammate(&["stop"]).ends(0);
    world.assert_at_rest();
}
