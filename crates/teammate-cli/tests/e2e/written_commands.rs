//! Commands of the prompt that people wrote down: `.teammate/commands` of the workspace, and `commands` of the user.

use std::fs;

use crate::{
    play::{Scene as _, play, say},
    terminal::Terminal,
    world::{World, until},
};

fn world() -> World {
    let scenes = vec![say("You said: {{mail}}").otherwise()];
    World::playing(&play([("lead", scenes)]))
}

fn put(world: &World, path: &str, text: impl AsRef<[u8]>) {
    let path = world.path(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

const REVIEW: &str = "---\ndescription: Review a branch\nargument-hint: BRANCH\n---\nReview the branch $1 for $ARGUMENTS!\n";

#[test]
fn those_of_the_workspace_speak_only_once_they_are_trusted_and_until_they_change() {
    let world = world();
    put(&world, ".teammate/commands/review.md", REVIEW);
    put(&world, ".teammate/commands/team.md", "Hides the roster");
    put(&world, ".teammate/commands/bad.md", [0xff, 0xfe]);
    // With room for all of it.
    let terminal = Terminal::sized(&world, (200, 120), &[]);
    terminal.until("commands in .teammate/commands are not used (/bad, /review, /team)");
    terminal.types("/review main");
    terminal.until("/review comes with the workspace, which is not trusted as it is now");

    let trusted = world.teammate(&["trust", "--yes"]).ends(0);
    let shown = trusted.says("/review BRANCH");
    let shown = shown.says("    Review the branch $1 for $ARGUMENTS!");
    let shown = shown.says(".teammate/commands/bad.md is not UTF-8 text; it is not used");
    assert!(shown.out.contains("Trusted until"), "{}", shown.out);

    terminal.types("/review main");
    terminal.until("You said: Review the branch main for main!");
    terminal.types("/help");
    terminal.until("BRANCH: Review a branch (of this workspace)");
    terminal.types("/reviewe");
    terminal.until("did you mean /review?");
    terminal.types("/team");
    terminal.until("lead (lead): idle");

    put(&world, ".teammate/commands/review.md", "Push to $1");
    terminal.types("/review main");
    until(
        || terminal.shows().matches("not trusted as it is now").count() == 2,
        || terminal.shows(),
    );
    terminal.quits();
    let heard = world.heard("lead").concat();
    assert!(!heard.contains("Push"), "{heard}");

    let again = Terminal::open(&world, 120, &[]);
    again.until("commands in .teammate/commands are not used");
    again.quits();
    world.assert_at_rest();
}

#[test]
fn the_users_own_complete_and_are_sent_from_the_full_screen() {
    let world = world().env("TEAMMATE_SCREEN", "full");
    put(
        &world,
        "../home/.config/teammate/commands/greet.md",
        "Greet $ARGUMENTS",
    );
    let terminal = Terminal::sized(&world, (24, 80), &[]);
    terminal.until(" to lead >");
    terminal.keys("/gre\t");
    terminal.until(" to lead > /greet");
    terminal.keys(" the world\r");
    terminal.until("says: You said: Greet the world");
    terminal.keys("/help\r");
    terminal.until("Keys and commands");
    terminal.keys("\u{1b}[F\u{1b}[A\u{1b}[A\u{1b}[A");
    terminal.until("Greet $ARGUMENTS (yours)");
    terminal.keys("\r/quit\r");
    until(
        || terminal.shows().contains("Closed the team"),
        || terminal.shows(),
    );
    let heard = world.heard("lead").concat();
    assert!(heard.contains("Greet the world"), "{heard}");
}
