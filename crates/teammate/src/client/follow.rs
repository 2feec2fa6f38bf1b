//! Following a team from another process: it is looked at again when the kernel says that its files changed.

use std::sync::Arc;

use teammate_core::port::Listening;

use super::TeamClient;
use crate::TeamError;

/// A team that is followed, as of the last change.
pub struct TeamFollower {
    client: TeamClient,
    _listening: Listening,
}

impl TeamClient {
    /// Follows the team from here on: as of now, and then as of each change of its journal.
    ///
    /// Errors: its files cannot be read.
    pub async fn follow(self) -> Result<TeamFollower, TeamError> {
        // Watched before it is read once more: nothing is missed in between.
        let listening = self.store.doorbells.listen();
        let mut follower = TeamFollower {
            client: self,
            _listening: listening,
        };
        follower.look_again().await?;
        Ok(follower)
    }
}

impl TeamFollower {
    /// The team as of the last change.
    pub fn client(&self) -> &TeamClient {
        &self.client
    }

    /// The team as of the last change, followed no more.
    pub fn into_client(self) -> TeamClient {
        self.client
    }

    /// Resolves when something was written to the team's journal, and has read it then. Waits for the kernel; looks by itself
    /// only where that has no file watch left. That the process that runs the team was killed changes no file.
    ///
    /// Errors: its files cannot be read.
    pub async fn changed(&mut self) -> Result<(), TeamError> {
        loop {
            self.client.store.store.journal.grew().await;
            if self.look_again().await? {
                return Ok(());
            }
        }
    }

    /// Looks at once, also where no file changed: takes what was appended since, and who runs the team. False if nothing is new.
    ///
    /// Errors: its files cannot be read.
    pub async fn look_again(&mut self) -> Result<bool, TeamError> {
        let client = &mut self.client;
        let (before, ran) = (client.team().clone(), client.holder.is_some());
        client.catch_up().await?;
        client.holder = client.store.presence.holder().await?;
        Ok(!Arc::ptr_eq(&before, client.team()) || ran != client.holder.is_some())
    }
}
