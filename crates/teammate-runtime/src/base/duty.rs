//! What is done here: everything for a member by the process that holds it, and what belongs to the team as a whole by the one
//! that holds the lead.

use teammate_core::{MemberName, request::Request};

use super::Base;
use crate::tenures::Tenures;

impl Base {
    /// Whether several processes run this team, this one as a worker.
    pub(crate) fn is_worker(&self) -> bool {
        matches!(self.tenures, Tenures::Placed(_))
    }

    /// Whether this process runs the member. A process that is alone runs all.
    pub(crate) fn is_mine(&self, member: &MemberName) -> bool {
        self.tenures.is_mine(member)
    }

    /// Whether what must be done for a member is done here: by its holder, and by the lead's where nobody holds it.
    pub(crate) fn is_duty(&self, member: &MemberName) -> bool {
        self.tenures.is_duty(&self.ledger.team(), member)
    }

    /// The same for a request: it belongs to the member that it is about or comes from.
    pub(crate) fn is_duty_of_request(&self, request: &Request) -> bool {
        let team = self.ledger.team();
        let lead = MemberName::lead();
        self.tenures
            .is_duty(&team, request.concerns().unwrap_or(&lead))
    }

    /// Whether this process does what belongs to the team as a whole.
    pub(crate) fn has_lead(&self) -> bool {
        self.is_mine(&MemberName::lead())
    }

    /// Resolves when a call may begin: at once, unless this worker does not hear itself.
    pub(crate) async fn until_may_begin(&self) {
        self.tenures.until_may_begin().await;
    }
}
