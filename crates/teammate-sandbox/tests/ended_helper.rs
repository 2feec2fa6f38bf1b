//! A helper that something kills: a new one takes its place, and the first command from it says so.
//! Alone in this program, because all sandboxes of a program share a helper.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::{
    fs,
    io::Read as _,
    os::fd::AsFd as _,
    path::{Path, PathBuf},
};

use rustix::process::{Pid, Signal, getpid, kill_process};
use teammate_sandbox::{By, CommandLimits, Order, Place, Sandbox, Streams, helper_is};
use tempfile::TempDir;

fn place(dir: &Path) -> Place {
    let root = dir.canonicalize().unwrap();
    Place {
        teams: vec![root.join(".team")],
        worktrees: root.join(".team/worktrees"),
        root,
        by: By::Member,
        own: Vec::new(),
        tmp: None,
        shown: Default::default(),
        closed: Default::default(),
        fixed: Default::default(),
        repositories: Default::default(),
        guard: None,
    }
}

/// What it prints, and whether it knows that the helper is a new one.
fn says(sandbox: &Sandbox, place: &Place, script: &str) -> (String, bool) {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let order = Order {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        directory: place.root.clone(),
        limits: CommandLimits::default(),
    };
    let streams = Streams::to(writer.as_fd(), writer.as_fd());
    let running = sandbox.start(place, order, streams, None).unwrap();
    drop(writer);
    let mut said = String::new();
    reader.read_to_string(&mut said).unwrap();
    (said, running.is_first_of_replacement())
}

/// The processes that this one started and that run.
fn children() -> Vec<Pid> {
    let parent = format!("PPid:\t{}", getpid().as_raw_nonzero());
    let is_child = |path: &PathBuf| {
        let status = fs::read_to_string(path.join("status")).unwrap_or_default();
        status.lines().any(|line| line == parent)
    };
    let processes = fs::read_dir("/proc").unwrap();
    let paths = processes.map(|entry| entry.unwrap().path());
    let names = paths
        .filter(is_child)
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    names
        .map(|name| Pid::from_raw(name.parse().unwrap()).unwrap())
        .collect()
}

#[tokio::test]
async fn commands_go_on_when_the_helper_is_killed() {
    helper_is(PathBuf::from(env!("CARGO_BIN_EXE_teammate-sandbox")));
    let base = env!("CARGO_TARGET_TMPDIR");
    let (one, two) = (
        TempDir::new_in(base).unwrap(),
        TempDir::new_in(base).unwrap(),
    );
    let sandbox = Sandbox::default();
    let run = |dir: &TempDir, script| says(&sandbox, &place(dir.path()), script);
    assert_eq!(run(&one, "echo before"), ("before\n".to_owned(), false));

    let helpers = children();
    assert_eq!(helpers.len(), 1);
    kill_process(helpers[0], Signal::KILL).unwrap();
    // Its socket closes when it has ended, which is a moment later.
    let status = format!("/proc/{}/status", helpers[0].as_raw_nonzero());
    while !fs::read_to_string(&status).unwrap().contains("State:\tZ") {
        std::thread::yield_now();
    }

    assert_eq!(run(&one, "echo after"), ("after\n".to_owned(), true));
    assert_eq!(run(&two, "echo new"), ("new\n".to_owned(), false));
    let now = children();
    assert!(now.iter().any(|child| !helpers.contains(child)), "{now:?}");
}
