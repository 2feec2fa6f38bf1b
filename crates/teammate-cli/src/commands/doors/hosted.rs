//! The way to a team that this process runs.

use std::sync::Arc;

use teammate::{BoxFuture, Team};
use teammate_view::{Door, Fact, Verb, VerbResult};

use super::verbs::{self, Chosen};
use crate::commands::{CliContext, typed::TypedTeam};

/// The way to a team that this process runs.
pub(in crate::commands) struct Hosted {
    pub(in crate::commands) team: Arc<Team>,
    pub(in crate::commands) place: CliContext,
    pub(in crate::commands) chosen: Arc<Chosen>,
}

impl Door for Hosted {
    fn ask(&self, verb: Verb) -> BoxFuture<'_, VerbResult> {
        let team = TypedTeam::Host(&self.team);
        Box::pin(verbs::ask(team, &self.place, &self.chosen, verb))
    }

    fn history(&self) -> BoxFuture<'_, Result<Vec<Fact>, String>> {
        Box::pin(async {
            let client = self.team.look().await.map_err(|error| error.to_string())?;
            verbs::read_past(client.history()).await
        })
    }
}
