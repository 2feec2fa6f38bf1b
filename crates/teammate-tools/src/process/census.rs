//! Counts what runs of a program: what bears its mark, and what shares a namespace of processes with that.

use std::{collections::BTreeSet, thread, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use teammate_core::port::{Census, ProgramUse};

use super::{Mark, table};

/// How often it is looked for processes that are to end: some start others meanwhile.
const SWEEPS_MAX: u32 = 100;
/// What the kernel takes to end one.
const SWEEP_PAUSE: Duration = Duration::from_millis(5);

fn number(process: Pid) -> u32 {
    process.as_raw_nonzero().get().unsigned_abs()
}

/// Finds the processes of one program by the mark of its run.
#[derive(Debug)]
pub(super) struct ProcessCensus(Mark);

impl ProcessCensus {
    pub(super) fn of(run: Mark) -> Self {
        Self(run)
    }
}

impl Census for ProcessCensus {
    fn count(&self) -> Option<ProgramUse> {
        let mut found = ProgramUse::default();
        for process in table::beside(&self.0.processes()) {
            // One that has ended meanwhile, or whose memory nobody may look at, uses nothing that is known.
            found.memory_bytes += table::memory_of(process).unwrap_or_default();
            found.processes += 1;
        }
        cfg!(target_os = "linux").then_some(found)
    }

    fn processes(&self) -> Option<Vec<u32>> {
        let all = table::beside(&self.0.processes()).into_iter();
        cfg!(target_os = "linux").then(|| all.map(number).collect())
    }

    fn end_others(&self, kept: &[u32]) -> Option<u32> {
        let mut ended = BTreeSet::new();
        for _ in 0..SWEEPS_MAX {
            let all = table::beside(&self.0.processes()).into_iter();
            let others: Vec<Pid> = all.filter(|it| !kept.contains(&number(*it))).collect();
            if others.is_empty() {
                let count = u32::try_from(ended.len()).unwrap_or(u32::MAX);
                return cfg!(target_os = "linux").then_some(count);
            }
            for process in others {
                ended.insert(number(process));
                // It may have ended by itself.
                let _ = kill_process(process, Signal::KILL);
            }
            thread::sleep(SWEEP_PAUSE);
        }
        None
    }

    fn running(&self, text: &str) -> Option<u32> {
        let all = table::beside(&self.0.processes());
        let is_so = |process: &_| table::command_line(*process).contains(text);
        let count = all.iter().filter(|process| is_so(process)).count();
        cfg!(target_os = "linux").then_some(u32::try_from(count).unwrap_or(u32::MAX))
    }
}
