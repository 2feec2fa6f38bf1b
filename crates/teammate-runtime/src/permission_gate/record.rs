//! The audit log's record of a decision: the call whole, and who or what allowed it.

use teammate_core::{
    audit::{AllowedBy, AuditEvent, AuditedAction},
    permission::{Rule, Touches},
    tool::EffectClass,
};

use super::{CallRefusal, CheckedCall, PermissionGate, digest};

impl PermissionGate {
    /// Records the decision about a call, before it runs. Looking and talking with the team are not recorded.
    pub(super) fn recorded(
        &self,
        passing: &CheckedCall<'_>,
        decision: Result<AllowedBy, CallRefusal>,
    ) -> Result<(), CallRefusal> {
        match passing.class {
            EffectClass::Reads | EffectClass::Team | EffectClass::Delegates => {
                return decision.map(drop);
            }
            EffectClass::Writes | EffectClass::Executes | EffectClass::Calls => {}
        }
        let member = &passing.caller.name;
        let action = self.audited(passing);
        match decision {
            Ok(by) => Ok(self
                .base
                .audit(member, AuditEvent::Allowed { action, by })?),
            Err(refusal) => {
                let secrets = &self.base.setup.secrets;
                let event = AuditEvent::Refused {
                    action,
                    why: secrets.redact(&refusal.why).into_owned(),
                };
                self.base.audit_later(member, event);
                Err(refusal)
            }
        }
    }

    /// The mode or the rules that allow a call which nobody is asked about.
    pub(super) fn allowed_by(&self, passing: &CheckedCall<'_>) -> AllowedBy {
        if passing.mode.frees(passing.class) {
            return AllowedBy::Mode { mode: passing.mode };
        }
        let rules = self.rules();
        let needed = rules.allowing(passing.tool, &passing.action.target);
        let rules = needed.into_iter().map(Rule::describe).collect();
        AllowedBy::Rules { rules }
    }

    /// The action, for people and for whatever is written down: without secrets. A diff has lines of a file.
    pub(super) fn shown(&self, passing: &CheckedCall<'_>) -> String {
        let secrets = &self.base.setup.secrets;
        secrets.redact(&passing.action.shows).into_owned()
    }

    /// Why the call is a question.
    pub(super) fn because(&self, passing: &CheckedCall<'_>) -> String {
        if let Some(why) = passing.asked_by_hook {
            return format!("a hook asks: {why}");
        }
        let target = &passing.action.target;
        let rules = self.rules();
        let why = rules.because(passing.mode, passing.tool, passing.class, target);
        self.base.setup.secrets.redact(&why).into_owned()
    }

    /// The reach of the action, without secrets.
    pub(super) fn touches(&self, passing: &CheckedCall<'_>) -> Touches {
        let mut touches = Touches::of(passing.class, &passing.action.target);
        touches.each_text(|text| *text = self.base.setup.secrets.redact(text).into_owned());
        touches
    }

    fn audited(&self, passing: &CheckedCall<'_>) -> AuditedAction {
        AuditedAction {
            call: passing.caller.call.to_string(),
            tool: passing.tool.to_owned(),
            shows: self.shown(passing),
            place: passing.place.display().to_string(),
            digest: digest::digest(passing),
        }
    }
}
