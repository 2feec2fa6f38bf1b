//! The walls that hold the members of a worker, as it tells the others: found out by trying, when the team is opened here.

use teammate_core::team::{SandboxLevel, Walls};
use teammate_process::TeamSandbox;
use teammate_runtime::{Host, OpenError, Ports, Setup, WorkerRole};

use crate::policy::{MachinePolicy, sandbox_level};

/// Opens the team as a worker, which tells what holds its members.
pub(super) async fn open_within(
    role: WorkerRole,
    (sandbox, policy): (&TeamSandbox, Option<&MachinePolicy>),
    ports: Ports,
    setup: Setup,
) -> Result<Host, OpenError> {
    let level = sandbox.sandbox().level();
    let walls = Walls {
        // Where no command can be held, none is.
        sandbox: level.map_or(SandboxLevel::Off, sandbox_level),
        policy: policy.map(MachinePolicy::digest),
    };
    Host::open_as_worker(WorkerRole { walls, ..role }, ports, setup).await
}
