//! A team on two or three workers over one engine, which elects leaders, loses answers and doubles mail, while workers die, are
//! stopped, are cut off on either side and have clocks that jump. Whatever the seed, all holds that holds of one process.

mod crew;
mod engine;
mod judge;
mod life;
mod play;
mod ports;

use engine::Planted;
use judge::Played;
use play::play;

use crate::each_seed;

#[test]
fn whatever_happens_to_workers_every_letter_is_heard_once() {
    let played = each_seed(150, |seed| play(seed, None));
    let many = played.len() >= 150;
    let all = |count: fn(&Played) -> usize| played.iter().map(count).sum::<usize>();
    let (moved, heard, done) = (all(|p| p.moved), all(|p| p.heard), all(|p| p.done));
    println!("{moved} members were moved, {heard} messages heard, {done} calls done");
    let is_lively = moved > 50 && heard > 1_000 && done > 80;
    assert!(is_lively || !many, "this tests no team at work");
}

/// Some seed of the first ones finds what is planted.
fn is_found(planted: Planted) {
    let finds = |seed: &u64| std::panic::catch_unwind(|| play(*seed, Some(planted))).is_err();
    let found = (0..300).find(finds);
    println!("{planted:?}: found by seed {found:?}");
    assert!(found.is_some(), "{planted:?} is not found");
}

#[test]
fn a_take_over_that_is_not_written_is_found() {
    is_found(Planted::TakenLeftOut);
}

#[test]
fn an_ignored_term_is_found() {
    is_found(Planted::TermsIgnored);
}

#[test]
fn a_busy_engine_taken_for_a_conflict_is_found() {
    is_found(Planted::BusyIsConflict);
}

#[test]
fn a_settle_that_takes_unseen_mail_is_found() {
    is_found(Planted::SettleTakesAll);
}
