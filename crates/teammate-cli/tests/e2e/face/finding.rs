//! Looking for text on the screen, and opening files of calls.

use std::fs;

use super::*;
use crate::play::{Scene as _, bash, play, say};

/// The lead runs something that prints more than is shown.
fn counter() -> World {
    full(&play([(
        "lead",
        vec![
            bash("seq 1 30000").after_mail("Count"),
            say("Counted.").otherwise(),
        ],
    )]))
}

/// The lead's story, with the keys going to it, once it has counted.
fn counted(world: &World) -> Terminal {
    let terminal = Terminal::sized(world, SIZE, &["--permission-mode", "bypass"]);
    terminal.says("Count");
    terminal.until("says: Counted.");
    terminal.keys(F2);
    terminal.until("[2 lead]");
    terminal.keys(TAB);
    terminal
}

#[test]
fn a_word_is_found_in_a_fold_and_the_prompt_keeps_its_draft() {
    let world = counter();
    let terminal = counted(&world);
    assert!(!terminal.shows().contains("     29999"));
    terminal.keys("/29999");
    terminal.until(" find > 29999");
    terminal.keys(ENTER);
    terminal.until("\"29999\": 1 of 1");
    terminal.until("     29999");
    terminal.keys("/no such words\r");
    terminal.until("Nothing here has \"no such words\" in it");
    terminal.keys(TAB);
    terminal.leaves_well();
}

#[test]
fn the_file_of_a_long_output_is_opened_in_the_editor() {
    let world = counter().env("EDITOR", "sh -c 'cp \"$1\" ~/opened; pwd > ~/place' editor");
    let terminal = counted(&world);
    terminal.keys("o");
    let opened = world.path("../home/opened");
    let text = || fs::read_to_string(&opened).unwrap_or_default();
    until(|| text().ends_with("30000\n"), || terminal.shows());
    let home = fs::canonicalize(world.path("../home")).unwrap();
    let place = || fs::read_to_string(world.path("../home/place")).unwrap_or_default();
    until(|| place().trim_end() == home.display().to_string(), place);
    terminal.until("[2 lead]");
    terminal.keys(TAB);
    terminal.leaves_well();
}

#[test]
fn without_an_editor_it_is_said_which_file_it_is() {
    let world = counter();
    let terminal = counted(&world);
    terminal.keys("o");
    terminal.until("It is /");
    terminal.keys(TAB);
    terminal.leaves_well();
}
