//! The exhaustive check: the machines of this crate with a small engine, under every interleaving of beats, cuts, late
//! waking, lost and delayed appends, crashes and moves, up to a depth.
//!
//! Breadth first, of our own: beside invariants it asks of states whether a living majority gets out of them, which needs runs
//! from each, and it runs within `cargo test`. Three workers, two members, a message for each.

mod actions;
mod check;
mod engine;
mod heal;
mod node;
mod tests;
mod world;

use std::sync::LazyLock;

use teammate_core::{MemberName, name::WorkerName};

/// How many members there are.
const MEMBERS: usize = 2;
/// How many workers there are.
const WORKERS: usize = 3;

static WORKER_NAMES: LazyLock<[WorkerName; WORKERS]> = LazyLock::new(|| {
    ["w1", "w2", "w3"].map(|name| WorkerName::parse(name).unwrap_or_else(|no| panic!("{no}")))
});
static MEMBER_NAMES: LazyLock<[MemberName; MEMBERS]> = LazyLock::new(|| {
    ["alice", "bob"].map(|name| MemberName::parse(name).unwrap_or_else(|no| panic!("{no}")))
});

fn member(at: usize) -> MemberName {
    MEMBER_NAMES[at].clone()
}

fn member_at(name: &MemberName) -> usize {
    usize::from(*name != MEMBER_NAMES[0])
}

fn worker_name(at: usize) -> WorkerName {
    WORKER_NAMES[at].clone()
}
