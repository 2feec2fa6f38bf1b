//! Ctrl-C at the prompt, and what it means for turns: the user's will, unless it was only the way to leave.

use std::{thread, time::Duration};

use crate::{
    play::{Scene as _, bash, play, say, spawn},
    terminal::Terminal,
    up::{asks, goes_on_and_is_answered},
    world::{World, until},
};

/// What a member reads when its interrupted turn continues.
const GOES_ON: &str = "only to leave the program";

/// A lead and alice, both in a command that takes a minute.
fn two_in_a_turn() -> (World, Terminal) {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("Go"),
                bash("touch lead-works; sleep 60"),
                say("The lead went on.").after(GOES_ON),
                say("I hear you.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("touch alice-works; sleep 60"),
                say("alice went on.").after(GOES_ON),
                say("I hear you.").otherwise(),
            ],
        ),
    ]));
    let terminal = Terminal::open(&world, 100, &["--permission-mode", "bypass"]);
    terminal.types("Go");
    let work = || world.path("lead-works").exists() && world.path("alice-works").exists();
    until(work, || terminal.shows());
    (world, terminal)
}

// fast: leaving
#[test]
fn who_interrupts_only_to_leave_pauses_the_team_and_resume_goes_on_with_everybody() {
    for keys in ["\u{3}\u{3}\u{3}", "\u{3}\u{3}\u{4}", "\u{3}\u{3}/quit\r"] {
        let (world, terminal) = two_in_a_turn();
        terminal.keys(keys);
        terminal.ends(0);
        world
            .teammate(&["team"])
            .ends(0)
            .says("not running; `teammate resume` continues")
            .says("lead   paused")
            .says("alice  paused");
        world.resume().ends(0).says("The lead went on.");
        assert!(
            world.file(".team/events.jsonl").contains("alice went on."),
            "{keys:?}"
        );
        let outcomes = world.outcomes("alice");
        assert!(
            outcomes[0].contains("interrupted by the user"),
            "{outcomes:?}"
        );
        world.assert_at_rest();
    }
}

#[test]
fn a_turn_that_was_interrupted_before_stays_interrupted() {
    let (world, terminal) = two_in_a_turn();
    terminal.keys("\u{3}");
    terminal.until("(Ctrl-C once more interrupts all turns: lead, alice)");
    assert!(
        !terminal.shows().contains("interrupted"),
        "{}",
        terminal.shows()
    );
    terminal.keys("\u{3}");
    terminal.until("[lead] interrupted");
    terminal.until("[alice] interrupted");
    // Longer than two Ctrl-Cs may be apart. Nobody works now: nobody is asked.
    thread::sleep(Duration::from_millis(2_500));
    terminal.keys("\u{3}");
    until(
        || terminal.shows().matches("once more leaves;").count() == 2,
        || terminal.shows(),
    );
    terminal.keys("\u{3}");
    terminal.ends(0);
    let run = world.resume().ends(0);
    assert!(!run.out.contains("went on"), "{run:?}");
    let complaint = "interrupted: lead";
    assert!(run.err.contains(complaint), "{run:?}");
    world.assert_at_rest();
}

#[test]
fn keys_that_come_together_with_ctrl_c_are_not_lost() {
    let (_world, terminal) = two_in_a_turn();
    terminal.keys("half a sentence\u{3}\u{1b}\u{3}\u{3}/team\r");
    terminal.until("Ctrl-C once more leaves; unfinished turns go on next time)");
    terminal.until("  alice (coder): ");
    assert!(
        !terminal.shows().contains("half a sentence"),
        "{}",
        terminal.shows()
    );
    terminal.until("[lead] interrupted");
    terminal.until("[alice] interrupted");
    until(|| terminal.is_at_prompt(), || terminal.shows());
    terminal.keys("/quit\r");
    terminal.ends(0);
}

#[test]
fn keys_that_are_typed_while_a_line_is_worked_on_count_in_their_order() {
    for leaving in ["/quit\r\u{3}", "\u{4}", "\u{3}\u{3}"] {
        let world = World::playing(&play([("lead", vec![say("I wait.").otherwise()])]));
        let terminal = Terminal::open(&world, 100, &["--permission-mode", "bypass"]);
        terminal.types("/tasks add Paint --check \"touch checks; sleep 1\"");
        terminal.until("#1 Paint");
        terminal.types("/tasks complete 1");
        until(|| world.path("checks").exists(), || terminal.shows());
        // No line is read now.
        for key in leaving.chars() {
            terminal.keys(&key.to_string());
        }
        let shown = terminal.ends(0);
        assert!(shown.contains("#1 Paint: completed by user"), "{shown}");
        assert!(!shown.contains("^C"), "{shown}");
    }
}

#[test]
fn who_leaves_working_members_says_whether_they_go_on() {
    let world = asks();
    let terminal = Terminal::open(&world, 100, &["--permission-mode", "ask"]);
    terminal.types("make it");
    terminal.until("asks: run ");
    terminal.types("/quit");
    terminal.until("Members work. Leave how?");
    terminal.types("s");
    terminal.types("hello");
    // Ctrl-D waits for the answer, too.
    until(|| terminal.is_at_prompt(), || terminal.shows());
    terminal.keys("\u{4}");
    until(
        || terminal.shows().matches("Leave how?").count() == 2,
        || terminal.shows(),
    );
    terminal.types("b");
    terminal.until("goes on in the background");
    terminal.ends(0);
    goes_on_and_is_answered(&world);
}

#[test]
fn a_screen_asks_the_same_and_a_pause_is_the_usual_answer() {
    let world = asks().env("TEAMMATE_SCREEN", "full");
    let screen = || Terminal::sized(&world, (24, 80), &["--permission-mode", "ask"]);
    let leaving = |terminal: &Terminal, key: &str| {
        terminal.until("to lead >");
        terminal.keys("/quit\r");
        terminal.until("Members work: p pauses the team");
        terminal.keys(key);
    };
    let terminal = screen();
    terminal.until("to lead >");
    terminal.keys("make it\r");
    terminal.until("1 NEEDS YOU");
    leaving(&terminal, "s");
    terminal.until("to lead >");
    leaving(&terminal, "\r");
    terminal.ends(0);
    world.teammate(&["team"]).ends(0).says("not running");
    let terminal = Terminal::sized(&world, (24, 80), &["resume", "--permission-mode", "ask"]);
    terminal.until("1 NEEDS YOU");
    leaving(&terminal, "b");
    terminal.until("goes on in the background");
    terminal.ends(0);
    goes_on_and_is_answered(&world);
}
