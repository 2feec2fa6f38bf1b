//! The worlds of this crate.

use std::sync::{Arc, Mutex, PoisonError};

use teammate_core::port::BoxFuture;
use teammate_store::files::{FileArchive, TeamDir, watch};
use teammate_testkit::{
    memory::MemoryStore,
    sim::SimDisk,
    stories::{CrashingWorld, Process, World},
};

use crate::common::Files;

/// All of them.
pub(crate) async fn worlds() -> Vec<Box<dyn World>> {
    let mut all = memory_and_real_files().await;
    all.push(Box::new(SimulatedFiles::new()));
    all
}

/// Those with doorbells between processes, and an archive: nothing watches a simulated disk, or renames its directories.
pub(crate) async fn memory_and_real_files() -> Vec<Box<dyn World>> {
    vec![
        Box::new(MemoryStore::default()),
        Box::new(RealFiles(Files::real())),
    ]
}

/// Those where the power can be cut.
pub(crate) async fn crashing_worlds() -> Vec<Box<dyn CrashingWorld>> {
    vec![Box::new(SimulatedFiles::new())]
}

struct RealFiles(Files);

impl World for RealFiles {
    fn name(&self) -> &'static str {
        "real files"
    }

    fn process(&self) -> BoxFuture<'_, Process> {
        Box::pin(async {
            let (mailbox, journal) = (Arc::new(self.0.mailbox()), Arc::new(self.0.journal()));
            let alive = watch(mailbox.clone(), journal.clone());
            Process {
                mailbox,
                journal,
                alive: Box::new(alive),
                ..process(&self.0)
            }
        })
    }
}

/// The disk of the last process, from which the next ones begin.
struct SimulatedFiles(Mutex<SimDisk>);

impl SimulatedFiles {
    fn new() -> Self {
        let disk = SimDisk::new();
        TeamDir::create(&disk, "/team").unwrap();
        Self(Mutex::new(disk))
    }
}

impl World for SimulatedFiles {
    fn name(&self) -> &'static str {
        "simulated files"
    }

    fn process(&self) -> BoxFuture<'_, Process> {
        let disk = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let files = Files::at(Arc::new(disk.second_process()), "/team");
        Box::pin(async move { process(&files) })
    }
}

impl CrashingWorld for SimulatedFiles {
    fn crash(&self, seed: u64) -> BoxFuture<'_, ()> {
        let mut disk = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *disk = disk.after_power_cut(seed);
        TeamDir::create(&*disk, "/team").unwrap();
        Box::pin(async {})
    }
}

fn process(files: &Files) -> Process {
    let heads = Arc::default();
    Process {
        mailbox: Arc::new(files.mailbox()),
        journal: Arc::new(files.journal_remembered(&heads)),
        transcripts: Arc::new(files.transcripts_remembered(&heads)),
        archive: Arc::new(FileArchive::new(
            files.disk.clone(),
            files.dir.clone(),
            heads,
        )),
        alive: Box::new(()),
    }
}
