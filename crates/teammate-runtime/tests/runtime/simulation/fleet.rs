//! A team on two or three workers over one engine, which elects leaders, loses answers and doubles mail, while workers die, are
//! stopped, are cut off on either side and have clocks that jump. Whatever the seed, all holds that holds of one process.

mod bells;
mod crew;
mod earlier;
mod engine;
mod history;
mod judge;
mod life;
mod mishaps;
mod planted;
mod play;
mod ports;
mod rogue;
mod story;
mod trace;

use judge::Played;
use mishaps::Mishap;
use play::{play, play_lossy, wants_losses};

use crate::simulation::each_seed;

#[test]
fn whatever_happens_to_workers_every_letter_is_heard_once() {
    let played = each_seed(150, play);
    let many = played.len() >= 150;
    let all = |count: fn(&Played) -> usize| played.iter().map(count).sum::<usize>();
    let (moved, heard, done) = (all(|p| p.moved), all(|p| p.heard), all(|p| p.done));
    println!("{moved} members were moved, {heard} messages heard, {done} calls done");
    let trace = played.iter().fold(0, |all, p| all ^ p.trace);
    println!("the trace of them all: {trace:016x}");
    let is_lively = moved > 50 && heard > 1_000 && done > 80;
    assert!(is_lively || !many, "this tests no team at work");
    for mishap in Mishap::ALL {
        let times: usize = played.iter().map(|p| p.mishaps.times(mishap)).sum();
        println!("{mishap:?}: {times} times");
        let is_loss = matches!(
            mishap,
            Mishap::RequestLost | Mishap::AnswerLost | Mishap::Late
        );
        let is_left_out = is_loss && !wants_losses();
        assert!(
            times >= 10 || !many || is_left_out,
            "{mishap:?} is too rare"
        );
    }
}

/// Seeds that have found something with lost and late messages. In the ordinary build each plays one of a few variants.
const REMEMBERED: [u64; 22] = [
    470, 705, 1087, 1326, 1350, 1534, 1787, 2035, 2273, 2666, 2787, 2955, 3645, 6063, 9473, 9837,
    12_801, 13_502, 15_047, 17_031, 20_979, 33_884,
];

#[test]
fn what_was_found_with_lost_messages_is_mended() {
    REMEMBERED.into_iter().for_each(|seed| {
        println!("TEAMMATE_LOSSES=1 TEAMMATE_SEED={seed}");
        play_lossy(seed);
    });
}

/// Where tokio takes our seed for the order in which it wakes tasks: `cargo xtask simulate`.
#[cfg(tokio_unstable)]
#[test]
fn a_seed_is_played_alike_twice() {
    for seed in 0..20 {
        let [first, second] = [(); 2].map(|()| play_lossy(seed).trace);
        assert_eq!(first, second, "TEAMMATE_SEED={seed}");
    }
}
