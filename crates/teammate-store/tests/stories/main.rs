//! The stories of a store, told in memory, in real files and in simulated ones.
#![allow(clippy::unwrap_used, reason = "a test may")]

#[path = "../common/mod.rs"]
mod common;
mod worlds;

use teammate_testkit::{stories_of_crashes, stories_of_shared_stores, stories_of_stores, tell};
use worlds::{crashing_worlds, memory_and_real_files, worlds};

stories_of_stores!(tell in worlds);
stories_of_shared_stores!(tell in memory_and_real_files);
stories_of_crashes!(tell in crashing_worlds);
