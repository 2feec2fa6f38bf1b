//! A team as its user reaches it: the one that this process runs, or that of another process or of workers. Who holds a handle
//! need not know which: looks and wishes are the same.

mod board;
mod goals;
mod look;
mod mail;
mod members;
mod mode;
mod pause;
mod requests;
mod turns;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::{port::BoxFuture, team::TeamState};
use tokio::sync::Mutex;

pub use self::{
    board::ActOnTask,
    goals::{EndGoal, SetGoal},
    look::TeamLook,
    mail::{Recall, Say},
    members::{ChooseModel, LiftPlan, RequirePlan, ShutDown},
    mode::ChooseMode,
    pause::{Continue, Pause},
    requests::AnswerRequest,
    turns::{Clear, Compact, Interrupt},
};
pub use crate::client::{find_member, known_request};
use crate::{Team, TeamClient, TeamError, platform::process_ends};

/// A team as its user reaches it. A clone reaches the same team.
#[derive(Clone)]
pub struct TeamHandle(Reach);

#[derive(Clone)]
enum Reach {
    /// This process runs it.
    Here(Arc<Team>),
    /// Another process runs it, or none: its journal and its mail.
    There(Arc<There>),
}

struct There {
    client: Mutex<TeamClient>,
    workspace: PathBuf,
    /// The process that ran it when the handle was made.
    process: Option<u32>,
}

/// Something that the user wants of a team, with what comes of it. Each is carried out in the process that runs the team: at once
/// here, and by way of the journal where that is another process.
pub trait UserVerb: Send + Sized {
    /// The result of the wish.
    type Done: Send;

    /// Carries it out in the process that runs the team.
    #[doc(hidden)]
    fn here(self, team: &Team) -> impl Future<Output = Result<Self::Done, TeamError>> + Send;

    /// Has it carried out by the process that runs the team, or by the next one that does.
    #[doc(hidden)]
    fn there(
        self,
        client: &mut TeamClient,
    ) -> impl Future<Output = Result<Self::Done, TeamError>> + Send;
}

impl Team {
    /// Does what the user wants of the team. Returns once it is durable.
    ///
    /// Errors: why it was not done.
    pub async fn ask<V: UserVerb>(&self, verb: V) -> Result<V::Done, TeamError> {
        verb.here(self).await
    }
}

impl TeamClient {
    /// Does what the user wants of the team. The process that runs it takes that up at once, or the next one that opens it. Returns
    /// once it is durable.
    ///
    /// Errors: why it was not done; the team does not run, where only a running one can do it.
    pub async fn ask<V: UserVerb>(&mut self, verb: V) -> Result<V::Done, TeamError> {
        verb.there(self).await
    }
}

impl TeamHandle {
    /// A team that this process runs. It is closed by who has the last of its `Arc`s.
    pub fn here(team: Arc<Team>) -> Self {
        Self(Reach::Here(team))
    }

    /// A team that another process runs, or nobody.
    pub fn there(client: TeamClient) -> Self {
        Self(Reach::There(Arc::new(There {
            workspace: client.workspace().to_owned(),
            process: client.host_process(),
            client: Mutex::new(client),
        })))
    }

    /// The team itself, where this process runs it: what only that process knows, as servers' states and rules of its command line.
    pub fn hosted(&self) -> Option<&Arc<Team>> {
        match &self.0 {
            Reach::Here(team) => Some(team),
            Reach::There(_) => None,
        }
    }

    /// The directory that members work in.
    pub fn workspace(&self) -> &Path {
        match &self.0 {
            Reach::Here(team) => team.workspace(),
            Reach::There(there) => &there.workspace,
        }
    }

    /// The team as it is now.
    ///
    /// Errors: the journal cannot be read.
    pub async fn state(&self) -> Result<Arc<TeamState>, TeamError> {
        match &self.0 {
            Reach::Here(team) => Ok(team.snapshot()),
            Reach::There(there) => {
                let mut client = there.client.lock().await;
                client.catch_up().await?;
                Ok(client.team().clone())
            }
        }
    }

    /// The team as its store shows it: also mail, conversations and what is recorded. Other looks and wishes of a team that another
    /// process runs wait until this one is dropped.
    ///
    /// Errors: the store cannot be read.
    pub async fn look(&self) -> Result<TeamLook<'_>, TeamError> {
        match &self.0 {
            Reach::Here(team) => Ok(TeamLook::opened(team.look().await?)),
            Reach::There(there) => {
                let mut client = there.client.lock().await;
                client.catch_up().await?;
                Ok(TeamLook::locked(client))
            }
        }
    }

    /// Does what the user wants. Returns once it is durable.
    ///
    /// Errors: why it was not done.
    pub async fn ask<V: UserVerb>(&self, verb: V) -> Result<V::Done, TeamError> {
        match &self.0 {
            Reach::Here(team) => team.ask(verb).await,
            Reach::There(there) => {
                let mut client = there.client.lock().await;
                // Members and requests that came after the opening are known by that.
                client.catch_up().await?;
                verb.there(&mut client).await
            }
        }
    }

    /// Resolves when somebody else wants the team of this process closed, or when the other process has ended.
    pub fn ends(&self) -> BoxFuture<'static, ()> {
        match &self.0 {
            Reach::Here(team) => Box::pin(team.close_requested()),
            Reach::There(there) => Box::pin(process_ends(there.process)),
        }
    }
}
