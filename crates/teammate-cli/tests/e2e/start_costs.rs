//! What a start and an end cost, in system calls: each bound is what was measured and a little more, so that nothing creeps back.

use std::{fs, process::Command};

use crate::{
    play::{Scene as _, play, say},
    wires::{Vendor, anthropic_at},
};

#[test]
fn a_run_resolves_reads_and_syncs_no_more_than_it_must() {
    let can = Command::new("strace")
        .args(["-f", "-o", "/dev/null", "true"])
        .status();
    if !can.is_ok_and(|status| status.success()) {
        println!("skipped: there is no strace here that can watch a program");
        return;
    }
    let vendor = Vendor::playing(
        "127.0.0.1:0",
        &play([("lead", vec![say("Well.").otherwise()])]),
    );
    let world = anthropic_at(&vendor);
    world.run("hello").ends(0);
    let trace = world.path("../start.trace");
    let plain = world.command(&["run", "hello"]);
    let mut traced = Command::new("strace");
    traced.env_clear();
    traced.args(["-f", "-q", "-y", "-o"]).arg(&trace).arg("--");
    traced.arg(plain.get_program()).args(plain.get_args());
    traced.envs(
        plain
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    traced.current_dir(world.work());
    world.launch(traced).end().ends(0);

    let text = fs::read_to_string(&trace).unwrap();
    let calls_of = |names: &[&str]| -> Vec<&str> {
        let is_one = |line: &&str| {
            let call = line
                .split_once(' ')
                .map_or("", |(_, call)| call.trim_start());
            call.split_once('(')
                .is_some_and(|(name, _)| names.contains(&name))
        };
        text.lines().filter(is_one).collect()
    };
    let syncs = calls_of(&["fsync", "fdatasync"]);
    for (what, found, most) in [
        ("paths are resolved", calls_of(&["readlink"]).len(), 310),
        // A slow machine writes down once more how far the logs went.
        ("files are synced", syncs.len(), 27),
        // The commands of all verbs take two megabytes.
        ("the heap grows", calls_of(&["brk"]).len(), 20),
        ("the kernel watches", calls_of(&["inotify_init1"]).len(), 1),
    ] {
        assert!(found <= most, "{what}: {found} times instead of {most}");
    }
    // What is only listed, and the second copy of what was just synced, nobody could miss.
    for never in ["/index/", ".copy."] {
        let synced = syncs.iter().find(|sync| sync.contains(never));
        assert_eq!(synced, None);
    }
    let is_left = |line: &&str| line.contains("SCM_RIGHTS") && line.contains("anon_inode:inotify");
    let left = calls_of(&["sendmsg"]).into_iter().find(is_left);
    assert!(
        left.is_some(),
        "the helper closes the watch, not the program"
    );
}
