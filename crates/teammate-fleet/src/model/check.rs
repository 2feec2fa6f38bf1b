//! The search: breadth first over all that can happen, each state once, with the shortest way to what does not hold.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use super::{WORKERS, actions::Action, world::World};

/// Two hashes of a state: among a hundred million states none is taken for another.
type Print = (u64, u64);

/// The bounds of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// How many actions in a row.
    pub(super) depth: usize,
    /// Stop, and say so, when so many states are known.
    pub(super) states_max: usize,
    /// From each so manieth state it is asked whether it gets well.
    pub(super) heal_every: u64,
}

/// The findings of a search.
#[derive(Debug)]
pub(super) struct Found {
    /// Different states by depth.
    pub(super) states: Vec<usize>,
    /// All actions that were tried.
    pub(super) actions: usize,
    /// How many states were asked whether they get well, each with all workers and with one lost for good.
    pub(super) healed: usize,
    /// The depth was searched whole.
    pub(super) is_whole: bool,
    /// The rule that does not hold, and the way there.
    pub(super) broken: Option<(&'static str, Vec<Action>)>,
}

fn print(world: &World) -> Print {
    let mut first = DefaultHasher::new();
    let mut second = DefaultHasher::new();
    0x9e37_79b9_u32.hash(&mut second);
    world.hash(&mut first);
    world.hash(&mut second);
    (first.finish(), second.finish())
}

/// Searches from these states on.
pub(super) fn search(start: World, bounds: Bounds) -> Found {
    let mut known: HashMap<Print, Option<(Print, Action)>> = HashMap::new();
    known.insert(print(&start), None);
    let mut found = Found {
        states: vec![1],
        actions: 0,
        healed: 0,
        is_whole: true,
        broken: None,
    };
    let mut edge = vec![start];
    for _ in 0..bounds.depth {
        let mut next = Vec::new();
        for world in edge {
            let from = print(&world);
            for action in world.actions() {
                found.actions += 1;
                let mut after = world.clone();
                after.act(action);
                let to = print(&after);
                if known.contains_key(&to) {
                    continue;
                }
                known.insert(to, Some((from, action)));
                let is_asked = to.0.is_multiple_of(bounds.heal_every);
                found.healed += usize::from(is_asked);
                let dead_end = (is_asked && !heals(&after)).then_some("a dead end");
                if let Some(what) = after.broken.or(dead_end) {
                    found.broken = Some((what, way_to(&known, to)));
                    return found;
                }
                next.push(after);
            }
            if known.len() > bounds.states_max {
                found.is_whole = false;
                found.states.push(next.len());
                return found;
            }
        }
        found.states.push(next.len());
        edge = next;
    }
    found
}

fn heals(world: &World) -> bool {
    let lost = (0..WORKERS).map(Some).chain([None]);
    lost.into_iter().all(|lost| world.gets_well(lost))
}

fn way_to(known: &HashMap<Print, Option<(Print, Action)>>, to: Print) -> Vec<Action> {
    let (mut way, mut at) = (Vec::new(), to);
    while let Some(Some((from, action))) = known.get(&at) {
        way.push(*action);
        at = *from;
    }
    way.reverse();
    way
}
