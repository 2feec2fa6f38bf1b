//! The permission gate: rules first, then the user for what they leave open. No answer is a no.
//!
//! A question is a request in the journal. It can be answered from anywhere, it survives this process, and a yes allows exactly
//! one run of exactly what was shown.

mod connections;
mod digest;
mod hooked;
mod questions;
mod record;
mod refusal;
mod services;

use std::{
    sync::{Arc, RwLock},
    time::Duration,
};

use teammate_core::{
    audit::AllowedBy,
    event::{EventKind, RefusedBy},
    lock::HoldRw,
    next_step::NextStep,
    permission::{Breadth, Mode, Rule, RuleOrigin, RuleVerdict, Rules, rule_for_exactly},
    port::{Action, Caller, RuleBookError, Target},
    team::{Command, WaitingOn},
    tool::{EffectClass, ToolCall},
};

use crate::{base::Base, open_requests::OpenRequests, policy::AskPolicy};
pub(crate) use digest::digest_of;
pub(crate) use refusal::CallRefusal;
pub(crate) use services::ServiceQuestion;

/// The rules of one team as they are now.
pub(crate) struct PermissionGate {
    base: Arc<Base>,
    requests: Arc<OpenRequests>,
    rules: RwLock<Rules>,
}

/// A call that wants to pass.
pub(crate) struct CheckedCall<'a> {
    pub(crate) caller: &'a Caller,
    pub(crate) mode: Mode,
    pub(crate) tool: &'a str,
    pub(crate) class: EffectClass,
    pub(crate) action: &'a Action,
    /// Where it would run.
    pub(crate) place: &'a std::path::Path,
    /// The call as the model made it, by the tool's own name; none of a connection, which a command makes.
    pub(crate) call: Option<&'a ToolCall>,
    /// Whether an "always" can be the answer.
    pub(crate) offers_rules: bool,
    /// Why hooks have the user asked about it, whatever allows it.
    pub(crate) asked_by_hook: Option<&'a str>,
    /// The kind of the subagent that makes it.
    pub(crate) subagent: Option<&'a Arc<str>>,
}

/// How a call continues.
enum GateDecision {
    Run,
    Refuse(CallRefusal),
    /// Within this time.
    Ask(Duration),
}

/// How long the lead has to answer if the user cannot be asked.
const LEAD_ANSWERS_WITHIN: Duration = Duration::from_secs(10 * 60);

impl PermissionGate {
    pub(crate) fn new(base: Arc<Base>, requests: Arc<OpenRequests>) -> Self {
        Self {
            rules: RwLock::new(base.setup.config.rules.clone()),
            base,
            requests,
        }
    }

    fn decide(&self, passing: &CheckedCall<'_>) -> RuleVerdict {
        self.in_force(|rules| {
            rules.decide(
                passing.mode,
                passing.tool,
                passing.class,
                &passing.action.target,
            )
        })
    }

    /// Looks at the rules in force. On a worker the team's standing rules are among those that allow; its own that deny or ask
    /// come before them.
    fn in_force<T>(&self, look: impl FnOnce(&Rules) -> T) -> T {
        let rules = self.rules.hold_read();
        let team = self.base.ledger.team();
        let standing = team.standing_rules();
        if !self.base.deployment.keeps_rules_in_journal() || standing.is_empty() {
            return look(&rules);
        }
        let mut all = rules.clone();
        drop(rules);
        all.allow
            .extend(standing.iter().map(|standing| standing.rule.clone()));
        look(&all)
    }

    /// The user allowed so much from now on. It holds until the team is closed in any case; an error is why it is not kept,
    /// where it should be. A worker keeps nothing: the rule stands in the journal, for all workers.
    pub(crate) fn allow_always(&self, breadth: Breadth, rule: &str) -> Result<(), RuleBookError> {
        if self.base.deployment.keeps_rules_in_journal() {
            return Ok(());
        }
        let rule = Rule::parse(rule, RuleOrigin::Always)
            .map_err(|error| RuleBookError(error.to_string()))?;
        let kept = match (breadth, &self.base.ports.rule_book) {
            (Breadth::Exact | Breadth::Prefix, Some(book)) => book.add(&rule),
            (Breadth::Exact | Breadth::Prefix, None) | (Breadth::Tool, _) => Ok(()),
        };
        self.hold(rule);
        kept
    }

