//! The stories of a store, on one server.

use teammate_testkit::{
    stories_of_crashes, stories_of_fleets, stories_of_shared_stores, stories_of_stores, tell,
};

use crate::world::{crashing_worlds, fleets, worlds};

stories_of_stores!(tell in worlds);
stories_of_shared_stores!(tell in worlds);
stories_of_crashes!(tell in crashing_worlds);
stories_of_fleets!(tell in fleets);
