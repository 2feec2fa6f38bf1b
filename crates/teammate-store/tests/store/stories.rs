//! The stories of a store, told in memory, in real files and in simulated ones.

use crate::worlds::{crashing_worlds, memory_and_real_files, worlds};
use teammate_testkit::{stories_of_crashes, stories_of_shared_stores, stories_of_stores, tell};

stories_of_stores!(tell in worlds);
stories_of_shared_stores!(tell in memory_and_real_files);
stories_of_crashes!(tell in crashing_worlds);