    /// The rule holds from now on.
    fn hold(&self, rule: Rule) {
        let mut rules = self.rules.hold_write();
        if !rules.allow.contains(&rule) {
            rules.allow.push(rule);
        }
    }

    pub(crate) fn rules(&self) -> Rules {
        self.in_force(Rules::clone)
    }

    /// `Ok` if the call may run. `waiting` is called when a question is open.
    pub(crate) async fn check(
        &self,
        passing: &CheckedCall<'_>,
        waiting: impl FnOnce(),
    ) -> Result<(), CallRefusal> {
        let decision = self.decided(passing, waiting).await;
        self.recorded(passing, decision)
    }

    /// Checks a call, and while a question is open the member's status says that it waits.
    pub(crate) async fn check_waiting(&self, passing: &CheckedCall<'_>) -> Result<(), CallRefusal> {
        let caller = passing.caller;
        let (member, incarnation) = (caller.name.clone(), caller.incarnation);
        let mut has_waited = false;
        let verdict = self
            .check(passing, || {
                has_waited = true;
                let on = WaitingOn::Permission;
                self.base.record_status(Command::Wait {
                    member: member.clone(),
                    incarnation,
                    on,
                });
            })
            .await;
        if has_waited {
            self.base.record_status(Command::StartTurn {
                member,
                incarnation,
            });
        }
        verdict
    }

    /// The rule or answer that allows the call, or why it may not run.
    async fn decided(
        &self,
        passing: &CheckedCall<'_>,
        waiting: impl FnOnce(),
    ) -> Result<AllowedBy, CallRefusal> {
        self.check_plan_gate(passing)?;
        let course = self.decision(passing);
        if !matches!(course, GateDecision::Ask(_)) {
            self.withdraw_questions(passing.caller, None).await?;
        }
        match course {
            GateDecision::Run => Ok(self.allowed_by(passing)),
            GateDecision::Refuse(why) => Err(why),
            GateDecision::Ask(deadline) => {
                let request = self.ask_user(passing, deadline, waiting).await?;
                // A plan may have been asked for meanwhile.
                self.check_plan_gate(passing)?;
                Ok(AllowedBy::Answer { request })
            }
        }
    }

    /// Refuses what no answer could allow: all but reading while the plan gate is closed, and what a rule denies. Otherwise
    /// the call still needs [`check`](Self::check).
    pub(crate) async fn refuse_early(&self, passing: &CheckedCall<'_>) -> Result<(), CallRefusal> {
        match self.refused_early(passing).await {
            Ok(()) => Ok(()),
            Err(why) => self.recorded(passing, Err(why)),
        }
    }

    async fn refused_early(&self, passing: &CheckedCall<'_>) -> Result<(), CallRefusal> {
        self.check_plan_gate(passing)?;
        match self.decide(passing) {
            RuleVerdict::Deny(rule) => {
                self.withdraw_questions(passing.caller, None).await?;
                Err(CallRefusal::by_rule(&rule))
            }
            RuleVerdict::Allow | RuleVerdict::Ask => Ok(()),
        }
    }

    /// The verdict of rules, mode and policy. If the user cannot be asked, the lead still can, within the user's
    /// ceiling.
    fn decision(&self, passing: &CheckedCall<'_>) -> GateDecision {
        let verdict = match self.decide(passing) {
            RuleVerdict::Allow if passing.asked_by_hook.is_some() => RuleVerdict::Ask,
            verdict => verdict,
        };
        match (verdict, self.base.setup.config.policy) {
            (RuleVerdict::Allow, _) => GateDecision::Run,
            (RuleVerdict::Deny(rule), _) => GateDecision::Refuse(CallRefusal::by_rule(&rule)),
            (RuleVerdict::Ask, AskPolicy::User { deadline }) => GateDecision::Ask(deadline),
            (RuleVerdict::Ask, AskPolicy::Never) if self.lead_may_allow(passing) => {
                GateDecision::Ask(LEAD_ANSWERS_WITHIN)
            }
            (RuleVerdict::Ask, AskPolicy::Never) => {
                GateDecision::Refuse(self.refuse_unasked(passing))
            }
        }
    }

