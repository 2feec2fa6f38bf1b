//! Runs the machine of `teammate_fleet` where several processes run one team: feeds it what this worker hears and reads, and does
//! what comes out. Which members run where is the machine's to decide, and what a member does is its driver's.

mod answers;
mod crew;
pub(crate) mod held;
mod machine;
mod seconds;
mod tenures;
mod transcripts;
mod wire;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{lock::Hold, port::BoxFuture, team::WorkerStop};
use teammate_fleet::WorkerInput;
use tokio::sync::{Notify, mpsc, watch};

pub(crate) use self::crew::{Crew, TeamDuties};
use self::{held::Tenures, machine::Machine};
use crate::{deployment::WorkerRun, ledger::others::PlaceOrders, owned_task::OwnedTask};

/// How many inputs may wait for the machine. Tasks of its own and beats of others wait then, and the machine waits for none of
/// those.
const INPUTS_MAX: usize = 1024;

/// The pause after something that could not be done at all.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// The input of the machine. What members write is not its own here: their drivers append it.
pub(crate) type Input = WorkerInput<()>;

/// The worker of this process, from when its host is opened. Ends when it is ended or dropped.
pub(crate) struct ThisWorker {
    drain: Arc<Notify>,
    stopped: watch::Sender<Option<WorkerStop>>,
    /// The machine, once it has begun.
    machine: Mutex<Option<Machine>>,
    running: OwnedTask,
}

impl ThisWorker {
    /// The worker that holds these, with its place in the ledger; it has not begun.
    pub(crate) fn of(crew: Crew, placed: Arc<Tenures>, places: PlaceOrders) -> Self {
        let stopped = watch::Sender::new(None);
        let (inputs, asked) = mpsc::channel(INPUTS_MAX);
        let drain = Arc::new(Notify::new());
        let machine = Machine::new(Arc::new(crew), placed, places, inputs);
        let machine = machine.with(asked, drain.clone(), stopped.clone());
        Self {
            drain,
            stopped,
            machine: Mutex::new(Some(machine)),
            running: OwnedTask::default(),
        }
    }
}

impl WorkerRun for ThisWorker {
    fn begin(&self) {
        let machine = self.machine.hold().take();
        if let Some(machine) = machine {
            self.running.begin(machine.run());
        }
    }

    fn drain(&self) {
        // A worker that has stopped holds nobody.
        self.drain.notify_one();
    }

    fn stopped(&self) -> BoxFuture<'_, WorkerStop> {
        Box::pin(async {
            let mut stopped = self.stopped.subscribe();
            let why = stopped.wait_for(Option::is_some).await;
            // The sender lives as long as self.
            why.ok().and_then(|why| why.clone()).unwrap_or_default()
        })
    }

    fn end(&self) {
        drop(self.machine.hold().take());
        self.running.end();
    }
}

impl Drop for ThisWorker {
    fn drop(&mut self) {
        self.end();
    }
}
