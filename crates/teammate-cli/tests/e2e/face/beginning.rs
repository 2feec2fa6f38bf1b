//! Somebody's first minute: the welcome, lists while typing, the palette, `?`, and Ctrl-C where members work.

use super::*;
use crate::play::{Scene as _, bash, play, say};

const CTRL_P: &str = "\u{10}";

fn beginner() -> World {
    full(&play([(
        "lead",
        vec![
            bash("touch works; sleep 60").after_mail("Work"),
            say("I hear you.").otherwise(),
        ],
    )]))
}

// fast: the first minute
#[test]
fn who_opens_a_team_in_an_empty_directory_is_shown_how_to_begin() {
    let world = beginner();
    let terminal = open(&world);
    terminal.until("You talk with the lead.");
    terminal.until("\"Build a small web page with a to-do list; another teammate tests it.\"");
    terminal.until("Mode ask: looking is free");
    terminal.until("Ctrl-P finds every command");
    // The keys that it names do what it says.
    terminal.keys("?");
    terminal.until("── Keys and commands ──");
    terminal.keys("?");
    terminal.until("You talk with the lead.");
    terminal.keys(CTRL_P);
    terminal.keys("shows the task");
    terminal.until(" > /board");
    terminal.keys(ENTER);
    terminal.until("[3 Board]");
    terminal.keys("/bo");
    terminal.until("   /board ");
    terminal.keys(CTRL_U);
    terminal.keys(F1);
    terminal.until("You talk with the lead.");
    terminal.says("Hello");
    terminal.until("says: I hear you.");
    terminal.until_gone("You talk with the lead.");
    terminal.leaves_well();
    // Who comes back goes on with what was said.
    let terminal = open(&world);
    terminal.until("says: I hear you.");
    assert!(
        !terminal.shows().contains("You talk with"),
        "{}",
        terminal.shows()
    );
}

#[test]
fn the_plain_prompt_has_the_examples_as_long_as_nobody_has_talked() {
    let world = World::playing(&play([("lead", vec![say("I hear you.").otherwise()])]));
    std::fs::write(world.path("notes.txt"), "").unwrap();
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.until("Say what to do, for example:");
    terminal.until("  \"What is in this directory?\"");
    terminal.types("Hello");
    terminal.until("[lead] I hear you.");
    terminal.quits();
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.until("Type to talk with the lead");
    terminal.until("> Hello");
    assert!(
        !terminal.shows().contains("for example"),
        "{}",
        terminal.shows()
    );
}

#[test]
fn a_second_screen_shows_the_team_at_once() {
    let world = beginner();
    let host = open(&world);
    host.says("Hello");
    host.until("says: I hear you.");
    let guest = open(&world);
    guest.until("Attached to the team that process");
    let shown = guest.shows();
    assert!(shown.contains("── Team: 1, 0 work"), "{shown}");
    assert!(shown.contains("says: I hear you."), "{shown}");
}

#[test]
fn ctrl_c_asks_where_a_member_works_and_interrupts_by_the_second_press() {
    let world = beginner();
    let terminal = Terminal::sized(&world, SIZE, &["--permission-mode", "bypass"]);
    terminal.says("Work");
    until(|| world.path("works").exists(), || terminal.shows());
    terminal.until_prompt("lead", "");
    terminal.keys(CTRL_C);
    terminal.until("Ctrl-C once more interrupts all turns: lead");
    assert!(world.outcomes("lead").is_empty(), "{}", terminal.shows());
    terminal.keys(CTRL_C);
    terminal.until("Interrupted all turns");
    until(|| world.outcomes("lead").len() == 1, || terminal.shows());
    assert!(world.outcomes("lead")[0].contains("interrupted"));
}
