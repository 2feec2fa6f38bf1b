//! A disk that takes no more: the run ends with an error, and goes on when there is room.

use std::process::Command;

use serde_json::Value;

use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::World,
};

/// No file may grow beyond 32 KiB, and a write that would is an error: what a full disk is to one member, without a full disk.
fn on_a_small_disk(world: &World, arguments: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f 64; exec \"$0\" {arguments}");
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
        .complains("Make room, or mend the disk; then `teammate resume` goes on");
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
