//! Opening, talking, looking at the six screens, and leaving.

use super::*;
use crate::play::{Scene as _, play, say};

/// What the lead answers.
const ANSWER: &str = "Yes. **Three** places copy:\n\n1. `Token::text` is a String\n2. the lexer\n";

fn talker() -> World {
    full(&play([(
        "lead",
        vec![
            say(ANSWER).after_mail("Which places"),
            say("I wait.").otherwise(),
        ],
    )]))
}

// fast: the full screen
#[test]
fn words_are_heard_and_answered_and_leaving_leaves_the_last_ones() {
    let world = talker();
    let terminal = open(&world);
    terminal.until_prompt("lead", "");
    terminal.until("[1 Team]");
    terminal.until(" live");
    // The cursor stands behind the prompt.
    let is_behind = |(row, column): (u16, u16)| {
        let shown = terminal.shows();
        column == 11 && shown.lines().nth(row.into()) == Some(" to lead >")
    };
    until(
        || terminal.cursor().is_some_and(is_behind),
        || format!("{:?}\n{}", terminal.cursor(), terminal.shows()),
    );

    terminal.says("Which places?");
    terminal.until("acted \"Which places?\"");
    terminal.keys(F2);
    terminal.until("[2 lead]");
    terminal.until("heard from you");
    // Markdown is drawn, not shown.
    terminal.until(" Yes. Three places copy:");
    terminal.until("1. Token::text is a String");
    assert!(!terminal.shows().contains("**"), "{}", terminal.shows());
    assert_eq!(world.heard("lead"), ["user message: Which places?"]);

    let shown = terminal.leaves_well();
    for text in [
        "Yes. **Three** places copy:",
        "2. the lexer",
        "teammate resume",
    ] {
        assert!(shown.contains(text), "'{text}' is not in\n{shown}");
    }
    assert!(!shown.contains("[2 lead]"), "{shown}");
    world.assert_at_rest();
}

#[test]
fn what_comes_in_one_go_is_taken_whole() {
    let world = talker();
    let terminal = open(&world);
    terminal.until_prompt("lead", "");
    // More than one read of the keys holds.
    let text = format!("{}end", "many words ".repeat(400));
    terminal.keys(&text);
    terminal.until("words end");
    terminal.keys(ENTER);
    terminal.until("says: I wait.");
    assert_eq!(world.heard("lead"), [format!("user message: {text}")]);
    terminal.leaves_well();
}

#[test]
fn function_keys_and_alt_with_digits_show_the_six_screens() {
    let world = talker();
    let terminal = open(&world);
    terminal.until_prompt("lead", "");
    terminal.keys("half a word");
    let titles = [
        "[1 Team]",
        "[2 lead]",
        "[3 Board]",
        "[4 Mail]",
        "[5 Needs]",
        "[6 Cost]",
    ];
    let function_keys = [F1, F2, "\u{1b}OR", "\u{1b}OS", "\u{1b}[15~", "\u{1b}[17~"];
    for (key, title) in function_keys.into_iter().zip(titles) {
        terminal.keys(key);
        terminal.until(title);
    }
    for (number, title) in (1..).zip(titles) {
        terminal.keys(&format!("\u{1b}{number}"));
        terminal.until(title);
    }
    // None of it was typed, and none of it touched what was.
    terminal.until_prompt("lead", "half a word");
    terminal.keys(CTRL_U);
    terminal.leaves_well();
}

#[test]
fn ctrl_d_on_the_empty_prompt_leaves() {
    let world = talker();
    let mut terminal = open(&world);
    terminal.until_prompt("lead", "");
    assert!(!terminal.is_restored(), "it edits lines itself");
    terminal.keys("abc");
    terminal.until_prompt("lead", "abc");
    // With something typed it deletes, here nothing.
    terminal.keys(CTRL_D);
    terminal.keys("d");
    terminal.until_prompt("lead", "abcd");
    terminal.keys(CTRL_U);
    terminal.until_prompt("lead", "");
    terminal.keys(CTRL_D);
    assert_eq!(terminal.leaves().code(), Some(0), "{}", terminal.shows());
    assert!(terminal.is_restored());
    assert!(
        terminal.printed().contains("\u{1b}[?1049l"),
        "the alternate screen stays"
    );
}

#[test]
fn ctrl_c_twice_leaves_and_sets_aside_what_is_typed_first() {
    let world = talker();
    let mut terminal = open(&world);
    terminal.until_prompt("lead", "");
    terminal.keys("a draft");
    terminal.until_prompt("lead", "a draft");
    terminal.keys(CTRL_C);
    terminal.until("Set aside: Up brings it back");
    terminal.keys(UP);
    terminal.until_prompt("lead", "a draft");
    terminal.keys(CTRL_U);
    terminal.until_prompt("lead", "");
    // Within two seconds, however slow this machine is: again until it counts.
    terminal.presses("\u{3}\u{3}", Terminal::is_restored);
    assert_eq!(terminal.leaves().code(), Some(0), "{}", terminal.shows());
}
