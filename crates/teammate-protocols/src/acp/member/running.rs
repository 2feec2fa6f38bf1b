//! An agent in a session, as the team uses it: prompted, cut in its turn with whatever the turn started, and ended.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::port::{AgentAnswer, AgentError, AgentSession, BoxFuture, Census};
use teammate_core::{lock::Hold, model::Usage};
use tokio::{task::JoinHandle, time::timeout};

use super::{described, hearing::Hearing, team_tools::TeamToolServer};
use crate::acp::{
    agent::AcpAgent,
    failure::AgentFailure,
    session::{AgentTurn, Session, Stop},
    timeouts::AgentTimeouts,
};

/// How long a turn may take: the member can be interrupted.
const TURN_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60);

type Turn = JoinHandle<Result<AgentTurn, AgentFailure>>;

/// An agent that runs.
pub(super) struct RunningAgent {
    agent: Arc<AcpAgent>,
    session: Arc<Session>,
    hearing: Arc<Hearing>,
    timeouts: AgentTimeouts,
    /// The turn that runs, with the processes that there were before it.
    turn: Mutex<Option<(Turn, Vec<u32>)>>,
    _tools: TeamToolServer,
}

impl RunningAgent {
    pub(super) fn new(
        agent: AcpAgent,
        session: Session,
        hearing: Arc<Hearing>,
        tools: TeamToolServer,
        timeouts: AgentTimeouts,
    ) -> Self {
        Self {
            agent: Arc::new(agent),
            session: Arc::new(session),
            hearing,
            timeouts,
            turn: Mutex::default(),
            _tools: tools,
        }
    }

    fn take_turn(&self) -> Option<(Turn, Vec<u32>)> {
        self.turn.hold().take()
    }

    async fn prompted(&self, text: String) -> Result<AgentAnswer, AgentError> {
        let census = self.agent.census();
        let before = on_processes(census, |census| census.processes()).await;
        let (agent, session) = (self.agent.clone(), self.session.clone());
        let (sender, ended) = tokio::sync::oneshot::channel();
        self.hearing.begin_turn();
        let hearing = self.hearing.clone();
        let turn = tokio::spawn(async move {
            let answer = agent.prompt(&session, &text, TURN_MAX).await;
            let said = hearing.end_turn();
            // Who asked may have given up; then the turn is cut.
            let _ = sender.send((answer.clone(), said));
            answer
        });
        *self.turn.hold() = Some((turn, before.unwrap_or_default()));
        let lost = |_| AgentError::Lost("its turn was given up".to_owned());
        let (answer, said) = ended.await.map_err(lost)?;
        drop(self.take_turn());
        let turn = answer.map_err(|failure| described(&failure))?;
        Ok(AgentAnswer {
            text: said,
            stopped_by: match turn.stop {
                Stop::Done => None,
                Stop::Cancelled => Some("cancelled".to_owned()),
                Stop::Other(word) => Some(word),
            },
            usage: Usage {
                reported_micros: self.hearing.take_cost(),
                ..turn.usage
            },
        })
    }

    async fn cut_turn(&self) -> bool {
        let Some((turn, before)) = self.take_turn() else {
            return true;
        };
        // Questions of it are no longer answered.
        drop(self.hearing.end_turn());
        let is_heard = self.agent.cancel(&self.session).await.is_ok();
        let abort = turn.abort_handle();
        let ended = is_heard
            && timeout(self.timeouts.rest, turn)
                .await
                .is_ok_and(|end| end.is_ok_and(|it| it.is_ok()));
        abort.abort();
        let census = self.agent.census();
        let is_swept = on_processes(census, move |census| census.end_others(&before)).await;
        ended && is_swept.is_some()
    }
}

impl AgentSession for RunningAgent {
    fn prompt(&self, text: String) -> BoxFuture<'_, Result<AgentAnswer, AgentError>> {
        Box::pin(self.prompted(text))
    }

    fn cut(&self) -> BoxFuture<'_, bool> {
        Box::pin(self.cut_turn())
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            if let Some((turn, _)) = self.take_turn() {
                turn.abort();
            }
            let _ = self.agent.close().await;
        })
    }
}

impl Drop for RunningAgent {
    fn drop(&mut self) {
        // It would keep the agent.
        if let Some((turn, _)) = self.take_turn() {
            turn.abort();
        }
    }
}

/// The system's table of processes is read where nothing else waits.
async fn on_processes<T: Send + 'static>(
    census: Arc<dyn Census>,
    look: impl FnOnce(&dyn Census) -> Option<T> + Send + 'static,
) -> Option<T> {
    let looked = tokio::task::spawn_blocking(move || look(&*census)).await;
    looked.ok().flatten()
}