    /// The rule for which the user is asked, whatever else allows it.
    fn asking(&self, passing: &CheckedCall<'_>) -> Option<Rule> {
        let target = &passing.action.target;
        self.in_force(|rules| rules.asking(passing.tool, target).cloned())
    }

    /// Whether the lead may answer in the user's place.
    fn lead_may_allow(&self, passing: &CheckedCall<'_>) -> bool {
        let target = &passing.action.target;
        // A hook asks the user.
        passing.asked_by_hook.is_none()
            && !passing.caller.name.is_lead()
            && self.in_force(|rules| rules.lead_may_allow(passing.tool, passing.class, target))
    }

    /// A member that needs an approved plan may only read, and talk with the team.
    fn check_plan_gate(&self, passing: &CheckedCall<'_>) -> Result<(), CallRefusal> {
        match passing.class {
            // What a subagent does is weighed call by call.
            EffectClass::Reads | EffectClass::Team | EffectClass::Delegates => return Ok(()),
            EffectClass::Writes | EffectClass::Executes | EffectClass::Calls => {}
        }
        let team = self.base.ledger.team();
        let caller = passing.caller;
        match team.member(&caller.name) {
            Some(member) if member.incarnation == caller.incarnation => {
                let refusal = member.gate.refusal();
                refusal.map_or(Ok(()), |why| Err(CallRefusal::of(RefusedBy::PlanGate, why)))
            }
            // Calls of an earlier incarnation are ignored.
            Some(_) | None => Err("Not run: you were stopped or spawned again since.".into()),
        }
    }

    /// The setting that would allow it, in a sentence or two.
    fn headless_hint(&self, passing: &CheckedCall<'_>, tool: &str) -> String {
        if let Some(why) = passing.asked_by_hook {
            return format!("A hook has the user asked: {why}");
        }
        if let Some(rule) = self.asking(passing) {
            return format!("{} has the user asked each time.", rule.describe());
        }
        let wording = self.base.setup.config.wording;
        let step = wording.words(&step_to_allow(passing, tool));
        match passing.action.target.unheld() {
            Some(gap) => format!("{gap}. The user can {step}."),
            None => format!("The user can {step}."),
        }
    }

    fn refuse_unasked(&self, passing: &CheckedCall<'_>) -> CallRefusal {
        let shown = self.base.tool_names.of(passing.tool);
        let hint = self.headless_hint(passing, passing.tool);
        let (tool, shows) = (passing.tool.to_owned(), self.shown(passing));
        let text = format!(
            "Not run: {shown} needs permission and nobody can be asked here. {}",
            self.headless_hint(passing, shown)
        );
        self.base.feed.emit(
            &passing.caller.name,
            EventKind::PermissionRefused {
                tool,
                shows,
                hint,
                call: passing.call.map(|call| call.id.clone()),
            },
        );
        CallRefusal::of(RefusedBy::Nobody, text)
    }
}

/// The step that would allow it, with the tool by this name: rules know the names of tools of the world that models are
/// shown, too.
fn step_to_allow(passing: &CheckedCall<'_>, tool: &str) -> NextStep {
    let (mode, pattern) = match &passing.action.target {
        target if target.unheld().is_some() => return NextStep::AcceptWeakerSandbox,
        Target::Command(command) => (Mode::Bypass, command.text.clone()),
        Target::Path(path) => (Mode::AcceptEdits, path.resolved.display().to_string()),
        Target::Host(_) => match rule_for_exactly(passing.tool, passing.action) {
            Some(rule) => return NextStep::AllowByRule(rule.to_string()),
            None => (Mode::Bypass, "*".to_owned()),
        },
        Target::Team => (Mode::Bypass, "*".to_owned()),
    };
    NextStep::AllowByModeOrRule(mode, format!("{tool}({pattern})"))
}
