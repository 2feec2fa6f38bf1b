//! `/resume`: another team or another conversation, in the same terminal.

use crate::{
    play::{Scene as _, play, say},
    terminal::Terminal,
    world::World,
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
    terminal.keys("\r/resume 2\r");
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
