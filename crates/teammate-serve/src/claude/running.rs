//! The team of a session, which this process runs: what moves in it, one thing after the other.

use std::{sync::Arc, time::Instant};

use teammate::{Event, EventFeed, RunReport, Team, TeamState};
use tokio::{sync::watch, task::JoinSet};

use crate::{
    claude::asking::{Asking, Came},
    job::RunningJob,
};

/// Something that a caller said and that is worked on.
#[derive(Debug)]
pub(crate) struct InHand {
    pub(crate) began: Instant,
    /// Whether the lead was asked for its result once more.
    pub(crate) is_second_try: bool,
}

/// A team that runs.
pub(crate) struct Running {
    pub(crate) team: Arc<Team>,
    pub(crate) asking: Asking,
    /// What the caller said last, until it has its result.
    pub(crate) in_hand: Option<InHand>,
    pub(crate) job: Option<RunningJob>,
    feed: EventFeed,
    changes: watch::Receiver<Arc<TeamState>>,
    /// Ends when another terminal wants the team paused.
    closing: JoinSet<()>,
}

/// A move of the team.
pub(crate) enum Moved {
    /// Something happened.
    Event(Arc<Event>),
    /// The team is another by now: its requests.
    Changed,
    /// The caller has answered a question.
    Answered(Came),
    /// The team rests, and this came of what it was given.
    Ended(Option<RunReport>),
    /// Another terminal wants the team paused.
    ToClose,
}

impl Running {
    /// Of a team that is prepared.
    pub(crate) fn new(team: Team) -> Self {
        let mut closing = JoinSet::new();
        closing.spawn(team.close_requested());
        Self {
            feed: team.events(),
            changes: team.changes(),
            closing,
            team: Arc::new(team),
            asking: Asking::default(),
            in_hand: None,
            job: None,
        }
    }

    /// The next thing that moves. Given up and called again, nothing is lost.
    pub(crate) async fn moved(&mut self) -> Moved {
        let job = &mut self.job;
        let ended = async {
            match job {
                Some(job) => job.ended().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // What happened comes before what follows from it.
            biased;
            Some(event) = self.feed.next() => Moved::Event(event),
            Ok(()) = self.changes.changed() => {
                self.changes.borrow_and_update();
                Moved::Changed
            }
            came = self.asking.next() => Moved::Answered(came),
            report = ended => Moved::Ended(report),
            Some(_) = self.closing.join_next() => Moved::ToClose,
        }
    }

    /// The next event that has happened already.
    pub(crate) fn happened(&mut self) -> Option<Arc<Event>> {
        self.feed.try_next()
    }

    /// Closes the team. Returns what the user should know of it.
    pub(crate) async fn close(self) -> Vec<String> {
        if let Some(job) = self.job {
            job.leave().await;
        }
        drop((self.asking, self.closing, self.feed));
        // Nobody else has it: the job has ended.
        match Arc::into_inner(self.team) {
            Some(team) => team.close().await,
            None => Vec::new(),
        }
    }
}
