//! What is typed: drafts, history and pastes, over the ends of processes.

use std::{fs, os::unix::fs::PermissionsExt as _};

use super::*;
use crate::{
    play::{Scene as _, play, say, spawn},
    world::files,
};

fn team() -> World {
    full(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after_mail("Spawn alice"),
                say("Well.").otherwise(),
            ],
        ),
        ("alice", vec![say("Ready.").otherwise()]),
    ]))
}

/// Turns the prompt of the team's screen to alice, who is the second in it.
fn turn_to_alice(terminal: &Terminal) {
    terminal.until("[1 Team]");
    terminal.until(" alice ");
    for key in [TAB, DOWN, ENTER] {
        terminal.keys(key);
    }
    terminal.until("[2 alice]");
}

#[test]
fn drafts_survive_a_crash_for_each_recipient() {
    let world = team();
    let mut terminal = open(&world);
    terminal.says("Spawn alice");
    terminal.until("says: Ready.");
    terminal.until_prompt("lead", "");
    terminal.keys("for the lead");
    terminal.until_prompt("lead", "for the lead");
    turn_to_alice(&terminal);
    terminal.until_prompt("alice", "");
    terminal.keys("for alice");
    terminal.until_prompt("alice", "for alice");
    let drafts = world.path("../home/.local/state/teammate/drafts");
    let kept = || {
        let texts = files(&drafts).into_iter().map(fs::read_to_string);
        texts.filter_map(Result::ok).collect::<String>()
    };
    until(
        || kept().contains("for the lead") && kept().contains("for alice"),
        kept,
    );
    for file in files(&drafts) {
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
    terminal.crash();

    let terminal = open(&world);
    terminal.until_prompt("lead", "for the lead");
    turn_to_alice(&terminal);
    terminal.until_prompt("alice", "for alice");
    // What the new process sends again is shown once.
    terminal.comes_to_rest();
    let letters = terminal.shows().matches("-> lead: Ready.").count();
    assert_eq!(letters, 1, "{}", terminal.shows());
    terminal.keys(TAB);
    terminal.keys(ENTER);
    terminal.until("acted \"for alice\"");
    assert!(
        world
            .heard("alice")
            .contains(&"user message: for alice".to_owned())
    );
    // What was sent is no draft any more.
    until(|| !kept().contains("for alice"), kept);
    assert!(kept().contains("for the lead"));
}

#[test]
fn what_was_sent_is_there_in_the_next_process() {
    let world = team();
    let terminal = open(&world);
    terminal.says("the first words");
    terminal.says("the other words");
    terminal.until("acted \"the other words\"");
    terminal.leaves_well();

    let terminal = open(&world);
    terminal.until_prompt("lead", "");
    // "/quit" was the last.
    terminal.keys(UP);
    terminal.until_prompt("lead", "/quit");
    terminal.keys(UP);
    terminal.until_prompt("lead", "the other words");
    terminal.keys(CTRL_U);
    terminal.until_prompt("lead", "");
    terminal.keys(CTRL_R);
    terminal.keys("first");
    terminal.until("search \"first\" > the first words");
    // Enter takes it and sends nothing.
    terminal.keys(ENTER);
    terminal.until_prompt("lead", "the first words");
    terminal.keys(CTRL_U);
    terminal.leaves_well();
    assert_eq!(world.heard("lead").len(), 2);
}

#[test]
fn a_long_paste_is_one_chip_and_is_heard_whole() {
    let world = team();
    let terminal = open(&world);
    terminal.until_prompt("lead", "");
    let lines: Vec<String> = (1..=60)
        .map(|number| format!("pasted line {number}"))
        .collect();
    let text = lines.join("\n");
    terminal.keys("see ");
    terminal.until_prompt("lead", "see ");
    terminal.keys(&format!("\u{1b}[200~{text}\u{1b}[201~"));
    terminal.until_prompt("lead", "see [pasted 60 lines]");
    // It is text with line ends, and none of them sends it.
    terminal.keys("!");
    terminal.until_prompt("lead", "see [pasted 60 lines]!");
    assert!(!world.path(".team/agents/lead").exists() || world.heard("lead").is_empty());
    terminal.keys(ENTER);
    terminal.until("says: Well.");
    assert_eq!(world.heard("lead"), [format!("user message: see {text}!")]);
    terminal.leaves_well();
}
