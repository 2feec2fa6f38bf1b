//! Runs the machine of `teammate_fleet` where several processes run one team: feeds it what this worker hears and reads, and does
//! what comes out. Which members run where is the machine's to decide, and what a member does is its driver's.

mod answers;
mod crew;
mod machine;
mod seconds;
mod tenures;
mod wire;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::lock::Hold;
use teammate_fleet::{WorkerInput, WorkerStop};
use tokio::{
    sync::{Notify, mpsc, watch},
    task::AbortHandle,
};

pub(crate) use self::crew::{Crew, TeamDuties};
use self::machine::Machine;
use crate::{deployment::Deployment, worker_role::WorkerRole};

/// How many inputs may wait for the machine. Tasks of its own and beats of others wait then, and the machine waits for none of
/// those.
const INPUTS_MAX: usize = 1024;

/// The pause after something that could not be done at all.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// The input of the machine. What members write is not its own here: their drivers append it.
pub(crate) type Input = WorkerInput<()>;

/// The worker of this process, from when its host is opened. Ends when it is ended or dropped.
pub(crate) struct WorkerRun {
    drain: Arc<Notify>,
    stopped: watch::Sender<Option<WorkerStop>>,
    /// The machine, once it has begun.
    machine: Mutex<Option<Machine>>,
    running: Mutex<Option<AbortHandle>>,
}

impl WorkerRun {
    /// The worker of this role; it has not begun.
    pub(crate) fn of(crew: Crew, role: WorkerRole) -> Option<Self> {
        let Deployment::Fleet(placed) = crew.base.deployment.clone() else {
            return None;
        };
        let stopped = watch::Sender::new(None);
        let (inputs, asked) = mpsc::channel(INPUTS_MAX);
        let drain = Arc::new(Notify::new());
        let machine = Machine::new(Arc::new(crew), role, placed, inputs);
        let machine = machine.with(asked, drain.clone(), stopped.clone());
        Some(Self {
            drain,
            stopped,
            machine: Mutex::new(Some(machine)),
            running: Mutex::new(None),
        })
    }

    /// Joins, and runs the members that the journal places here. Once.
    pub(crate) fn begin(&self) {
        let machine = self.machine.hold().take();
        if let Some(machine) = machine {
            let running = tokio::spawn(machine.run()).abort_handle();
            *self.running.hold() = Some(running);
        }
    }

    /// Has its members moved; it stops when the last one is.
    pub(crate) fn drain(&self) {
        // A worker that has stopped holds nobody.
        self.drain.notify_one();
    }

    /// Resolves when it has stopped by itself, with why.
    pub(crate) async fn stopped(&self) -> WorkerStop {
        let mut stopped = self.stopped.subscribe();
        let why = stopped.wait_for(Option::is_some).await;
        // The sender lives as long as self.
        why.ok().and_then(|why| why.clone()).unwrap_or_default()
    }

    /// Ends without a word: others find out, and move its members.
    pub(crate) fn end(&self) {
        drop(self.machine.hold().take());
        if let Some(running) = self.running.hold().take() {
            running.abort();
        }
    }
}

impl Drop for WorkerRun {
    fn drop(&mut self) {
        self.end();
    }
}
