//! The duties of this process: everything for a member by the process that holds it, and what belongs to the team as a whole
//! by the one that holds the lead.

use std::time::Duration;

use teammate_core::{MemberName, port::JournalError, request::Request, team::Command};

use super::Base;
use crate::ledger::{CommitResult, LedgerError};

/// The pause before the engine is asked again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

impl Base {
    /// Whether this process runs the member. A process that is alone runs all.
    pub(crate) fn is_mine(&self, member: &MemberName) -> bool {
        self.deployment.is_mine(member)
    }

    /// Whether what must be done for a member is done here: by its holder, and by the lead's where nobody holds it.
    pub(crate) fn is_duty(&self, member: &MemberName) -> bool {
        self.deployment.is_duty(&self.ledger.team(), member)
    }

    /// Whether a request is this worker's duty: it belongs to the member that it is about or comes from.
    pub(crate) fn is_duty_of_request(&self, request: &Request) -> bool {
        let team = self.ledger.team();
        let lead = MemberName::lead();
        self.deployment
            .is_duty(&team, request.concerns().unwrap_or(&lead))
    }

    /// Whether what the engine did not take is tried again: it may not answer for a while, and nobody opens the team anew when it
    /// does. A process that is alone has a disk that fails, and is opened again.
    pub(crate) fn waits_for_engine(&self) -> bool {
        self.deployment.retries_store() && !self.closing.has_begun()
    }

    /// Decides; a worker tries again until the engine answers.
    pub(crate) async fn decide_or_wait(&self, command: Command) -> CommitResult {
        loop {
            let result = self.ledger.decide(command.clone()).await;
            // A journal that is not one history is appended to by nobody any more.
            let is_unwritten = matches!(
                result,
                Err(LedgerError::Journal(
                    JournalError::Conflict { .. } | JournalError::Broken(_)
                ))
            );
            if !is_unwritten || !self.waits_for_engine() {
                return result;
            }
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    }

    /// Whether this process does what belongs to the team as a whole.
    pub(crate) fn has_lead(&self) -> bool {
        self.is_mine(&MemberName::lead())
    }

    /// Resolves when a call may begin: at once, unless this worker does not hear itself.
    pub(crate) async fn until_may_begin(&self) {
        self.deployment.until_may_begin().await;
    }
}
