//! A team that this process runs for a session: what moves in it, one thing after the other.

use std::sync::Arc;

use teammate::{Event, EventFeed, RunOutcome, Team, TeamState, UserMessage};
use tokio::{sync::watch, task::JoinSet};

use crate::acp::{
    asking::{Asking, Came},
    outbox::Reply,
    turn::Turn,
};

/// A team that runs.
pub(crate) struct OpenTeam {
    pub(crate) team: Arc<Team>,
    pub(crate) asking: Asking,
    pub(crate) turn: Option<Turn>,
    feed: EventFeed,
    changes: watch::Receiver<Arc<TeamState>>,
    /// Ends when another terminal wants the team paused.
    closing: JoinSet<()>,
}

/// A move of the team.
pub(crate) enum Moved {
    /// Something happened.
    Event(Arc<Event>),
    /// The team is another by now: its board, its requests, its mode.
    Changed,
    /// The editor has answered a question.
    Answered(Came),
    /// The team rests, and this came of the prompt.
    Ended(Option<RunOutcome>),
    /// Another terminal wants the team paused.
    ToClose,
}

impl OpenTeam {
    /// Of a team that is prepared, or was started.
    pub(crate) fn new(team: Team) -> Self {
        let mut changes = team.changes();
        changes.mark_changed();
        let mut closing = JoinSet::new();
        closing.spawn(team.close_requested());
        Self {
            feed: team.events(),
            changes,
            closing,
            team: Arc::new(team),
            asking: Asking::default(),
            turn: None,
        }
    }

    /// The next thing that moves. Given up and called again, nothing is lost.
    pub(crate) async fn moved(&mut self) -> Moved {
        let turn = &mut self.turn;
        let ended = async {
            match turn {
                Some(turn) => turn.ended().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            // What happened comes before what follows from it.
            biased;
            Some(event) = self.feed.next() => Moved::Event(event),
            Ok(()) = self.changes.changed() => Moved::Changed,
            came = self.asking.next() => Moved::Answered(came),
            outcome = ended => Moved::Ended(outcome),
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

    /// Says something to the lead, and answers when the team rests.
    pub(crate) async fn prompt(
        &mut self,
        reply: Reply,
        message: UserMessage,
    ) -> Result<(), (Reply, String)> {
        let watch = self.team.watch();
        if let Err(error) = self.team.send("lead", message).await {
            return Err((reply, error.to_string()));
        }
        self.turn = Some(Turn::new(reply, self.team.clone(), watch));
        Ok(())
    }

    /// Closes the team: what is unfinished goes on when it is opened again. Returns what waited for its end, and what the user should
    /// know of it.
    pub(crate) async fn close(self) -> (Option<Reply>, Vec<String>) {
        let reply = match self.turn {
            Some(turn) => Some(turn.leave().await),
            None => None,
        };
        drop((self.asking, self.closing, self.feed));
        // Nobody else has it: the turn has ended.
        let notes = match Arc::into_inner(self.team) {
            Some(team) => team.close().await,
            None => Vec::new(),
        };
        (reply, notes)
    }
}
