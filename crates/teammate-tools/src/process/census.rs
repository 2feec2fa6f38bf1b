//! Counts what runs of a program: what bears its mark, and what shares a namespace of processes with that.

use teammate_core::port::{Census, ProgramUse};

use super::{Mark, table};

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

    fn running(&self, text: &str) -> Option<u32> {
        let all = table::beside(&self.0.processes());
        let is_so = |process: &_| table::command_line(*process).contains(text);
        let count = all.iter().filter(|process| is_so(process)).count();
        cfg!(target_os = "linux").then_some(u32::try_from(count).unwrap_or(u32::MAX))
    }
}
