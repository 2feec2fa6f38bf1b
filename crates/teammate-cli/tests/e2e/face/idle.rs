//! A team that rests: its screens write nothing and wake for nothing.

use std::fs;

use pty_process::blocking::Command;

use super::*;
use crate::play::{Scene as _, play, say};

/// So long nothing at all may happen; `TEAMMATE_STILL=60` says for how many seconds.
fn still() -> Duration {
    let seconds = std::env::var("TEAMMATE_STILL").ok();
    let seconds = seconds.and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or(10))
}

#[test]
fn while_nothing_happens_nothing_is_written_and_nothing_wakes() {
    let can = std::process::Command::new("strace")
        .args(["-f", "-o", "/dev/null", "true"])
        .status();
    if !can.is_ok_and(|status| status.success()) {
        println!("skipped: there is no strace here that can watch a program");
        return;
    }
    let world = full(&play([("lead", vec![say("Well.").otherwise()])]));
    let traces = ["host", "guest"].map(|name| world.path(&format!("../{name}.trace")));
    let traced = |trace: &std::path::Path| {
        let strace = Command::new("strace")
            .args(["-f", "-q", "-ttt", "-o"])
            .arg(trace);
        Terminal::running(&world, SIZE, strace.arg(env!("CARGO_BIN_EXE_teammate")))
    };
    let host = traced(&traces[0]);
    host.says("hello");
    host.until("acted \"hello\"");
    let guest = traced(&traces[1]);
    guest.until("Attached to the team");
    guest.keys(ENTER);
    guest.until("[1 Team]");
    // Both are still at the same time, or this never ends.
    let size = |trace: &std::path::PathBuf| fs::metadata(trace).unwrap().len();
    let sizes = || {
        (
            traces.each_ref().map(size),
            [host.bytes().len(), guest.bytes().len()],
        )
    };
    let (mut before, mut since) = (sizes(), Instant::now());
    until(
        || {
            let now = sizes();
            if now != before {
                (before, since) = (now, Instant::now());
            }
            since.elapsed() > still() + Duration::from_secs(2)
        },
        || {
            traces
                .each_ref()
                .map(|trace| last_lines(trace))
                .join("\n---\n")
        },
    );
    guest.leaves_well();
    host.leaves_well();
    for trace in &traces {
        let longest = longest_pause(&fs::read_to_string(trace).unwrap());
        assert!(
            longest >= still().as_secs_f64(),
            "{longest}: {}",
            last_lines(trace)
        );
    }
}

/// The longest time in seconds in which no thread made a system call.
fn longest_pause(trace: &str) -> f64 {
    let moments = trace
        .lines()
        .filter_map(|line| line.split_whitespace().nth(1)?.parse().ok());
    let moments: Vec<f64> = moments.collect();
    let pauses = moments.windows(2).map(|pair| pair[1] - pair[0]);
    pauses.fold(0.0, f64::max)
}

fn last_lines(trace: &std::path::Path) -> String {
    let text = fs::read_to_string(trace).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}
