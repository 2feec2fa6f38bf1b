//! The mouse on a real terminal: taken only where somebody wants it, and given back.

use super::{configured::configure, *};
use crate::play::{Scene as _, bash, play, say};

const TAKEN: &str = "\u{1b}[?1000h\u{1b}[?1006h";
const GIVEN_BACK: &str = "\u{1b}[?1006l\u{1b}[?1000l";

fn asker() -> World {
    full(&play([(
        "lead",
        vec![
            bash("touch ran").after_mail("Ask"),
            say("I wait.").otherwise(),
        ],
    )]))
}

/// A click as a terminal tells of it; column and row are counted from 1.
fn click(terminal: &Terminal, text: &str) {
    let shown = terminal.shows();
    let place = shown.lines().enumerate().find_map(|(row, line)| {
        let begin = line.find(text)?;
        Some((line[..begin].chars().count() + 1, row + 1))
    });
    let (column, row) = place.unwrap_or_else(|| panic!("no {text} in\n{shown}"));
    terminal.keys(&format!(
        "\u{1b}[<0;{column};{row}M\u{1b}[<0;{column};{row}m"
    ));
}

#[test]
fn nobody_takes_the_mouse_unasked() {
    let world = asker();
    let terminal = open(&world);
    terminal.until_prompt("lead", "");
    assert!(!terminal.printed().contains("?1000"));
    terminal.leaves_well();
}

#[test]
fn a_click_goes_there_answers_nothing_and_the_terminal_has_its_mouse_back() {
    let world = asker();
    configure(&world, "[ui]\nmouse = true\n");
    let mut terminal = open(&world);
    terminal.says("Ask");
    terminal.until("1 NEEDS YOU");
    assert!(terminal.printed().contains(TAKEN));
    click(&terminal, " 1 req_");
    terminal.until("[5 Needs]");
    terminal.until("y once");
    // Where the keys that answer are named, too.
    click(&terminal, "y once");
    click(&terminal, "run touch ran");
    click(&terminal, "1 Team");
    terminal.until("[1 Team]");
    assert!(!world.path("ran").exists());
    click(&terminal, "to lead >");
    // A command of one's own has it meanwhile.
    terminal.keys("!true\r");
    terminal.until("Enter goes back");
    assert_eq!(terminal.printed().matches(GIVEN_BACK).count(), 1);
    terminal.keys(ENTER);
    terminal.until("[1 Team]");
    terminal.keys("/quit\r");
    terminal.leaves_paused();
    let printed = terminal.printed();
    assert_eq!(printed.matches(TAKEN).count(), 2);
    assert_eq!(printed.matches(GIVEN_BACK).count(), 2);
}
