//! What a team was given to do, followed until the whole team rests, or until who gave it wants no more of it and nothing of it runs.

use std::{sync::Arc, time::Duration};

use teammate::{RunOutcome, RunReport, Team, TeamWatch, handle::Interrupt};
use tokio::{sync::Notify, task::JoinHandle, time::timeout};

/// After so long a member that has begun again is interrupted again.
const INTERRUPT_EVERY: Duration = Duration::from_millis(500);

/// A job that is worked on. Dropped, it is waited for no more.
#[derive(Debug)]
pub(crate) struct RunningJob {
    cancel: Arc<Notify>,
    work: JoinHandle<RunReport>,
}

impl RunningJob {
    /// Waits for what the team was just given; `watch` is of before.
    pub(crate) fn new(team: Arc<Team>, mut watch: TeamWatch) -> Self {
        let cancel = Arc::new(Notify::new());
        let asked = cancel.clone();
        let work = tokio::spawn(async move {
            let cut = async {
                asked.notified().await;
                interrupt(&team).await;
                RunOutcome::Interrupted
            };
            watch.wait_report(&team, cut).await
        });
        Self { cancel, work }
    }

    /// Nobody wants more of it.
    pub(crate) fn cancel(&self) {
        self.cancel.notify_one();
    }

    /// How it ended; nothing after a bug.
    pub(crate) async fn ended(&mut self) -> Option<RunReport> {
        (&mut self.work).await.ok()
    }

    /// It is no longer waited for: the team is about to be closed.
    pub(crate) async fn leave(mut self) {
        self.work.abort();
        let _ = (&mut self.work).await;
    }
}

/// Interrupts all members until none has a turn. What they have in the background goes on.
async fn interrupt(team: &Team) {
    loop {
        // It is never refused here.
        let _ = team.ask(Interrupt { member: None }).await;
        let is_idle = timeout(INTERRUPT_EVERY, team.wait_idle()).await.is_ok();
        let is_busy = team
            .changes()
            .borrow()
            .members()
            .any(|member| member.phase.is_busy());
        if is_idle || !is_busy && !team.jobs().is_empty() {
            return;
        }
    }
}
