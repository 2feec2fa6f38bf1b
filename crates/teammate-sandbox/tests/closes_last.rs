//! What the helper closes in place of the program. Alone in this program, because all sandboxes of a program share a helper.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

use std::{io::Read as _, os::fd::AsFd as _, path::PathBuf};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use teammate_sandbox::{By, CommandLimits, Order, Place, Sandbox, Streams, helper_is};
use tempfile::TempDir;

/// Whether nobody can write to it any more.
fn is_closed(reader: &std::io::PipeReader) -> bool {
    let mut looked_at = [PollFd::new(reader, PollFlags::IN)];
    poll(&mut looked_at, Some(&Timespec::default())).unwrap();
    looked_at[0].revents().contains(PollFlags::HUP)
}

#[tokio::test]
async fn the_helper_holds_one_thing_at_a_time_and_no_command_holds_it() {
    helper_is(PathBuf::from(env!("CARGO_BIN_EXE_teammate-sandbox")));
    let dir = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let sandbox = Sandbox::default();
    let (first, given) = std::io::pipe().unwrap();
    sandbox.closes_last(given.as_fd());
    drop(given);
    assert!(is_closed(&first), "without a helper nobody holds it");

    sandbox.start_helper();
    let (mut first, given) = std::io::pipe().unwrap();
    sandbox.closes_last(given.as_fd());
    drop(given);
    let root = dir.path().canonicalize().unwrap();
    let place = Place {
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
    };
    let (mut begun, output) = std::io::pipe().unwrap();
    let order = Order {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), "echo begun; exec sleep 1000".into()],
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        directory: place.root.clone(),
        limits: CommandLimits::default(),
    };
    let streams = Streams::to(output.as_fd(), output.as_fd());
    let running = sandbox.start(&place, order, streams, None).unwrap();
    begun.read_exact(&mut [0; 6]).unwrap();
    assert!(!is_closed(&first), "the helper holds it");

    let (_second, given) = std::io::pipe().unwrap();
    sandbox.closes_last(given.as_fd());
    // This comes to an end only if the command has none of it.
    assert_eq!(first.read(&mut [0]).unwrap(), 0);
    running.kill();
}
