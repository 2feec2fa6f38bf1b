//! The end of a call in the audit log. A call that is interrupted, or whose team is closed, is dropped: that is its end, too.

use teammate_core::{
    audit::AuditEvent,
    tool::{EffectClass, Outcome},
};
use tokio::time::Instant;

use super::{ToolRun, millis_since};

/// Records the end of a call whose beginning the gate recorded: what it came to, or when it is dropped that it did not work.
pub(super) struct AuditedEnd<'a> {
    run: &'a ToolRun,
    begun: Instant,
    ok: bool,
    exit: Option<i32>,
}

impl<'a> AuditedEnd<'a> {
    /// The call begins.
    pub(super) fn of(run: &'a ToolRun, begun: Instant) -> Self {
        Self {
            run,
            begun,
            ok: false,
            exit: None,
        }
    }

    /// It has ended with this.
    pub(super) fn record(mut self, outcome: &Outcome) {
        self.ok = !outcome.is_error;
        self.exit = outcome.ran.as_ref().and_then(|ran| ran.exit);
    }
}

impl Drop for AuditedEnd<'_> {
    fn drop(&mut self) {
        match self.run.tool.spec().class {
            EffectClass::Reads | EffectClass::Team | EffectClass::Delegates => return,
            EffectClass::Writes | EffectClass::Executes | EffectClass::Calls => {}
        }
        let event = AuditEvent::Ended {
            call: self.run.context.caller.call.to_string(),
            tool: self.run.call.name.clone(),
            ok: self.ok,
            exit: self.exit,
            took_ms: millis_since(self.begun),
        };
        self.run.base.audit_later(self.run.member(), event);
    }
}
