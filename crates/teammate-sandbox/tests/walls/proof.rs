//! Each level holds what it promises, and the lower ones show that the probes bite.

use std::time::Instant;

use teammate_sandbox::{Attempt, Helper, Level};

use crate::place::Place;

#[test]
fn at_full_nothing_that_is_tried_succeeds() {
    let place = Place::new();
    let begun = Instant::now();
    let proof = place.helper.prove(&place.home).unwrap();
    println!("proven in {:?}", begun.elapsed());
    assert_eq!(proof.level(), Level::Full);
    assert_eq!(proof.possible(), []);
    let left = place.home.read_dir().unwrap().flatten();
    let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with("proof"));
    assert_eq!(left.count(), 0);
}

#[test]
fn at_landlock_the_host_is_seen_but_nothing_outside_is_read_or_written() {
    let place = Place::at(Level::Landlock);
    let proof = place.helper.prove(&place.home).unwrap();
    assert_eq!(proof.level(), Level::Landlock);
    for expected in [Attempt::SeeHost, Attempt::RenameAncestor] {
        assert!(proof.possible().contains(&expected), "{proof:?}");
    }
}

#[test]
fn at_none_files_and_processes_are_open_but_namespaces_are_not() {
    let place = Place::at(Level::None);
    let proof = place.helper.prove(&place.home).unwrap();
    for expected in [
        Attempt::WriteOutside,
        Attempt::ReadHidden,
        Attempt::RenameAncestor,
        Attempt::SignalHost,
        Attempt::SeeHost,
        Attempt::ConnectToHost,
    ] {
        assert!(proof.possible().contains(&expected), "{proof:?}");
    }
}

#[test]
fn the_best_level_that_is_proven_is_taken() {
    let place = Place::new();
    let (helper, proof) = Helper::start_proven(Level::Full, &place.home).unwrap();
    assert_eq!((helper.level(), proof.level()), (Level::Full, Level::Full));
}
