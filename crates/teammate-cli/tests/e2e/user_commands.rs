//! `!COMMAND`: what the user runs at the prompt.

use std::fs;

use crate::{
    play::{Scene as _, bash, play, say},
    protocols::runs,
    terminal::Terminal,
    world::{World, until},
};

fn world() -> World {
    let scenes = vec![
        bash("echo theirs >> ../outside; cat ../outside").after("Try"),
        say("You said: {{mail}}").otherwise(),
    ];
    World::playing(&play([("lead", scenes)]))
}

// fast: commands of the user at the prompt
#[test]
fn it_runs_outside_of_the_sandbox_and_no_member_sees_it() {
    let world = world().env("OF_THE_USER", "known");
    let terminal = Terminal::open(&world, 100, &["--permission-mode", "bypass"]);
    terminal.types("!pwd; echo $OF_THE_USER | tee ../outside");
    let work = world.work();
    terminal.until(&work.display().to_string());
    until(|| world.path("../outside").exists(), || terminal.shows());
    terminal.types("Try");
    terminal.until("You said:");
    terminal.quits();
    assert_eq!(
        fs::read_to_string(world.path("../outside")).unwrap(),
        "known\n"
    );
    assert_eq!(world.outcomes("lead"), ["theirs\nexit status 0"]);
    let heard = world.heard("lead").concat();
    assert!(!heard.contains("OF_THE_USER"), "{heard}");
}

#[test]
fn it_has_the_keyboard_until_it_ends() {
    let world = world();
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.types("!echo re''ady; read word; echo \"<$word>\"; exit 3");
    terminal.until("ready");
    terminal.keys("typed\n");
    terminal.until("<typed>");
    terminal.until("(exit status: 3)");
    terminal.types("Hello");
    terminal.until("You said: Hello");
    terminal.quits();
}

#[test]
fn ctrl_c_ends_it_and_no_turn() {
    let world = world();
    let terminal = Terminal::open(&world, 100, &[]);
    // No shell is left that could miss the signal between two commands.
    let seconds = format!("1000.{}", std::process::id());
    // The quotes keep the shell from being taken for the program.
    terminal.types(&format!("!exec sle''ep {seconds}"));
    until(|| runs(&format!("sleep {seconds}")), || terminal.shows());
    terminal.keys("\u{3}");
    terminal.until("(signal: 2 (SIGINT))");
    terminal.types("Hello");
    terminal.until("You said: Hello");
    assert!(
        !terminal.shows().contains("Ctrl-C once more"),
        "{}",
        terminal.shows()
    );
    terminal.quits();
}
