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
