//! A prompt that is worked on: until the whole team rests, or the editor has cancelled it and nothing of it runs any more.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use teammate::{RunOutcome, RunReport, Team, TeamWatch, handle::Interrupt};
use tokio::{sync::Notify, task::JoinHandle, time::timeout};

use crate::acp::{outbox::Reply, refusal::Refusal};

/// After so long a member that has begun again is interrupted again.
const INTERRUPT_EVERY: Duration = Duration::from_millis(500);

/// A prompt that is worked on. Dropped, it is waited for no more.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) reply: Reply,
    cancel: Arc<Notify>,
    work: JoinHandle<RunReport>,
}

impl Turn {
    /// Waits for what the team was just given; `watch` is of before.
    pub(crate) fn new(reply: Reply, team: Arc<Team>, mut watch: TeamWatch) -> Self {
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
        Self {
            reply,
            cancel,
            work,
        }
    }

    /// The editor wants no more of it.
    pub(crate) fn cancel(&self) {
        self.cancel.notify_one();
    }

    /// How it ended; nothing after a bug.
    pub(crate) async fn ended(&mut self) -> Option<RunOutcome> {
        (&mut self.work).await.ok().map(|report| report.outcome)
    }

    /// It is no longer waited for: the team is about to be closed.
    pub(crate) async fn leave(mut self) -> Reply {
        self.work.abort();
        let _ = (&mut self.work).await;
        self.reply
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

/// The answer to a prompt, and notes for the user besides.
pub(crate) fn answer(outcome: Option<RunOutcome>) -> (Result<Value, Refusal>, Option<String>) {
    let stop = |reason: &str| Ok(json!({ "stopReason": reason }));
    match outcome {
        Some(RunOutcome::Done) => (stop("end_turn"), None),
        Some(RunOutcome::Unfinished(what)) => (stop("end_turn"), Some(what)),
        Some(RunOutcome::Limit(what)) => (stop("max_turn_requests"), Some(what)),
        Some(RunOutcome::Interrupted) => (stop("cancelled"), None),
        Some(RunOutcome::Failed(why) | RunOutcome::Storage(why)) => {
            (Err(Refusal::failed(teammate::visible(&why))), None)
        }
        Some(RunOutcome::TimedOut(_)) => (stop("end_turn"), None),
        None => (
            Err(Refusal::failed("a bug ended the wait for the team")),
            None,
        ),
    }
}
