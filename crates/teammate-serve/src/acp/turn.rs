//! A prompt that is worked on: until the whole team rests, or the editor has cancelled it and nothing of it runs any more.

use std::sync::Arc;

use serde_json::{Value, json};
use teammate::{RunOutcome, Team, TeamWatch};

use crate::{
    acp::{outbox::Reply, refusal::Refusal},
    door::job::RunningJob,
};

/// A prompt that is worked on. Dropped, it is waited for no more.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) reply: Reply,
    work: RunningJob,
}

impl Turn {
    /// Waits for what the team was just given; `watch` is of before.
    pub(crate) fn new(reply: Reply, team: Arc<Team>, watch: TeamWatch) -> Self {
        let work = RunningJob::new(team, watch);
        Self { reply, work }
    }

    /// The editor wants no more of it.
    pub(crate) fn cancel(&self) {
        self.work.cancel();
    }

    /// How it ended; nothing after a bug.
    pub(crate) async fn ended(&mut self) -> Option<RunOutcome> {
        self.work.ended().await.map(|report| report.outcome)
    }

    /// It is no longer waited for: the team is about to be closed.
    pub(crate) async fn leave(self) -> Reply {
        self.work.leave().await;
        self.reply
    }
}

/// The answer to a prompt, and notes for the user besides.
pub(crate) fn answer(outcome: Option<RunOutcome>) -> (Result<Value, Refusal>, Option<String>) {
    let stop = |reason: &str| Ok(json!({ "stopReason": reason }));
    match outcome {
        Some(RunOutcome::Done) => (stop("end_turn"), None),
        Some(RunOutcome::Unfinished(what) | RunOutcome::GoalMissed(what)) => {
            (stop("end_turn"), Some(what))
        }
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
