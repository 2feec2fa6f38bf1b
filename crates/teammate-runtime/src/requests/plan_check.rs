//! Who answers plans when it is not the lead: a command that the user chose, or nobody, where no person can be asked.

use std::sync::Arc;

use serde_json::json;
use teammate_core::{
    Incarnation, MemberName,
    event::What,
    permission::Mode,
    port::Caller,
    request::{Answer, Approver, KindName, Party, RequestId, SubmitPlan},
    tool::{CallId, ToolCall, ToolInput},
};

use super::RequestKeeper;
use crate::{
    dispatch::Dispatch,
    policy::{PlanPolicy, Policy},
    rights::Rights,
};

impl RequestKeeper {
    /// Has a plan answered that neither the lead nor a person answers.
    pub(super) async fn answer_plan(self: Arc<Self>, id: RequestId, plan: SubmitPlan) {
        let answer = match (
            plan.approver,
            &self.base.setup.config.plans,
            self.base.setup.config.policy,
        ) {
            (Approver::User, _, Policy::Nobody) => {
                self.tell_refused(id, &plan);
                Answer::no(
                    "plans are approved by the user, and nobody can be asked here; the user can start with --plan-approver lead, or answer from \
                     another terminal with --answers wait",
                )
            }
            (Approver::Rule, PlanPolicy::Rule { command }, _) => {
                self.weigh(id, &plan, command).await
            }
            // The rule that it was submitted to is gone.
            (Approver::Rule, PlanPolicy::Lead | PlanPolicy::User, _) => {
                Answer::no("the rule that approves plans is no longer set; submit it again")
            }
            (Approver::Lead, ..) | (Approver::User, _, Policy::Person { .. }) => return,
        };
        // Noted, if it counts for nothing any more.
        let _ = self
            .requests
            .answer(id, Some(KindName::Plan), Party::System, answer)
            .await;
    }

    /// A plan that nobody can be asked about is refused like a call that nobody can be asked about, and counted with those.
    fn tell_refused(&self, id: RequestId, plan: &SubmitPlan) {
        let author = self
            .requests
            .request(id)
            .and_then(|request| request.from.name().cloned());
        let refused = What::PermissionRefused {
            tool: "submit_plan".to_owned(),
            shows: plan.text.clone(),
            hint: "The user can start with --plan-approver lead, or answer from another terminal with --answers wait.".to_owned(),
            call: None,
        };
        self.base
            .feed
            .tell(&author.unwrap_or_else(MemberName::lead), refused);
    }

    /// Runs the user's command. Whatever goes wrong with it is a no.
    async fn weigh(self: &Arc<Self>, id: RequestId, plan: &SubmitPlan, command: &str) -> Answer {
        let Some(shell) = &self.base.setup.shell else {
            return Answer::no("the rule that approves plans could not be run: there is no shell");
        };
        let input = json!({ "command": command }).to_string();
        let rights = Rights::of_team(&self.base);
        let lead = self.base.ledger.team().member(&MemberName::lead()).cloned();
        let caller = Caller {
            name: MemberName::lead(),
            incarnation: lead.map_or(Incarnation::FIRST, |lead| lead.incarnation),
            call: SubmitPlan::check_cause(id),
        };
        let mut context = self.contexts.context(&rights, caller);
        // As a variable, so that nothing in the plan is read by the shell.
        let variable = ("PLAN".to_owned(), plan.text.clone());
        let environment = context.environment.iter().cloned().chain([variable]);
        context.environment = Arc::new(environment.collect());
        let dispatch = Dispatch {
            base: self.base.clone(),
            gate: self.gate.clone(),
            tool: shell.clone(),
            call: ToolCall {
                id: CallId::new(format!("rule-{id}")),
                name: shell.spec().name.clone().into_owned(),
                input: ToolInput::read(input),
            },
            // The user's own command.
            mode: Mode::Bypass,
            context,
            subagent: None,
        };
        let outcome = dispatch.run().await;
        let said = outcome.text();
        if outcome.is_error {
            Answer::no(said)
        } else {
            Answer::Approve {
                note: said,
                mode: None,
                always: false,
            }
        }
    }
}
