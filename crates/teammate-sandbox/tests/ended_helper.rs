//! A helper that something kills: views that there are go on, and the next one comes from a new helper.
//! Alone in this program, because all sandboxes of a program share a helper.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::{
    fs,
    io::Read as _,
    os::fd::AsFd as _,
    path::{Path, PathBuf},
};

use rustix::process::{Pid, Signal, getpid, kill_process};
use teammate_sandbox::{By, CommandLimits, Order, Place, Sandbox, helper_is};
use tempfile::TempDir;

fn place(dir: &Path) -> Place {
    let root = dir.canonicalize().unwrap();
    Place {
        teams: vec![root.join(".team")],
        worktrees: root.join(".team/worktrees"),
        root,
        by: By::Member,
        tmp: None,
    }
}

fn says(sandbox: &Sandbox, place: &Place, script: &str) -> String {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let order = Order {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        directory: place.root.clone(),
        limits: CommandLimits::default(),
    };
    let streams = (writer.as_fd(), writer.as_fd());
    let _running = sandbox.start(place, order, streams, None).unwrap();
    drop(writer);
    let mut said = String::new();
    reader.read_to_string(&mut said).unwrap();
    said
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
    assert_eq!(
        says(&sandbox, &place(one.path()), "echo before"),
        "before\n"
    );

    let helpers = children();
    assert_eq!(helpers.len(), 1);
    kill_process(helpers[0], Signal::KILL).unwrap();

    assert_eq!(says(&sandbox, &place(one.path()), "echo after"), "after\n");
    assert_eq!(says(&sandbox, &place(two.path()), "echo new"), "new\n");
    let now = children();
    assert!(now.iter().any(|child| !helpers.contains(child)), "{now:?}");
}
