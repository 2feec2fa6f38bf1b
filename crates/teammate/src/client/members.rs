//! What another process asks of members by records that the host takes up when it reads them: their plans and their models.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    budget::Budgets,
    cause::Cause,
    model::{Effort, ModelRef},
    port::Ids as _,
    request::{Principal, RequestCommand},
    team::Command,
};
use teammate_runtime::{PLAN_LIFTED, plan_wanted};
use teammate_store::clock::UuidV7Ids;

use super::TeamClient;
use crate::TeamError;

/// How the tool is called in mail from here. A member may know it by another name besides.
const SUBMIT_PLAN: &str = "submit_plan";

impl TeamClient {
    /// Requires plans of a teammate, as the user: it gets the subject, and only reads until a plan is approved. A team that runs
    /// ends its background jobs.
    pub async fn require_plan(
        &mut self,
        member: &MemberName,
        about: &str,
    ) -> Result<(), TeamError> {
        let call = Cause::user(UuidV7Ids.new_id());
        let require = RequestCommand::RequirePlan {
            member: member.clone(),
            by: Principal::User,
            call: call.clone(),
        };
        self.decide(&Command::Request(require)).await?;
        let text = plan_wanted(about, SUBMIT_PLAN);
        self.send_notice(member, &call, text).await
    }

    /// Lifts the requirement of plans, also the lead's, as the user.
    pub async fn lift_plan(&mut self, member: &MemberName) -> Result<(), TeamError> {
        let before = self.team().clone();
        let lift = RequestCommand::LiftPlan {
            member: member.clone(),
            by: Principal::User,
        };
        self.decide(&Command::Request(lift)).await?;
        if is_demanded(&before, member) && !is_demanded(self.team(), member) {
            let call = Cause::user(UuidV7Ids.new_id());
            self.send_notice(member, &call, PLAN_LIFTED.to_owned())
                .await?;
        }
        Ok(())
    }

    /// Chooses another model for a member, another effort, or both: from its next model call on, and at later openings. `None` leaves
    /// what is. Whether the model can be used is found out then.
    pub async fn choose_model(
        &mut self,
        member: &MemberName,
        model: Option<ModelRef>,
        effort: Option<Effort>,
    ) -> Result<(), TeamError> {
        let choose = Command::ChooseModel {
            member: member.clone(),
            model,
            effort,
        };
        self.decide(&choose).await
    }

    /// Sets what may be spent on all workers that run the team, in place of what was set before. Members that a budget has stopped
    /// go on. A worker's own settings count, too: of each limit the lower one.
    pub async fn set_budgets(&mut self, budgets: Budgets) -> Result<(), TeamError> {
        self.decide(&Command::SetBudgets(budgets)).await
    }
}

fn is_demanded(team: &Arc<teammate_core::team::TeamState>, member: &MemberName) -> bool {
    let member = team.member(member);
    member.is_some_and(|member| member.gate.demand().is_some())
}
