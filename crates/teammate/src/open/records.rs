//! What an opening writes into the audit log, and which old records it removes.

use std::{path::Path, sync::Arc, time::SystemTime};

use teammate_core::{audit::AuditEvent, port::AuditError};
use teammate_process::TeamSandbox;
use teammate_runtime::AuditUse;

use crate::{
    TeamError,
    audit::AuditFile,
    builder::TeamBuilder,
    file_stores::FileStores,
    policy::MachinePolicy,
    purge::{old_parts, remove},
};

impl TeamBuilder {
    /// The opening, as the audit log has it.
    pub(super) fn opened(
        &self,
        (root, sandbox): (&Path, &TeamSandbox),
        policy: Option<&MachinePolicy>,
    ) -> AuditEvent {
        AuditEvent::Opened {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            workspace: root.display().to_string(),
            mode: self.config.mode,
            sandbox: level_of(sandbox),
            policy: policy.map(|policy| policy.path().display().to_string()),
        }
    }

    /// The audit log, in which the opening stands; `None` if there is none. Besides, what the user should know.
    ///
    /// Errors: it is required, and cannot be written.
    pub(super) fn audit(
        &self,
        files: &FileStores,
        opened: AuditEvent,
    ) -> Result<(Option<Arc<AuditFile>>, Option<String>), TeamError> {
        if self.config.audit == AuditUse::Off {
            return Ok((None, None));
        }
        let site = &files.site;
        let file = AuditFile::of(&self.user, &site.workspace, &site.audit_key);
        let tried = match file {
            Ok(Some(file)) => file.note(&*files.clock, opened).map(|()| file),
            // A program that names no state directory wants nothing kept in one.
            Ok(None) if self.config.audit == AuditUse::On => return Ok((None, None)),
            Ok(None) => Err(AuditError(
                "there is no state directory with a key".to_owned(),
            )),
            Err(error) => Err(AuditError(error.to_string())),
        };
        match tried {
            Ok(file) => Ok((Some(Arc::new(file)), None)),
            Err(error) if self.config.audit == AuditUse::Required => Err(TeamError::Audit(error)),
            Err(error) => Ok((None, Some(format!("No audit log is written: {error}")))),
        }
    }

    /// Removes what is older than it is kept; what the user should know of that.
    pub(super) fn remove_old(&self, files: &FileStores, audit: Option<&AuditFile>) -> Vec<String> {
        let old = old_parts(&files.dir, &self.keep, SystemTime::now());
        let old = old.and_then(|old| remove(&old).map(|()| old));
        match old {
            Ok(old) => {
                for old in &old {
                    let what = old.to_string();
                    // If it cannot be recorded, the user reads it below.
                    let _ =
                        audit.map(|audit| audit.note(&*files.clock, AuditEvent::Purged { what }));
                }
                old.iter()
                    .map(|old| format!("Removed as old: {old}"))
                    .collect()
            }
            Err(error) => vec![format!("Old files could not be removed: {error}")],
        }
    }
}

/// How well commands are held, in a word.
fn level_of(sandbox: &TeamSandbox) -> String {
    let level = sandbox.sandbox().level();
    level.map_or_else(
        |_| "no command can run".to_owned(),
        |level| level.to_string(),
    )
}
