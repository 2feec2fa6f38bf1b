//! `teammate watch`: looking at a team that nobody has to run, and at earlier moments of it.

use super::*;
use crate::play::{Scene as _, play, say};

fn team() -> World {
    full(&play([(
        "lead",
        vec![say("You said: {{mail}}").after_mail("").again()],
    )]))
}

/// Looks, and closes the note about that.
fn watch(world: &World, arguments: &[&str]) -> Terminal {
    let terminal = Terminal::sized(world, SIZE, &[&["watch"], arguments].concat());
    terminal.until("No process runs this team");
    terminal.keys(ENTER);
    terminal.until("[1 Team]");
    terminal
}

// fast: the verb watch
#[test]
fn a_paused_team_is_shown_as_it_was_left_and_at_any_moment() {
    let world = team();
    let host = open(&world);
    host.says("one");
    host.until("says: You said: one");
    host.says("two");
    host.until("says: You said: two");
    host.leaves_well();

    let now = watch(&world, &[]);
    now.until("says: You said: two");
    assert!(now.shows().contains("closed"), "{}", now.shows());
    // A day ago there was nothing; the end is now again.
    now.keys("/at 1d\r");
    now.until("PAST");
    now.until_gone("You said: one");
    now.keys("/at tomorrow\r");
    now.until("write how long ago");
    now.keys(CTRL_C);
    now.until_prompt("lead", "");
    now.keys("/at 0s\r");
    now.until("says: You said: two");
    let left = now.leaves_well();
    assert!(left.contains("The team is as it was"), "{left}");

    let before = watch(&world, &["--at", "1d"]);
    before.until("PAST");
    assert!(!before.shows().contains("You said"), "{}", before.shows());
    before.leaves_well();
    world.assert_at_rest();
}

#[test]
fn without_a_screen_it_names_what_shows_lines() {
    let world = team();
    world
        .teammate(&["watch"])
        .ends(1)
        .complains("there is no team");
    world.run("hello").ends(0);
    world
        .teammate(&["watch"])
        .ends(2)
        .complains("`teammate log -f`");
    world
        .teammate(&["watch", "--at", "soon"])
        .ends(2)
        .complains("a time of day like 14:05");
}
