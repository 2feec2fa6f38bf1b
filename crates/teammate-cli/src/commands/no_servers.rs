//! Teams on servers, as a program finds them that is built without the feature `nats`: there are none.

use super::{CliContext, known_teams::KnownTeams};

impl CliContext {
    pub(super) async fn found(self) -> anyhow::Result<Self> {
        Ok(self)
    }

    pub(super) async fn taken_up_by_workers(&self) -> anyhow::Result<Option<String>> {
        Ok(None)
    }

    pub(super) async fn and_on_servers(&self, known: KnownTeams) -> KnownTeams {
        known
    }
}
