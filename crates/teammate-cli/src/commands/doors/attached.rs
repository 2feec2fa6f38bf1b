//! The way to a team that another process runs, or that nobody runs.

use std::sync::Arc;

use teammate::{BoxFuture, TeamClient};
use teammate_view::{Door, Fact, Verb, VerbResult};
use tokio::sync::Mutex;

use super::verbs::{self, Chosen};
use crate::commands::{CliContext, typed::TypedTeam};

/// The way to a team that another process runs: its journal and its mail.
pub(in crate::commands) struct Attached {
    client: Mutex<TeamClient>,
    place: CliContext,
    chosen: Arc<Chosen>,
}

impl Attached {
    pub(in crate::commands) fn new(
        client: TeamClient,
        place: CliContext,
        chosen: Arc<Chosen>,
    ) -> Self {
        let client = Mutex::new(client);
        Self {
            client,
            place,
            chosen,
        }
    }

    async fn do_it(&self, verb: Verb) -> VerbResult {
        let mut client = self.client.lock().await;
        // Members and requests that came after the opening are known by that.
        let caught_up = client.catch_up().await;
        caught_up.map_err(|error| error.to_string())?;
        let team = TypedTeam::Client(&mut client);
        verbs::ask(team, &self.place, &self.chosen, verb).await
    }
}

impl Door for Attached {
    fn ask(&self, verb: Verb) -> BoxFuture<'_, VerbResult> {
        Box::pin(self.do_it(verb))
    }

    fn history(&self) -> BoxFuture<'_, Result<Vec<Fact>, String>> {
        Box::pin(async {
            let history = self.client.lock().await.history();
            verbs::read_past(history).await
        })
    }
}
