//! Answers that are carried out outside of any call: the team is not idle between such an answer and the member's word of it.

use std::sync::Arc;

use teammate_core::{lock::Hold, request::RequestId};

use super::OpenRequests;

impl OpenRequests {
    /// The answer to this request is carried out until the value is dropped.
    pub(crate) fn settle_outside(self: &Arc<Self>, request: RequestId) -> Settling {
        self.settled_outside.hold().insert(request);
        Settling {
            requests: self.clone(),
            request,
        }
    }

    /// Whether some such request has its answer, and is still carried out.
    pub(super) fn settles_any(&self) -> bool {
        let team = self.base.ledger.team();
        let is_pending = |id| team.requests().get(id).is_some_and(|one| one.is_pending());
        let settled = self.settled_outside.hold();
        !settled.iter().copied().all(is_pending)
    }
}

/// Until this is dropped, the answer to a request is work that is left.
pub(crate) struct Settling {
    requests: Arc<OpenRequests>,
    request: RequestId,
}

impl Drop for Settling {
    fn drop(&mut self) {
        self.requests.settled_outside.hold().remove(&self.request);
        self.requests.base.activity.recheck();
    }
}
