//! The audit log: where it is recorded who allowed what.

use crate::audit::AuditEntry;

/// Keeps entries, in the order in which they are recorded.
pub trait AuditLog: Send + Sync {
    /// Adds an entry; another process reads it when this returns. It need not be on the disk yet.
    fn record(&self, entry: &AuditEntry) -> Result<(), AuditError>;
}

/// Why an entry is not recorded, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AuditError(pub String);
