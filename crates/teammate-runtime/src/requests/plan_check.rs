//! Answers plans that are not the lead's to answer: by the user's command, or with a rejection if the user cannot
//! be asked.

use std::sync::Arc;

use serde_json::json;
use teammate_core::{
    Incarnation, MemberName,
    event::EventKind,
    next_step::NextStep,
    permission::Mode,
    port::Caller,
    request::{Answer, Approver, PlanRequest, Principal, RequestId, RequestKind},
    tool::{CallId, ToolCall, ToolInput},
};

use super::RequestService;
use crate::{
    policy::{AskPolicy, PlanApprover},
    rights::Rights,
    tool_call::ToolRun,
};

impl RequestService {
    /// Answers a plan that neither the lead nor the user answers.
    pub(super) async fn answer_plan(self: Arc<Self>, id: RequestId, plan: PlanRequest) {
        let answer = match (
            plan.approver,
            &self.base.setup.config.plans,
            self.base.setup.config.policy,
        ) {
            (Approver::User, _, AskPolicy::Never) => {
                let step = self.base.setup.config.wording.words(&NextStep::AnswerPlans);
                self.emit_refused(id, &plan, format!("The user can {step}."));
                Answer::no(format!(
                    "plans are approved by the user, and the user cannot be asked here; the user can {step}"
                ))
            }
            (Approver::Rule, PlanApprover::Rule { command }, _) => {
                self.run_check(id, &plan, command).await
            }
            // The rule that it was submitted to no longer exists.
            (Approver::Rule, PlanApprover::Lead | PlanApprover::User, _) => {
                Answer::no("the rule that approves plans is no longer set; submit it again")
            }
            (Approver::Lead, ..) | (Approver::User, _, AskPolicy::User { .. }) => return,
        };
        // Reported, if it no longer has an effect.
        let _ = self
            .requests
            .answer(
                (id, None),
                Some(RequestKind::Plan),
                (Principal::System, None),
                answer,
            )
            .await;
    }

    /// A plan is rejected, and counted, like a call for which the user cannot be asked.
    fn emit_refused(&self, id: RequestId, plan: &PlanRequest, hint: String) {
        let author = self
            .requests
            .request(id)
            .and_then(|request| request.from.name().cloned());
        let refused = EventKind::PermissionRefused {
            tool: "submit_plan".to_owned(),
            shows: plan.text.clone(),
            hint,
            call: None,
        };
        self.base
            .feed
            .emit(&author.unwrap_or_else(MemberName::lead), refused);
    }

    /// Runs the user's command. Whatever goes wrong with it is a no.
    async fn run_check(
        self: &Arc<Self>,
        id: RequestId,
        plan: &PlanRequest,
        command: &str,
    ) -> Answer {
        let Some(shell) = &self.base.setup.shell else {
            return Answer::no("the rule that approves plans could not be run: there is no shell");
        };
        let input = json!({ "command": command }).to_string();
        let rights = Rights::of_user(&self.base);
        let lead = self.base.ledger.team().member(&MemberName::lead()).cloned();
        let caller = Caller {
            name: MemberName::lead(),
            incarnation: lead.map_or(Incarnation::FIRST, |lead| lead.incarnation),
            call: PlanRequest::check_cause(id),
            sources: Arc::default(),
            subagent: None,
        };
        let mut context = self.contexts.tool_context(&rights, caller);
        // As a variable, so that nothing in the plan is read by the shell.
        let variable = ("PLAN".to_owned(), plan.text.clone());
        let environment = context.environment.iter().cloned().chain([variable]);
        context.environment = Arc::new(environment.collect());
        let dispatch = ToolRun {
            base: self.base.clone(),
            gate: self.gate.clone(),
            tool: shell.clone(),
            call: ToolCall {
                id: CallId::new(format!("rule-{id}")),
                name: shell.spec().name.clone().into_owned(),
                input: ToolInput::from_json(input),
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
                always: None,
            }
        }
    }
}
