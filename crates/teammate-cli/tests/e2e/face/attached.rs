//! A second `teammate` of the same team: it sees, answers and speaks, and its end ends nothing.

use super::*;
use crate::play::{Scene as _, bash, play, say};

fn team() -> World {
    full(&play([(
        "lead",
        vec![
            bash("echo ran >> ran").after_mail("Run it"),
            say("You said: {{mail}}").after_mail("hello").again(),
            say("Well.").otherwise(),
        ],
    )]))
}

/// Attaches, and closes the note about that.
pub(crate) fn attach(world: &World) -> Terminal {
    let terminal = open(world);
    until_attached(&terminal);
    terminal
}

/// Closes the note about that, once it is there.
pub(super) fn until_attached(terminal: &Terminal) {
    terminal.until("Attached to the team");
    terminal.keys(ENTER);
    terminal.until("[1 Team]");
    terminal.until_prompt("lead", "");
}

// fast: an attached screen
#[test]
fn a_second_screen_sees_answers_and_speaks_and_its_end_ends_nothing() {
    let world = team();
    let host = open(&world);
    host.until_prompt("lead", "");
    let guest = attach(&world);

    host.says("hello from the host");
    guest.until("says: You said: hello from the host");
    guest.says("hello from the guest");
    for terminal in [&host, &guest] {
        terminal.until("says: You said: hello from the guest");
    }

    host.says("Run it");
    guest.until("1 NEEDS YOU");
    guest.keys(CTRL_N);
    guest.until("     echo ran >> ran");
    guest.presses("y", |_| world.path("ran").exists());
    host.until_gone("NEEDS YOU");
    until(
        || world.outcomes("lead").len() == 1,
        || "no outcome".to_owned(),
    );
    assert_eq!(world.file("ran"), "ran\n");

    // Leaving one, and killing another, costs the team nothing.
    guest.until("Nothing needs you");
    guest.keys(TAB);
    let left = guest.leaves_well();
    assert!(left.contains("The team goes on"), "{left}");
    let mut killed = attach(&world);
    killed.keys("hello, half");
    killed.until_prompt("lead", "hello, half");
    killed.crash();
    host.says("hello again");
    host.until("says: You said: hello again");
    host.leaves_well();
    world.assert_at_rest();
}

#[test]
fn a_host_that_is_killed_goes_on_with_resume() {
    let world = team();
    let mut host = open(&world);
    host.says("Run it");
    host.until("1 NEEDS YOU");
    let guest = attach(&world);
    guest.until("1 NEEDS YOU");
    host.crash();
    guest.until("closed");
    assert!(!world.path("ran").exists());

    let host = Terminal::sized(&world, SIZE, &["resume"]);
    host.until("NEEDS YOU");
    host.keys(CTRL_N);
    host.until("     echo ran >> ran");
    host.presses("y", |_| world.path("ran").exists());
    host.keys(TAB);
    // The one that was attached goes on with the new host.
    guest.until_gone("NEEDS YOU");
    host.keys(F1);
    guest.says("hello from the guest");
    host.until("says: You said: hello from the guest");
    guest.leaves_well();
    host.leaves_well();
    assert_eq!(world.file("ran"), "ran\n");
    world.assert_at_rest();
}

#[test]
fn every_command_works_in_a_screen_that_is_attached() {
    let world = team();
    let host = open(&world);
    host.until_prompt("lead", "");
    let guest = attach(&world);
    for (typed, shown) in [
        ("/tasks add Write the docs", "#1 Write the docs"),
        ("/model", "scripted:"),
        ("/effort low", "effort low"),
        ("/inbox", "inbox is empty"),
        ("/rules", "No rules"),
        ("/requests req_000009", "there is no request"),
        ("/interrupt", "Interrupted all turns"),
        ("/recall", "Nothing that you said to lead waits"),
        ("/compact nobody", "there is no member 'nobody'"),
        ("/context", "lead: no answer yet"),
        ("/status", "runs in"),
        ("/export", "Written: "),
        ("/teem", "did you mean /team?"),
    ] {
        guest.says(typed);
        guest.until(shown);
        // Where several lines answer they stand over the screen.
        guest.keys(ENTER);
    }
    host.keys("\u{1b}3");
    host.until("#1 Write the docs");
    host.keys(F1);
    guest.leaves_well();
    host.leaves_well();
    world.assert_at_rest();
}

#[test]
fn the_plain_prompt_attaches_too() {
    let world = team();
    let host = open(&world);
    host.until_prompt("lead", "");
    let guest = Terminal::sized(&world, SIZE, &["--plain"]);
    guest.until("Attached to the team");
    guest.types("hello from the guest");
    guest.until("You said: hello from the guest");
    host.until("says: You said: hello from the guest");
    host.says("Run it");
    guest.until("[y] yes  [n] no");
    // What is typed with the question counts for it alone.
    guest.types("y");
    until(|| world.path("ran").exists(), || guest.shows());
    guest.types("/tasks add Write the docs");
    guest.until("#1 Write the docs");
    guest.quits();
    host.says("hello again");
    host.until("says: You said: hello again");
    host.leaves_well();
    assert_eq!(world.file("ran"), "ran\n");
    world.assert_at_rest();
}

#[test]
fn a_plain_prompt_leaves_when_its_host_is_killed() {
    let world = team();
    let mut host = open(&world);
    host.until_prompt("lead", "");
    let mut guest = Terminal::sized(&world, SIZE, &["--plain"]);
    guest.until("Attached to the team");
    host.crash();
    guest.until("The process that ran the team has ended");
    guest.leaves();
}
