//! The stories of the wire, in memory.

use teammate_core::{
    name::WorkerName,
    port::{BoxFuture, Fleet},
};

use super::MemoryFleet;
use crate::{stories::fleet::FleetWorld, tell};

impl FleetWorld for MemoryFleet {
    fn wire<'a>(&'a self, worker: &'a WorkerName) -> BoxFuture<'a, Box<dyn Fleet>> {
        Box::pin(async { Box::new(Self::wire(self, worker)) as Box<dyn Fleet> })
    }
}

async fn fleets() -> Vec<Box<dyn FleetWorld>> {
    std::future::ready(vec![Box::new(MemoryFleet::default()) as Box<dyn FleetWorld>]).await
}

crate::stories_of_fleets!(tell in fleets);
