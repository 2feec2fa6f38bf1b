//! Commands of one answer: those that only look run at the same time, others in the order in which they were written.

use std::fs::File;

use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat, open};
use serde_json::json;

use crate::{
    play::{Scene as _, calls, play, say},
    world::{World, until},
};

/// A lead whose one answer runs these commands.
fn runs<const N: usize>(commands: [&str; N]) -> World {
    let all = commands.map(|command| ("bash", json!({ "command": command })));
    World::playing(&play([(
        "lead",
        vec![calls(all).after("Go"), say("Done.").otherwise()],
    )]))
}

/// Waits until a command reads the pipe, and lets it go on.
fn release(world: &World, pipe: &str) {
    let path = world.path(pipe);
    let mut writer = None;
    until(
        || {
            // It cannot be opened before somebody reads.
            writer = open(&path, OFlags::WRONLY | OFlags::NONBLOCK, Mode::empty()).ok();
            writer.is_some()
        },
        || format!("nobody reads {pipe}"),
    );
    drop(writer.map(File::from));
}

fn make_pipe(world: &World, name: &str) {
    mknodat(
        CWD,
        world.path(name),
        FileType::Fifo,
        Mode::RUSR | Mode::WUSR,
        0,
    )
    .unwrap();
}

// fast: calls side by side
#[test]
fn commands_that_only_look_run_at_the_same_time() {
    let world = runs(["cat one", "cat two | wc -c", "cat three"]);
    for pipe in ["one", "two", "three"] {
        make_pipe(&world, pipe);
    }
    let run = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    for pipe in ["three", "two", "one"] {
        release(&world, pipe);
    }
    run.end().ends(0);
    assert_eq!(world.outcomes("lead").len(), 3);
}

#[test]
fn a_command_that_looks_sees_what_those_before_it_changed_and_nothing_later() {
    let world = runs([
        "cat log",
        "echo two >> log",
        "cat log",
        "echo three >> log",
        "cat log",
    ]);
    std::fs::write(world.path("log"), "one\n").unwrap();
    world
        .teammate(&["run", "--permission-mode", "bypass", "Go"])
        .ends(0);
    let seen: Vec<usize> = world
        .outcomes("lead")
        .iter()
        .map(|outcome| {
            outcome
                .lines()
                .filter(|line| !line.starts_with("exit"))
                .count()
        })
        .collect();
    assert_eq!(seen[0], 1);
    assert_eq!(seen[2], 2);
    assert_eq!(seen[4], 3);
}
