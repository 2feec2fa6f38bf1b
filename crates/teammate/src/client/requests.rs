//! Requests from another process: what is open, and the user's answers.

use std::sync::Arc;

use teammate_core::{
    audit::AuditEvent,
    name::DeviceName,
    port::{Clock as _, Refusal},
    request::{Answer, Digest, Principal, Request, RequestCommand, RequestId},
    team::Command,
};
use teammate_store::clock::SystemClock;

use super::TeamClient;
use crate::{TeamError, audit::AuditFile};

impl TeamClient {
    /// The requests that wait for an answer, oldest first.
    pub fn requests(&self) -> Vec<Arc<Request>> {
        self.team().requests().pending().cloned().collect()
    }

    /// All requests, with those that were settled lately, by id.
    pub fn all_requests(&self) -> Vec<Arc<Request>> {
        let requests = self.team().requests();
        // A granted, unused permission is neither open nor settled for good.
        let live = requests.pending().chain(requests.not_notified());
        let mut all: Vec<_> = live
            .chain(requests.unresolved_permissions())
            .cloned()
            .collect();
        all.extend(requests.past().cloned());
        all.sort_by_key(|request| request.id);
        all.dedup_by_key(|request| request.id);
        all
    }

    /// A request by id, also one that was settled lately; an error lists the open ones.
    pub fn request(&self, id: RequestId) -> Result<Arc<Request>, TeamError> {
        known_request(self.team(), id)
    }

    /// The user answers a request; returns it as it is then. The first answer counts; an error lists the open ones. If it asks for
    /// something else by now than what was shown with the digest `saw`, nothing is answered. A team that runs takes it up at once,
    /// another when it is opened.
    pub(crate) async fn answer(
        &mut self,
        device: Option<DeviceName>,
        (request, saw): (RequestId, Option<Digest>),
        answer: Answer,
    ) -> Result<Arc<Request>, TeamError> {
        let command = Command::Request(RequestCommand::Answer {
            request,
            expects: None,
            saw,
            by: Principal::User,
            answer: answer.clone(),
            device,
            at: SystemClock.now(),
        });
        self.decide(&command).await?;
        let request = self.request(request)?;
        let answered = |request: &Request, answer: &Answer| {
            AuditEvent::answered(request, Principal::User, answer, self.surface)
        };
        self.audit(answered(&request, &answer));
        for other in self.team().settled_with(request.id) {
            self.audit(answered(other, &Answer::yes()));
        }
        Ok(request)
    }

    /// Records what was done to a team that runs, or will run. The host records what follows from it, and refuses that if it has
    /// to be recorded and cannot be.
    pub(crate) fn audit(&self, what: AuditEvent) {
        let file = AuditFile::of(&self.user, &self.site.workspace, &self.site.audit_key);
        if let Ok(Some(file)) = file {
            let _ = file.note(&SystemClock, what);
        }
    }
}

/// A request by id; an error lists the open ones.
pub fn known_request(
    team: &teammate_core::team::TeamState,
    id: RequestId,
) -> Result<Arc<Request>, TeamError> {
    let known = team.known_request(id).cloned();
    known.map_err(|unknown| Refusal::Rule(unknown.to_string()).into())
}
