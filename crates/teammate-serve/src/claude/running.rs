//! The team of a session, with what its caller has of it.

use std::time::Instant;

use teammate::{RunReport, Team};

use crate::{
    claude::asking::{Asking, Came},
    door::{
        job::RunningJob,
        running_team::{self, RunningTeam},
    },
};

/// Something that a caller said and that is worked on.
#[derive(Debug)]
pub(crate) struct InHand {
    pub(crate) began: Instant,
    /// Whether the lead was asked for its result once more.
    pub(crate) is_second_try: bool,
}

/// A team that runs for a session.
pub(crate) struct Running {
    pub(crate) run: RunningTeam,
    pub(crate) asking: Asking,
    /// What the caller said last, until it has its result.
    pub(crate) in_hand: Option<InHand>,
    pub(crate) job: Option<RunningJob>,
}

/// A move of it: an answer of the caller, or what came of what it said, among others.
pub(crate) type Moved = running_team::Moved<Came, Option<RunReport>>;

impl Running {
    /// Of a team that is prepared.
    pub(crate) fn new(team: Team) -> Self {
        Self {
            run: RunningTeam::new(team),
            asking: Asking::default(),
            in_hand: None,
            job: None,
        }
    }

    /// The next thing that moves. Given up and called again, nothing is lost.
    pub(crate) async fn moved(&mut self) -> Moved {
        let ended = self.job.as_mut().map(RunningJob::ended);
        self.run.moved(self.asking.next(), ended).await
    }

    /// Closes the team. Returns what the user should know of it.
    pub(crate) async fn close(self) -> Vec<String> {
        if let Some(job) = self.job {
            job.leave().await;
        }
        drop(self.asking);
        self.run.close().await
    }
}
