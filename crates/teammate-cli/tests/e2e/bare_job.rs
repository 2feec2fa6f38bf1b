//! A job without the verb `run`: as a text, and after `-p`.

use std::{io::Write as _, process::Stdio};

use serde_json::Value;

use crate::{
    play::{Scene as _, play, say},
    terminal::Terminal,
    world::World,
};

fn echo() -> World {
    World::playing(&play([(
        "lead",
        vec![say("You said: {{mail}}").otherwise()],
    )]))
}

// fast: a job in place of a verb
#[test]
fn a_text_in_place_of_a_command_is_a_job_where_there_is_no_terminal() {
    for words in [
        &["fix it"][..],
        &["fix", "it"],
        &["--", "fix", "it"],
        &["--continue", "fix it"],
    ] {
        let world = echo();
        world.teammate(words).ends(0).says("You said: fix it");
        assert_eq!(world.heard("lead"), ["user message: fix it"], "{words:?}");
    }
}

#[test]
fn print_is_run_with_its_flags() {
    let world = echo();
    world.teammate(&["-p", "fix"]).ends(0).says("You said: fix");
    let run = world
        .teammate(&["--output-format", "json", "--print", "more", "--continue"])
        .ends(0);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(result["result"], "You said: more");
    assert_eq!(world.heard("lead").len(), 2);
}

#[test]
fn what_is_piped_to_print_is_added_to_the_job_or_is_the_job() {
    for (words, heard) in [
        (
            &["-p", "explain"][..],
            "explain\n\n<stdin from=\"standard input\">\nerror 3\n</stdin>",
        ),
        (&["-p"], "error 3\n"),
    ] {
        let world = echo();
        let mut command = world.command(words);
        command.stdin(Stdio::piped());
        let mut run = world.launch(command);
        run.stdin().write_all(b"error 3\n").unwrap();
        run.end().ends(0);
        assert_eq!(world.heard("lead"), [format!("user message: {heard}")]);
    }
}

#[test]
fn a_word_that_is_nearly_a_verb_gets_a_tip_and_another_one_says_how_to_give_a_job() {
    let world = World::with_model("");
    for slip in [&["tem"][..], &["sned", "alice", "hi"]] {
        let run = world.teammate(slip).ends(2).complains("tip: ");
        assert!(!run.err.contains("to give the lead a job"), "{}", run.err);
    }
    world
        .teammate(&["frobnicate"])
        .ends(2)
        .complains("to give the lead a job: teammate run \"...\"");
    world
        .teammate(&["fix it", "--no-such"])
        .ends(2)
        .complains("'--no-such'");
    assert!(!world.path(".team").exists());
}

#[test]
fn a_text_at_a_terminal_is_the_first_message_at_the_prompt() {
    let world = echo();
    let terminal = Terminal::open(&world, 80, &["fix it"]);
    terminal.until("You said: fix it");
    terminal.types("and that");
    terminal.until("You said: and that");
    terminal.quits();
    assert_eq!(
        world.heard("lead"),
        ["user message: fix it", "user message: and that"]
    );
    // It goes on where the prompt was.
    let terminal = Terminal::open(&world, 80, &["once", "more"]);
    terminal.until("You said: once more");
    terminal.quits();
    assert_eq!(world.heard("lead").len(), 3);
    world.assert_at_rest();
}
