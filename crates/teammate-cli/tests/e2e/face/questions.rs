//! Questions: where they stand, which keys answer them, and which do not.

use super::*;
use crate::play::{Scene as _, bash, play, say};

/// The lead runs something that is asked about, each time the user says so.
fn asker() -> World {
    full(&play([(
        "lead",
        vec![
            bash("echo first >> ran").after_mail("first"),
            bash("echo second >> ran").after_mail("second"),
            bash("echo third >> ran").after_mail("third"),
            say("It said: {{last_result}}").otherwise(),
        ],
    )]))
}

// fast: questions on the full screen
#[test]
fn a_question_is_answered_in_needs_and_letters_at_the_prompt_answer_nothing() {
    let world = asker();
    let terminal = open(&world);
    terminal.says("the first");
    terminal.until("1 NEEDS YOU");
    terminal.until("req_000001");
    // At the prompt they are letters, however long one waits.
    for letter in ["y", "a", "n"] {
        terminal.keys(letter);
    }
    terminal.until_prompt("lead", "yan");
    assert!(!world.path("ran").exists());
    world.teammate(&["requests"]).ends(0).says("req_000001");

    terminal.keys(CTRL_N);
    terminal.until("lead asks: run echo first >> ran");
    terminal.until("     echo first >> ran");
    // Neither Enter nor Space answers.
    terminal.keys(" ");
    terminal.keys(ENTER);
    terminal.until_prompt("lead", "yan");
    terminal.presses("y", |_| world.path("ran").exists());
    terminal.until("Nothing needs you");
    terminal.until(" yes      req_000001 lead: run echo first >> ran");
    terminal.keys(TAB);
    terminal.keys(CTRL_U);
    terminal.until_prompt("lead", "");
    until(
        || world.outcomes("lead").len() == 1,
        || "no outcome".to_owned(),
    );
    assert_eq!(world.file("ran"), "first\n");

    // No is no.
    terminal.says("the second");
    terminal.until("1 NEEDS YOU");
    terminal.keys(CTRL_N);
    terminal.until("     echo second >> ran");
    terminal.presses("n", |terminal| {
        terminal.shows().contains("Nothing needs you")
    });
    terminal.keys(TAB);
    terminal.leaves_well();
    assert_eq!(world.file("ran"), "first\n");
    let outcomes = world.outcomes("lead");
    assert!(outcomes[1].contains("the user denied it"), "{outcomes:?}");
    world.assert_at_rest();
}

#[test]
fn each_answer_says_which_it_was_and_a_refusal_stands_in_the_place_of_the_yes_before() {
    let world = asker();
    let terminal = open(&world);
    terminal.says("the first");
    terminal.until("1 NEEDS YOU");
    terminal.keys(CTRL_N);
    terminal.until("     echo first >> ran");
    terminal.presses("y", |terminal| {
        terminal
            .shows()
            .contains("allowed once: req_000001, run echo first >> ran")
    });
    terminal.keys(TAB);
    terminal.says("the second");
    terminal.until("1 NEEDS YOU");
    terminal.keys(CTRL_N);
    terminal.until("     echo second >> ran");
    terminal.presses("w", |terminal| {
        terminal.shows().contains(" to lead > /deny req_000002")
    });
    terminal.keys("not this way\r");
    terminal.until("denied: req_000002, run echo second >> ran");
    assert!(
        !terminal.shows().contains("allowed once"),
        "{}",
        terminal.shows()
    );
    terminal.leaves_well();
    assert_eq!(world.file("ran"), "first\n");
}

#[test]
fn an_attached_screen_says_it_too() {
    let world = asker();
    let host = world.start(&["up"]);
    host.until("is open in process");
    let terminal = super::attached::attach(&world);
    terminal.says("the third");
    terminal.until("1 NEEDS YOU");
    terminal.keys(CTRL_N);
    terminal.until("     echo third >> ran");
    terminal.presses("n", |terminal| {
        terminal
            .shows()
            .contains("denied: req_000001, run echo third >> ran")
    });
}

#[test]
fn who_answers_second_is_told_who_was_first() {
    let world = asker();
    let terminal = open(&world);
    terminal.says("the first");
    terminal.until("1 NEEDS YOU");
    terminal.keys(CTRL_N);
    terminal.until("     echo first >> ran");
    world.teammate(&["approve", "req_000001"]).ends(0);
    terminal.until("Nothing needs you");
    terminal.presses("n", |terminal| {
        let told = "req_000001 is already settled (approved by the user";
        terminal.shows().contains(told)
    });
    until(
        || world.outcomes("lead").len() == 1,
        || "no outcome".to_owned(),
    );
    assert_eq!(world.file("ran"), "first\n");
    terminal.keys(TAB);
    terminal.leaves_well();
}

#[test]
fn no_and_why_is_heard_as_the_reason() {
    let world = asker();
    let terminal = open(&world);
    terminal.says("the third");
    terminal.until("1 NEEDS YOU");
    terminal.keys(CTRL_N);
    terminal.until("     echo third >> ran");
    terminal.presses("w", |terminal| {
        terminal.shows().contains(" to lead > /deny req_000001")
    });
    terminal.keys("too early\r");
    until(|| world.outcomes("lead").len() == 1, || terminal.shows());
    let outcomes = world.outcomes("lead");
    assert!(outcomes[0].contains("too early"), "{outcomes:?}");
    terminal.leaves_well();
    assert!(!world.path("ran").exists());
}
