//! The walls that hold the members of a worker, as it tells the others: found out by trying, when the team is opened here.

use teammate_core::team::{SandboxLevel, Walls};
use teammate_process::TeamSandbox;
use teammate_runtime::WorkerRole;

use crate::policy::{MachinePolicy, sandbox_level};

/// A worker's role, with what holds its members.
pub(super) fn within(
    role: WorkerRole,
    sandbox: &TeamSandbox,
    policy: Option<&MachinePolicy>,
) -> WorkerRole {
    let level = sandbox.sandbox().level();
    let walls = Walls {
        // Where no command can be held, none is.
        sandbox: level.map_or(SandboxLevel::Off, sandbox_level),
        policy: policy.map(MachinePolicy::digest),
    };
    WorkerRole { walls, ..role }
}
