//! The check itself, and that it finds what is planted.

use super::{
    actions::Action,
    check::{Bounds, Found, search},
    engine::{EngineFault, Fate},
    world::{Planted, World},
};
use crate::{PingAnswer, rules::Rule};
use teammate_core::team::{PlaceChange, PlaceEvent};

/// How many appends may go wrong on a way.
const MISHAPS: u8 = 2;

/// Three workers that have joined; the first is the steward; both members are held, and their mail is unheard.
fn settled(planted: Planted) -> World {
    let mut world = World::cold(Planted {
        engine: None,
        ..planted
    });
    (0..8).for_each(|_| world.settle());
    world.employ();
    let ready = |world: &World| world.acting.iter().all(|term| term.0 > 0);
    for _ in 0..24 {
        if !ready(&world) {
            world.settle();
        }
    }
    assert!(ready(&world), "{world:#?}");
    assert_eq!(world.broken, None);
    world.planted = planted;
    (world.mishaps, world.deaths, world.starts, world.stops) = (MISHAPS, 1, 1, 1);
    world
}

/// The steward did not hear the second worker, which lives, and has moved its member. Nobody knows yet.
fn moved(planted: Planted) -> World {
    let mut world = settled(planted);
    world.act(Action::Hears { at: 0, mask: 0b100 });
    world.act(Action::Pong {
        at: 0,
        asked: 1,
        answer: PingAnswer::Silence,
    });
    let fate = Fate::Answered;
    world.act(Action::Journal { at: 0, fate });
    let moves = world.journal.iter().flat_map(|line| &line.changes);
    let is_move =
        |change: &&PlaceChange| matches!(change, PlaceChange::Event(PlaceEvent::Moved { .. }));
    assert_eq!(moves.filter(is_move).count(), 1);
    world
}

/// The third worker has taken the member over; the second does not know.
fn taken(planted: Planted) -> World {
    let mut world = moved(planted);
    let fate = Fate::Answered;
    world.act(Action::ReadsJournal(2));
    world.act(Action::Opens { at: 2, of: 1 });
    world.act(Action::Transcript { at: 2, of: 1, fate });
    assert_eq!(world.acting[1].0, 2, "{:#?}", world.journal);
    world
}

fn depth_or(depth: usize) -> usize {
    let given = std::env::var("TEAMMATE_FLEET_DEPTH").ok();
    given.map_or(depth, |text| text.parse().unwrap())
}

fn states_or(states: usize) -> usize {
    let given = std::env::var("TEAMMATE_FLEET_STATES").ok();
    given.map_or(states, |text| text.parse().unwrap())
}

fn must_hold(start: World, depth: usize) -> Found {
    let bounds = Bounds {
        depth: depth_or(depth),
        states_max: states_or(2_000_000),
        heal_every: 64,
    };
    let found = search(start, bounds);
    assert!(found.broken.is_none(), "{found:#?}");
    let known: usize = found.states.iter().sum();
    assert!(found.healed > 0 || known < 64);
    // `cargo test -- --nocapture` shows the counts that docs/project/proofs.md has.
    eprintln!(
        "{known} states, {} actions, {} healed, whole: {}, by depth {:?}",
        found.actions, found.healed, found.is_whole, found.states
    );
    found
}

/// The shortest way to what the planted fault breaks.
fn must_find(start: World, what: &str) {
    let bounds = Bounds {
        depth: 12,
        states_max: 4_000_000,
        heal_every: 1 << 40,
    };
    let found = search(start, bounds);
    let (broken, way): (_, Vec<Action>) = found.broken.expect("the fault is found");
    assert_eq!(broken, what, "{way:#?}");
}

#[test]
fn nothing_breaks_in_a_team_at_work() {
    assert!(must_hold(settled(Planted::default()), 4).is_whole);
}

#[test]
fn nothing_breaks_in_a_take_over() {
    assert!(must_hold(moved(Planted::default()), 4).is_whole);
}

#[test]
fn nothing_breaks_while_workers_join() {
    let mut world = World::cold(Planted::default());
    world.employ();
    world.mishaps = 1;
    assert!(must_hold(world, 5).is_whole);
}

#[test]
fn a_left_out_compare_is_found() {
    let planted = Planted::engine(EngineFault::CompareLeftOut);
    must_find(
        taken(planted),
        "two records of the journal were decided from the same state",
    );
}

#[test]
fn syncs_that_are_off_are_found() {
    let planted = Planted::engine(EngineFault::SyncsOff);
    must_find(moved(planted), "an acknowledged entry is lost");
}

#[test]
fn ignored_terms_are_found() {
    let planted = Planted::without(Rule::Terms);
    must_find(
        taken(planted),
        "an entry of an older term stands after Taken",
    );
}

#[test]
fn a_busy_engine_taken_for_a_fence_is_found() {
    let planted = Planted::without(Rule::BusyIsNoVerdict);
    must_find(
        moved(planted),
        "a holder was stopped though nobody took its member",
    );
}

// slow: looks at a million states before it finds it
#[test]
fn an_alone_worker_that_goes_on_to_begin_is_found() {
    let planted = Planted::without(Rule::AloneBeginsNothing);
    must_find(moved(planted), "a worker that is alone began a call");
}

#[test]
fn a_successor_that_does_not_await_its_take_over_is_found() {
    let planted = Planted::without(Rule::TakenFirst);
    must_find(
        moved(planted),
        "an older holder appended after its successor began",
    );
}
