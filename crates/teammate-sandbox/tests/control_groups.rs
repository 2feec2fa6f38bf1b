//! What the kernel counts of a command together, where this program may make control groups (cgroups(7), version 2). Elsewhere
//! nothing is tried, and that is printed. Alone in this program, because it may move into a group of its own.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]
#![expect(clippy::print_stdout, reason = "a test says what it skips")]

use std::{
    fs,
    io::Read as _,
    os::fd::AsFd as _,
    path::{Path, PathBuf},
};

use teammate_sandbox::{
    By, CommandLimits, Ended, Limit, Order, Place, Sandbox, SandboxRules, Streams, helper_is,
};
use tempfile::TempDir;

const LIMITS: CommandLimits = CommandLimits {
    file_bytes: None,
    memory_bytes: None,
    total_memory_bytes: Some(64 << 20),
    open_files: None,
    processes: Some(12),
    cpu_seconds: None,
    disk_bytes: None,
    wall_seconds: None,
};

/// What it prints, and how it ends.
async fn ended(sandbox: &Sandbox, place: &Place, script: &str) -> (String, Ended) {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let order = Order {
        program: "/bin/bash".into(),
        arguments: vec!["-c".into(), script.into()],
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        directory: place.root.clone(),
        limits: LIMITS,
    };
    let streams = Streams::to(writer.as_fd(), writer.as_fd());
    let mut running = sandbox.start(place, order, streams, None).unwrap();
    drop(writer);
    let ended = running.ended().await.unwrap();
    running.kill();
    let mut said = String::new();
    reader.read_to_string(&mut said).unwrap();
    (said, ended)
}

/// The group of this program's commands.
fn group() -> PathBuf {
    let name = format!("teammate-{}", std::process::id());
    let text = fs::read_to_string("/proc/self/cgroup").unwrap();
    let own = text.lines().find_map(|line| line.strip_prefix("0::/"));
    let own = own.unwrap().trim_end_matches("program");
    ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
        .map(|top| Path::new(top).join(own).join(&name))
        .into_iter()
        .find(|group| group.is_dir())
        .unwrap()
}

fn is_counted(controller: &str) -> bool {
    let counted = fs::read_to_string(group().join("cgroup.controllers")).unwrap();
    let is_counted = counted.split_whitespace().any(|name| name == controller);
    println!(
        "{controller}: {}",
        if is_counted { "tried" } else { "skipped" }
    );
    is_counted
}

#[tokio::test]
async fn a_control_group_counts_what_a_command_uses() {
    helper_is(PathBuf::from(env!("CARGO_BIN_EXE_teammate-sandbox")));
    let dir = TempDir::new().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let place = Place {
        teams: Vec::new(),
        worktrees: root.join("worktrees"),
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
    let sandbox = Sandbox::new(SandboxRules::default());
    if !sandbox.strength(dir.path()).unwrap().has_control_groups {
        println!("skipped: no control groups of version 2 can be made here");
        return;
    }
    let (said, ended_so) = ended(&sandbox, &place, "cat /proc/self/cgroup").await;
    assert!(said.contains("teammate-"), "{said} {ended_so:?}");
    if is_counted("pids") {
        let many = "for i in $(seq 40); do sleep 1000 & done; wait";
        let (said, _) = ended(&sandbox, &place, many).await;
        // To look now and then would be too late to refuse the thirteenth.
        assert!(
            said.contains("fork: retry: Resource temporarily unavailable"),
            "{said}"
        );
    }
    if is_counted("memory") {
        // Files in memory without a name are not seen by who looks now and then.
        let large = "python3 -c \"import os; os.write(os.memfd_create('x'), bytes(300 << 20))\"";
        let (said, ended_so) = ended(&sandbox, &place, large).await;
        assert_eq!(ended_so, Ended::Limit(Limit::Memory), "{said}");
    }
    // Those of commands are gone, but for the last, whose processes the kernel may still be ending.
    let left = fs::read_dir(group().join("0")).unwrap().flatten();
    let left = left.filter(|found| found.file_type().unwrap().is_dir());
    assert!(left.count() <= 1);
}
