//! Wishes about members: their models, their plans, their end.

use std::time::Duration;

use teammate_core::{
    MemberName,
    cause::Cause,
    model::{Effort, ModelRef},
    port::Ids as _,
    request::{Principal, RequestCommand},
    team::{Command, Job, TeamState},
};
use teammate_runtime::{PLAN_LIFTED, SHUTDOWN_WITHIN, plan_wanted};
use teammate_store::clock::UuidV7Ids;

use super::UserVerb;
use crate::{Team, TeamClient, TeamError};

/// How the tool is called in mail of another process. A member may know it by another name besides.
const SUBMIT_PLAN: &str = "submit_plan";

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
        let choose = Command::ChooseModel {
            member: self.member,
            model: self.model,
            effort: self.effort,
        };
        client.decide(&choose).await
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
        let call = Cause::user(UuidV7Ids.new_id());
        let require = RequestCommand::RequirePlan {
            member: self.member.clone(),
            by: Principal::User,
            call: call.clone(),
        };
        client.decide(&Command::Request(require)).await?;
        let text = plan_wanted(&self.about, SUBMIT_PLAN);
        client.send_notice(&self.member, &call, text).await?;
        // The process that runs the team ends them.
        Ok(Vec::new())
    }
}

impl UserVerb for LiftPlan {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        team.host.lift_plan(self.member.as_str()).await?;
        Ok(())
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        let was_demanded = is_demanded(client.team(), &self.member);
        let lift = RequestCommand::LiftPlan {
            member: self.member.clone(),
            by: Principal::User,
        };
        client.decide(&Command::Request(lift)).await?;
        if was_demanded && !is_demanded(client.team(), &self.member) {
            let call = Cause::user(UuidV7Ids.new_id());
            let text = PLAN_LIFTED.to_owned();
            client.send_notice(&self.member, &call, text).await?;
        }
        Ok(())
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

fn is_demanded(team: &TeamState, member: &MemberName) -> bool {
    let member = team.member(member);
    member.is_some_and(|member| member.gate.demand().is_some())
}
