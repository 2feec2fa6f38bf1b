//! A look at a team's store.

use std::ops::Deref;

use tokio::sync::MutexGuard;

use crate::TeamClient;

/// A look at a team's store, through a client that was caught up with just before.
pub struct TeamLook<'a>(Look<'a>);

enum Look<'a> {
    Opened(Box<TeamClient>),
    Locked(MutexGuard<'a, TeamClient>),
}

impl<'a> TeamLook<'a> {
    pub(super) fn opened(client: TeamClient) -> Self {
        Self(Look::Opened(Box::new(client)))
    }

    pub(super) fn locked(client: MutexGuard<'a, TeamClient>) -> Self {
        Self(Look::Locked(client))
    }
}

impl Deref for TeamLook<'_> {
    type Target = TeamClient;

    fn deref(&self) -> &TeamClient {
        match &self.0 {
            Look::Opened(client) => client,
            Look::Locked(client) => client,
        }
    }
}
