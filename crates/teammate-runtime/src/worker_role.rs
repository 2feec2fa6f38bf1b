//! The role of a process among several that run one team: its wire, its name, what it offers. It runs nothing by itself.

use std::{collections::BTreeSet, sync::Arc};

use teammate_core::{
    name::WorkerName,
    port::{Fleet, Governors},
    team::{Label, Walls},
};
use uuid::Uuid;

/// How a process takes part where several run one team. Each runs the members that the journal places on it.
#[derive(Clone)]
pub struct WorkerRole {
    /// The wire to the other workers.
    pub wire: Arc<dyn Fleet>,
    /// The port by which workers tell each other of model servers; without one each finds out alone what a server takes.
    pub governors: Option<Arc<dyn Governors>>,
    /// The worker's name, which no other living worker of the team has.
    pub name: WorkerName,
    /// Which of its lives this is.
    pub session: Uuid,
    /// The labels of the worker, which members may need.
    pub labels: BTreeSet<Label>,
    /// The most members that it runs.
    pub places: u16,
    /// The walls that hold its members.
    pub walls: Walls,
}
