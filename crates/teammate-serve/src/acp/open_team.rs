//! The team of a session, with what its editor has of it.

use teammate::{RunOutcome, Team, UserMessage};

use crate::{
    acp::{
        asking::{Asking, Came},
        outbox::Reply,
        turn::Turn,
    },
    door::running_team::{self, RunningTeam},
};

/// A team that runs for a session.
pub(crate) struct OpenTeam {
    pub(crate) run: RunningTeam,
    pub(crate) asking: Asking,
    pub(crate) turn: Option<Turn>,
}

/// A move of it: an answer of the editor, or what came of the prompt, among others.
pub(crate) type Moved = running_team::Moved<Came, Option<RunOutcome>>;

impl OpenTeam {
    /// Of a team that is prepared, or was started.
    pub(crate) fn new(team: Team) -> Self {
        let mut run = RunningTeam::new(team);
        run.mark_changed();
        Self {
            run,
            asking: Asking::default(),
            turn: None,
        }
    }

    /// The next thing that moves. Given up and called again, nothing is lost.
    pub(crate) async fn moved(&mut self) -> Moved {
        let ended = self.turn.as_mut().map(Turn::ended);
        self.run.moved(self.asking.next(), ended).await
    }

    /// Says something to the lead, and answers when the team rests.
    pub(crate) async fn prompt(
        &mut self,
        reply: Reply,
        message: UserMessage,
    ) -> Result<(), (Reply, String)> {
        let team = &self.run.team;
        let watch = team.watch();
        if let Err(error) = team.send("lead", message).await {
            return Err((reply, error.to_string()));
        }
        self.turn = Some(Turn::new(reply, team.clone(), watch));
        Ok(())
    }

    /// Closes the team. Returns what waited for its end, and what the user should know of it.
    pub(crate) async fn close(self) -> (Option<Reply>, Vec<String>) {
        let reply = match self.turn {
            Some(turn) => Some(turn.leave().await),
            None => None,
        };
        drop(self.asking);
        (reply, self.run.close().await)
    }
}
