//! A team that this process runs: what moves in it, one thing after the other.

use std::sync::Arc;

use teammate::{Event, EventFeed, Team, TeamState};
use tokio::{sync::watch, task::JoinSet};

/// A team that runs.
pub(crate) struct RunningTeam {
    pub(crate) team: Arc<Team>,
    feed: EventFeed,
    changes: watch::Receiver<Arc<TeamState>>,
    /// Ends when another terminal wants the team paused.
    closing: JoinSet<()>,
}

/// A move of the team.
pub(crate) enum Moved<Came, End> {
    /// Something happened.
    Event(Arc<Event>),
    /// The team is another by now: its board, its requests, its mode.
    Changed,
    /// The other side has answered a question.
    Answered(Came),
    /// The team rests, and this came of what it was given.
    Ended(End),
    /// Another terminal wants the team paused.
    ToClose,
}

impl RunningTeam {
    /// Of a team that is prepared, or was started.
    pub(crate) fn new(team: Team) -> Self {
        let mut closing = JoinSet::new();
        closing.spawn(team.close_requested());
        Self {
            feed: team.events(),
            changes: team.changes(),
            closing,
            team: Arc::new(team),
        }
    }

    /// What it is now counts as a change.
    pub(crate) fn mark_changed(&mut self) {
        self.changes.mark_changed();
    }

    /// The next thing that moves: of the team, an answer that `came`, or that what it was given has `ended`, if it was given something.
    /// Given up and called again, nothing is lost, if the same holds for both.
    pub(crate) async fn moved<Came, End>(
        &mut self,
        came: impl Future<Output = Came>,
        ended: Option<impl Future<Output = End>>,
    ) -> Moved<Came, End> {
        let ended = async {
            match ended {
                Some(ended) => ended.await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // What happened comes before what follows from it.
            biased;
            Some(event) = self.feed.next() => Moved::Event(event),
            Ok(()) = self.changes.changed() => Moved::Changed,
            came = came => Moved::Answered(came),
            end = ended => Moved::Ended(end),
            Some(_) = self.closing.join_next() => Moved::ToClose,
        }
    }

    /// The next event that has happened already.
    pub(crate) fn happened(&mut self) -> Option<Arc<Event>> {
        self.feed.try_next()
    }

    /// The team as it is now.
    pub(crate) fn state(&mut self) -> Arc<TeamState> {
        self.changes.borrow_and_update().clone()
    }

    /// Closes the team, which nobody else has any more: what is unfinished goes on when it is opened again. Returns what the user
    /// should know of it.
    pub(crate) async fn close(self) -> Vec<String> {
        drop((self.closing, self.feed));
        match Arc::into_inner(self.team) {
            Some(team) => team.close().await,
            None => Vec::new(),
        }
    }
}
