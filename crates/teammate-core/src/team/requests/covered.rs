//! What an "always" settles besides its own question: those that wait for the user and that its rule would have let through.

use std::sync::Arc;

use crate::{
    breadth::Breadth,
    id::RequestId,
    name::DeviceName,
    request::{Principal, Request, RequestEvent, RequestState},
    team::TeamState,
};

impl TeamState {
    /// The other questions to the user that an "always" of this breadth settles with this one, the oldest first. A question offers a
    /// rule only if that would have let its call through: one that offers the very rule which the answer makes is covered by it. What
    /// rules do not help with (the user is asked each time, a protected place, a hook) offers none, and stays a question.
    pub fn covered_by<'a>(
        &'a self,
        request: &'a Request,
        always: Breadth,
    ) -> impl Iterator<Item = &'a Arc<Request>> {
        let offers = request.offers();
        let rule = offers.of(always).map(str::to_owned);
        self.questions().filter(move |other| {
            let rule = rule.as_deref();
            other.id != request.id && rule.is_some_and(|rule| other.offers().has(rule))
        })
    }

    /// The questions that the "always" of this request has settled.
    pub fn settled_with(&self, id: RequestId) -> impl Iterator<Item = &Arc<Request>> {
        let all = self.requests().unresolved_permissions();
        let all = all.chain(self.requests().past());
        all.filter(move |other| match &other.state {
            RequestState::Approved(approval) => approval.covered_by == Some(id),
            RequestState::Pending
            | RequestState::Rejected { .. }
            | RequestState::Expired
            | RequestState::Cancelled { .. } => false,
        })
    }
}

/// The yes to a question that the "always" of another one covers.
pub(super) fn approved_with(
    other: RequestId,
    by: &Principal,
    device: Option<&DeviceName>,
) -> RequestEvent {
    RequestEvent::Approved {
        by: by.clone(),
        note: String::new(),
        mode: None,
        always: None,
        awaits_hearing: false,
        covered_by: Some(other),
        device: device.cloned(),
    }
}
