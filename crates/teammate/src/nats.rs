//! Teams on NATS servers, for several machines: keys, whether servers keep what they acknowledge, and teams as stores that workers and
//! faces share.

mod circle;
mod own_seal;
mod team;
mod worker;

pub use teammate_core::{
    name::WorkerName,
    team::{
        Label, LabelError, PolicyDigest, SandboxLevel, Shortfall, StandingRule, Unplaced, Waiting,
        WallDemand, Walls, WorkerStop,
    },
};
pub use teammate_nats::{NatsStore, conditions, connect, doctor, keys, layout, teams::TeamsError};
pub use teammate_runtime::WorkerRole;

pub use self::{
    circle::{NatsError, NatsServers, TeamCircle},
    team::{FoundTeam, NatsTeam, TeamFeed, WorkerLife},
};
