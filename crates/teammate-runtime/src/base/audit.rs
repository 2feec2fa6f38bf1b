//! Entries of the audit log. Without one nothing is recorded, and nothing is kept from running.

use teammate_core::{
    MemberName,
    audit::{AuditEntry, AuditEvent},
};

use super::Base;
use crate::config::AuditUse;

impl Base {
    /// Records this before it happens. An error is a sentence for the model: where the log is required, nothing happens that
    /// is not in it. Elsewhere the user hears once that it cannot be written.
    pub(crate) fn audit(&self, member: &MemberName, what: AuditEvent) -> Result<(), String> {
        self.audit_of(Some(member), what)
    }

    /// Records an action of the user on the whole team.
    pub(crate) fn audit_user(&self, what: AuditEvent) -> Result<(), String> {
        self.audit_of(None, what)
    }

    fn audit_of(&self, member: Option<&MemberName>, what: AuditEvent) -> Result<(), String> {
        let Some(log) = &self.ports.audit else {
            return Ok(());
        };
        let entry = AuditEntry {
            at: self.ports.clock.now(),
            pid: std::process::id(),
            member: member.cloned(),
            what,
        };
        let Err(error) = log.record(&entry) else {
            return Ok(());
        };
        match self.setup.config.audit {
            AuditUse::Required => Err(format!(
                "Not run: it has to be recorded in the audit log first, and that failed: {error}."
            )),
            AuditUse::On | AuditUse::Off => {
                self.audit_fails.call_once(|| {
                    let text = format!(
                        "the audit log cannot be written: {error}; work goes on without it"
                    );
                    let lead = MemberName::lead();
                    self.feed.note(member.unwrap_or(&lead), text);
                });
                Ok(())
            }
        }
    }

    /// Records what has happened already.
    pub(crate) fn audit_later(&self, member: &MemberName, what: AuditEvent) {
        // If the next action has to be recorded first, it will say that it cannot be.
        let _ = self.audit(member, what);
    }
}
