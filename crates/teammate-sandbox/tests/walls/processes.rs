//! What commands see of other processes, and what is left of them.

use std::time::{Duration, Instant};

use crate::place::Place;

#[tokio::test]
async fn a_command_sees_its_own_processes_only() {
    let place = Place::new();
    let said = place
        .run("ls /proc | grep -c '^[0-9]'; echo $$; kill -9 1; kill -9 -1; echo alive")
        .await;
    assert!(said.code.is_some(), "{said:?}");
    let said = place
        .run("cat /proc/1/environ /proc/1/maps; ls /proc/1/root/")
        .await;
    assert!(!said.text.contains("bin"), "{said:?}");
}

#[tokio::test]
async fn what_a_command_leaves_ends_with_it() {
    let place = Place::new();
    let mut running = place
        .start("(setsid sleep 1000 &) ; (setsid bash -c 'trap \"\" TERM; sleep 1000' &) ; exit 4");
    running.ended().await.unwrap();
    let begun = Instant::now();
    running.kill();
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn a_killed_command_is_over_though_a_later_one_runs_on() {
    let place = Place::new();
    let first = place.start("sleep 1000");
    let second = place.start("sleep 1000");
    first.kill();
    assert!(!first.is_left());
    assert!(second.is_left());
    second.kill();
}

#[tokio::test]
async fn a_killed_command_is_over_though_its_view_was_let_go() {
    let mut place = Place::new();
    let mark = format!("{}.810", 100_000 + std::process::id());
    let script = format!("for n in {{1..100}}; do sleep {mark} & done; touch begun; wait");
    for round in 0..5 {
        let running = place.start(&script);
        while !place.project.join("begun").exists() {
            tokio::task::yield_now().await;
        }
        place.see(place.policy());
        running.kill();
        assert_eq!(with_argument(&mark), 0, "round {round}");
        std::fs::remove_file(place.project.join("begun")).unwrap();
    }
}

/// How many processes run that were started with this argument.
fn with_argument(argument: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap();
    let lines = entries.filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok());
    let has = |line: &Vec<u8>| {
        line.split(|byte| *byte == 0)
            .any(|word| word == argument.as_bytes())
    };
    lines.filter(has).count()
}
