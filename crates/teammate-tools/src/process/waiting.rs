//! Which processes of a command wait for what nobody gives them.

use std::time::Duration;

use rustix::process::Pid;

use super::{Mark, table};
pub(crate) use table::WaitsFor;

/// When a command is first looked at. vi shows its warnings for two seconds before it waits.
const FIRST_LOOK: Duration = Duration::from_secs(3);
/// The longest pause between two looks.
const LOOK_PAUSE_MAX: Duration = Duration::from_secs(60);
/// What is seen must be there again after this.
const SECOND_LOOK: Duration = Duration::from_millis(500);

/// A process that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Waiting {
    process: Pid,
    /// The name of its program.
    pub(crate) program: String,
    pub(crate) waits_for: WaitsFor,
}

/// Those of the command that bears this mark. Empty where there is no table of processes.
pub(crate) async fn waiting(run: Mark) -> Vec<Waiting> {
    // Only a runtime that goes down gives it up.
    let look = tokio::task::spawn_blocking(move || now(&run)).await;
    look.unwrap_or_default()
}

/// Returns once a process of the command waits for input that certainly never comes.
pub(crate) async fn waits_in_vain(run: &Mark) -> Waiting {
    let mut pause = FIRST_LOOK;
    loop {
        tokio::time::sleep(pause).await;
        let seen = in_vain(run).await;
        if !seen.is_empty() {
            tokio::time::sleep(SECOND_LOOK).await;
            let again = in_vain(run).await;
            if let Some(found) = again.into_iter().find(|found| seen.contains(found)) {
                return found;
            }
        }
        pause = (pause * 2).min(LOOK_PAUSE_MAX);
    }
}

async fn in_vain(run: &Mark) -> Vec<Waiting> {
    let mut found = waiting(run.clone()).await;
    found.retain(|waiting| waiting.waits_for == WaitsFor::OwnErrors);
    found
}

fn now(run: &Mark) -> Vec<Waiting> {
    let all = table::beside(&run.processes()).into_iter();
    let waiting = all.filter_map(|process| {
        Some(Waiting {
            process,
            waits_for: table::waits_for(process)?,
            program: table::name(process),
        })
    });
    waiting.collect()
}
