//! `/resume`: another team or another conversation, in the same terminal.

use crate::{
    play::{Scene as _, play, say},
    terminal::Terminal,
    up::{asks, goes_on_and_is_answered},
    world::{World, until},
};

fn world() -> World {
    let scenes = vec![say("You said: {{mail}}").otherwise()];
    World::playing(&play([("lead", scenes)]))
}

#[test]
fn a_plain_prompt_goes_on_with_another_team_and_with_an_earlier_conversation() {
    let world = world();
    let terminal = Terminal::open(&world, 120, &["--permission-mode", "bypass"]);
    terminal.types("hello default");
    terminal.until("You said: hello default");
    terminal.types("/clear");
    terminal.until("Conversation 2 with the lead begins");
    terminal.types("second");
    terminal.until("You said: second");
    terminal.types("/resume c1");
    terminal.until("resumed team 'default': lead");
    terminal.types("/resume c1");
    terminal.until("You are in this conversation already");
    terminal.types("/resume c7");
    terminal.until("There is no conversation 7");
    terminal.quits();

    let terminal = Terminal::open(
        &world,
        120,
        &["--team", "docs", "--permission-mode", "bypass"],
    );
    terminal.types("/resume");
    terminal.until("*  1  ");
    terminal.until("default  not running");
    terminal.until("You said: second");
    terminal.types("/resume 1");
    terminal.until("You are talking with this team already");
    terminal.types("/resume 3");
    terminal.until("There is no team '3' in the list of /resume, which has 2");
    terminal.types("/resume 2");
    // Rights of flags stay with the team that they were given for.
    terminal.until("team 'default' in");
    terminal.until("permission mode ask");
    terminal.types("hello again");
    terminal.until("You said: hello again");
    terminal.quits();
    assert!(world.heard("lead").concat().contains("hello again"));
    world.assert_at_rest();
}

#[test]
fn the_full_screen_goes_on_with_a_team_that_another_process_runs() {
    let world = world();
    let other = Terminal::open(&world, 120, &[]);
    other.until("team 'default'");
    other.types("hello default");
    other.until("You said: hello default");
    let world = world.env("TEAMMATE_SCREEN", "full");
    let terminal = Terminal::sized(&world, (24, 120), &["--team", "docs"]);
    terminal.until(" docs  [1 Team]");
    terminal.keys("/resume\r");
    terminal.until("default  running in process");
    terminal.until("You said: hello default");
    // The list is left, and comes again.
    terminal.keys("\u{1b}");
    terminal.until("── Team: 1");
    terminal.keys("/resume\r");
    terminal.until(" >  default  running in process");
    terminal.keys("\r");
    terminal.until("Attached to the team");
    terminal.keys("\r");
    terminal.until(" default  [1 Team]");
    terminal.keys("hello from the screen\r");
    terminal.until(" You said: hello from the screen");
    other.until("You said: hello from the screen");
    terminal.keys("/quit\r");
    terminal.until("The team goes on");
    other.quits();
    world.assert_at_rest();
}

/// A lead whose command asks first, and a team beside it that rests.
fn asks_beside_another() -> World {
    let world = asks();
    let beside = Terminal::open(&world, 100, &["--team", "docs"]);
    beside.until("team 'docs'");
    beside.quits();
    world
}

#[test]
fn a_plain_prompt_that_goes_on_elsewhere_asks_what_becomes_of_members_that_work() {
    let world = asks_beside_another();
    let terminal = Terminal::open(&world, 120, &["--permission-mode", "ask"]);
    terminal.types("make it");
    terminal.until("asks: run ");
    terminal.types("/resume 2");
    terminal.until("Members work. Leave how?");
    terminal.types("s");
    terminal.types("/resume");
    terminal.until("To choose one: /resume 2");
    terminal.types("/resume 2");
    until(
        || terminal.shows().matches("Leave how?").count() == 2,
        || terminal.shows(),
    );
    terminal.types("b");
    terminal.until("goes on in the background");
    terminal.until("team 'docs' in");
    terminal.quits();
    goes_on_and_is_answered(&world);
}

#[test]
fn a_screen_that_goes_on_elsewhere_asks_the_same_and_forgets_it_if_one_stays() {
    let world = asks_beside_another().env("TEAMMATE_SCREEN", "full");
    let screen = || Terminal::sized(&world, (24, 100), &["--permission-mode", "ask"]);
    let chooses = |terminal: &Terminal, key: &str| {
        terminal.until("to lead >");
        terminal.keys("/resume\r");
        terminal.until(" >  docs  not running");
        terminal.keys("\r");
        terminal.until("Members work: p pauses the team");
        terminal.keys(key);
    };
    let terminal = screen();
    terminal.until("to lead >");
    terminal.keys("make it\r");
    terminal.until("1 NEEDS YOU");
    // Who stays and leaves later goes on with nothing.
    chooses(&terminal, "s");
    terminal.until("to lead >");
    terminal.keys("/quit\r");
    terminal.until("Members work: p pauses the team");
    terminal.keys("p");
    terminal.ends(0);
    world.teammate(&["team"]).ends(0).says("not running");
    let terminal = Terminal::sized(&world, (24, 100), &["resume", "--permission-mode", "ask"]);
    terminal.until("1 NEEDS YOU");
    chooses(&terminal, "b");
    terminal.until(" docs  [1 Team]");
    terminal.keys("/quit\r");
    terminal.until("goes on in the background");
    terminal.ends(0);
    goes_on_and_is_answered(&world);
}
