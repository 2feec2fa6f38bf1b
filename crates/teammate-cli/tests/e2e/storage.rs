//! A disk that takes no more: the run ends with an error, and goes on when there is room.

use std::process::Command;

use serde_json::Value;
use teammate_core::mail::INBOX_BYTES_MAX;

use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::{Run, World},
};

/// No file may grow beyond 32 KiB, and a write that would is an error: what a full disk is to one member, without a full disk.
fn on_a_small_disk(world: &World, arguments: &str) -> Command {
    with_room(world, 64, arguments)
}

/// No file may grow beyond so many blocks of 512 bytes.
fn with_room(world: &World, blocks: u32, arguments: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {arguments}");
    command
        .args(["-c", &script, env!("CARGO_BIN_EXE_teammate")])
        .env_clear()
        .envs(world.variables())
        .current_dir(world.work())
        .stdin(std::process::Stdio::null());
    command
}

fn long_answer() -> World {
    World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Write it")]),
                say("Done: {{mail}}").after_mail("the end"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("echo made > file"),
                say(&("long ".repeat(20_000) + "the end")),
            ],
        ),
    ]))
}

#[test]
fn a_transcript_that_cannot_be_written_ends_the_run_with_an_error_and_resume_goes_on() {
    let world = long_answer();
    let run = world
        .launch(on_a_small_disk(&world, "run --permission-mode bypass Go"))
        .end()
        .ends(6)
        .complains("error: alice's transcript failed: cannot write to it")
        .complains("Free some space, or repair the disk; then continue with `teammate resume`");
    // Said once: no answer is asked for whose place is not there.
    assert_eq!(run.err.matches("the loop ended").count(), 1, "{}", run.err);
    assert!(!run.err.contains("already running"), "{}", run.err);
    world.resume().ends(0).says("the end");
    world.assert_at_rest();
}

#[test]
fn a_program_reads_that_the_disk_was_full() {
    let world = long_answer();
    let run = world
        .launch(on_a_small_disk(
            &world,
            "run --permission-mode bypass --output-format json Go",
        ))
        .end()
        .ends(6);
    let result: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&result["ending"], &result["exit_code"]),
        (&"storage".into(), &6.into())
    );
    assert!(
        result["why"]
            .as_str()
            .unwrap()
            .contains("alice's transcript failed"),
        "{result}"
    );
    let events = world.json_lines(".team/events.jsonl");
    let closed = events.last().unwrap();
    assert_eq!(
        (&closed["event"], &closed["why"]),
        (&"team_closed".into(), &"storage".into())
    );
}

/// Runs the program to its end; its output goes to pipes, which have no limit.
fn opened_with_room(world: &World, blocks: u32, arguments: &str) -> Run {
    let output = with_room(world, blocks, arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

#[test]
fn a_team_that_cannot_be_opened_for_want_of_room_ends_with_6_and_says_what_to_do() {
    let answers = || World::playing(&play([("lead", vec![say("Hello.").otherwise()])]));
    let what_to_do = "everything written before this is kept. Free some space, or repair the disk";
    let new = answers();
    opened_with_room(&new, 0, "run Go")
        .ends(6)
        .complains("error: cannot use the team's directory")
        .complains(what_to_do);
    new.run_anew("Go").ends(0).says("Hello.");

    let world = answers();
    world.run_anew("Go").ends(0);
    let long = "long".repeat(1_000);
    let long = format!("run --continue --permission-mode bypass {long}");
    for (blocks, arguments, complaint) in [
        (0, "run Go", "cannot write down who runs the team"),
        (0, "resume", "cannot write down who runs the team"),
        (0, "", "cannot write down who runs the team"),
        (2, "run Go", "the team's journal failed: cannot write to it"),
        (
            2,
            &long,
            "the job was not given to the lead: lead's mailbox failed",
        ),
    ] {
        opened_with_room(&world, blocks, arguments)
            .ends(6)
            .complains(complaint)
            .complains(what_to_do);
    }
    world.run_anew("Go").ends(0).says("Hello.");
    world.assert_at_rest();
}

#[test]
fn a_mailbox_that_is_full_says_who_empties_it() {
    let world = World::playing(&play([("lead", vec![say("Read.").otherwise()])]));
    world.run("Begin").ends(0);
    let line = format!(
        "{{\"type\":\"message\",\"from\":\"ci\",\"content\":\"{}\"}}\n",
        "red ".repeat(256)
    );
    let lines = usize::try_from(INBOX_BYTES_MAX).unwrap() / line.len() + 1;
    std::fs::write(world.path(".team/inbox/lead.jsonl"), line.repeat(lines)).unwrap();
    world
        .run("Go on")
        .ends(1)
        .complains("lead's mailbox is full")
        .complains(
            "let the members read their mail with `teammate resume`; then give the job again",
        );
    world.resume().ends(0);
    world.run("Go on").ends(0).says("Read.");
}
