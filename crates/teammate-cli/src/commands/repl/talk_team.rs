//! The team that the prompt talks with: the one that this process runs, or that of another.

use std::{path::Path, sync::Arc};

use teammate::{BoxFuture, Team, TeamClient, TeamError, platform::process_ends, request::Request};
use tokio::sync::{Mutex, MutexGuard};

use crate::commands::typed::TypedTeam;

/// A team, as the prompt holds it.
#[derive(Clone, Copy)]
pub(super) enum TalkTeam<'a> {
    /// This process runs it; leaving closes it.
    Host(&'a Team),
    /// Another process runs it; leaving ends nothing.
    Client {
        client: &'a Mutex<TeamClient>,
        /// That process.
        host: Option<u32>,
    },
}

/// A team, as one typed line works on it.
pub(super) enum Reached<'a> {
    Host(&'a Team),
    Client(MutexGuard<'a, TeamClient>),
}

impl<'a> TalkTeam<'a> {
    /// The team as it is now.
    ///
    /// Errors: the journal cannot be read.
    pub(super) async fn reach(self) -> Result<Reached<'a>, TeamError> {
        Ok(match self {
            Self::Host(team) => Reached::Host(team),
            Self::Client { client, .. } => {
                let mut client = client.lock().await;
                client.catch_up().await?;
                Reached::Client(client)
            }
        })
    }

    /// The team, if this process runs it.
    pub(super) fn host(self) -> Option<&'a Team> {
        match self {
            Self::Host(team) => Some(team),
            Self::Client { .. } => None,
        }
    }

    /// Resolves when another terminal wants the team of this process closed, or the other process has ended.
    pub(super) fn ends(self) -> BoxFuture<'static, ()> {
        match self {
            Self::Host(team) => Box::pin(team.close_requested()),
            Self::Client { host, .. } => Box::pin(process_ends(host)),
        }
    }

    /// Waits until the members of this process have nothing to do; does not wait for those of another.
    pub(super) async fn wait_done(self) {
        if let Self::Host(team) = self {
            team.wait_done().await;
        }
    }
}

impl Reached<'_> {
    pub(super) fn typed(&mut self) -> TypedTeam<'_> {
        match self {
            Self::Host(team) => TypedTeam::Host(team),
            Self::Client(client) => TypedTeam::Client(client),
        }
    }

    pub(super) fn workspace(&self) -> &Path {
        match self {
            Self::Host(team) => team.workspace(),
            Self::Client(client) => client.workspace(),
        }
    }

    /// The questions that wait for the user.
    pub(super) fn questions(&self) -> Vec<Arc<Request>> {
        match self {
            Self::Host(team) => team.questions(),
            Self::Client(client) => client.team().questions().cloned().collect(),
        }
    }
}
