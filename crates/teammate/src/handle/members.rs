//! What the user wants of members: their models, their plans, their end.

use std::time::Duration;

use teammate_core::{
    MemberName,
    model::{Effort, ModelRef},
    team::Job,
};

use teammate_runtime::SHUTDOWN_WITHIN;

use super::UserVerb;
use crate::{Team, TeamClient, TeamError};

/// Chooses another model for a member, another effort, or both: from its next model call on, and at later openings.
#[derive(Debug, Clone)]
pub struct ChooseModel {
    /// Whose.
    pub member: MemberName,
    /// `None` leaves what is.
    pub model: Option<ModelRef>,
    /// `None` leaves what is.
    pub effort: Option<Effort>,
}

/// Requires plans of a teammate, which only reads until one is approved. Done: the background jobs that this process ended for it.
#[derive(Debug, Clone)]
pub struct RequirePlan {
    /// Whose.
    pub member: MemberName,
    /// The work that the plan is for.
    pub about: String,
}

/// Lifts the requirement of plans, also the lead's.
#[derive(Debug, Clone)]
pub struct LiftPlan {
    /// Whose.
    pub member: MemberName,
}

/// Asks a teammate to shut down. The team's own process does not wait for it; events report the result.
#[derive(Debug, Clone)]
pub struct ShutDown {
    /// Whom.
    pub member: MemberName,
    /// When it is stopped at the latest: at once, if that is zero; `None` means the usual time.
    pub within: Option<Duration>,
}

impl UserVerb for ChooseModel {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        let member = self.member.as_str();
        team.host
            .choose_model(member, self.model, self.effort)
            .await?;
        Ok(())
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        client
            .choose_model(&self.member, self.model, self.effort)
            .await
    }
}

impl UserVerb for RequirePlan {
    type Done = Vec<String>;

    async fn here(self, team: &Team) -> Result<Vec<String>, TeamError> {
        let member = self.member.as_str();
        let required = team.host.require_plan(member, &self.about).await?;
        Ok(required.ended.iter().map(Job::named).collect())
    }

    async fn there(self, client: &mut TeamClient) -> Result<Vec<String>, TeamError> {
        let required = client.require_plan(&self.member, &self.about).await;
        required.map(|()| Vec::new())
    }
}

impl UserVerb for LiftPlan {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        team.host.lift_plan(self.member.as_str()).await?;
        Ok(())
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        client.lift_plan(&self.member).await
    }
}

impl UserVerb for ShutDown {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        let within = self.within.unwrap_or_else(|| team.host.shutdown_within());
        let member = self.member.as_str();
        team.host.request_shutdown(member, within).await?;
        Ok(())
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        // What is set for the team, only the process knows that runs it.
        let within = self.within.unwrap_or(SHUTDOWN_WITHIN);
        client.stop(&self.member, within).await.map(|_| ())
    }
}
