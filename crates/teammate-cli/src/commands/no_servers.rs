//! Teams on servers, as a program finds them that is built without the feature `nats`: there are none, and no flags of theirs.

use std::process::ExitCode;

use clap::Args;
use teammate::audit::AuditTrail;

use super::{CliContext, known_teams::ListedTeams};
use crate::settings::Options;

impl CliContext {
    pub(super) async fn found(self) -> anyhow::Result<Self> {
        Ok(self)
    }

    pub(super) async fn taken_up_by_workers(&self) -> anyhow::Result<Option<String>> {
        Ok(None)
    }

    pub(super) async fn and_on_servers(&self, known: ListedTeams) -> ListedTeams {
        known
    }

    pub(super) fn audit_on_servers(&self) -> anyhow::Result<Option<AuditTrail>> {
        Ok(None)
    }

    pub(super) async fn standing_rules(&self) -> Vec<String> {
        Vec::new()
    }

    pub(super) async fn remove_standing_rule(&self, _: &str) -> anyhow::Result<bool> {
        Ok(false)
    }
}

/// No flags.
#[derive(Args)]
pub(super) struct NoFlags {}

impl NoFlags {
    /// `teammate doctor` looks at no servers.
    pub(super) async fn findings<Finding>(&self, _: &Options) -> Option<Vec<Finding>> {
        None
    }

    /// `teammate up` runs the team here.
    pub(super) async fn run(&self, _: &CliContext, _: bool) -> anyhow::Result<Option<ExitCode>> {
        Ok(None)
    }
}
