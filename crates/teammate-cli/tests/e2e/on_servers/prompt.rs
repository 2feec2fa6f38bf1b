//! The plain prompt, attached to a team that workers run.

use rustix::process::Signal;

use super::{begun, joined, worker, worker_with};
use crate::{
    play::{Scene as _, bash, play, say, spawn},
    terminal::Terminal,
    world::{World, until},
};

/// A lead that asks before it runs something, and has alice wait.
pub(crate) fn asking() -> World {
    World::playing(&play([
        (
            "lead",
            vec![
                bash("echo a flame | tee lamp.txt").after_mail("light it"),
                spawn([("alice", "coder", "Watch the lamp")]).after_mail("have it watched"),
                say("It is lit.").after("a flame"),
                say("You said: {{mail}}").after_mail("hello").again(),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("echo looks > looked; sleep 600").after("Watch the lamp"),
                say("I rest.").otherwise(),
            ],
        ),
    ]))
}

#[test]
fn the_plain_prompt_tells_of_workers_that_come_and_go() {
    let Some((server, world, dir)) = begun(asking()) else {
        return;
    };
    let full = ["--permission-mode", "bypass", "--places", "1"];
    let one = worker_with(&world, &server, dir.path(), "one", &full);
    one.until("team lamps: holds lead");
    let two = worker(&world, &server, dir.path(), "two");
    joined(&world, "two", &two);
    let talk = Terminal::open(&world, 120, &["--team", "lamps"]);
    talk.until("Attached to the team on 2 workers");
    talk.keys("have it watched\r");
    two.until("team lamps: holds alice");
    until(|| dir.path().join("two/looked").exists(), || two.err());
    talk.keys("/team\r");
    talk.until("on worker two");

    // Of a worker that is suspended the prompt says so. Worker one has no place for its member.
    two.signal(Signal::STOP);
    talk.until("worker 'two' does not answer; it has alice");
    two.signal(Signal::CONT);
    talk.until("worker 'two' answers again");

    let three = worker(&world, &server, dir.path(), "three");
    joined(&world, "three", &three);
    two.signal(Signal::STOP);
    talk.until("worker 'three' has taken it over");
    two.signal(Signal::CONT);

    talk.keys("hello\r");
    talk.until("You said: hello");

    // Also when none of them answers.
    let all = [&one, &two, &three];
    all.iter().for_each(|worker| worker.signal(Signal::STOP));
    talk.until("worker 'one' does not answer; it has lead");
    all.iter().for_each(|worker| worker.signal(Signal::CONT));
    talk.until("worker 'one' answers again");

    world
        .teammate(&["stop", "--now", "--team", "lamps"])
        .ends(0);
    talk.until("nobody runs the team now");
}
