//! All requests of a team: those from which something follows yet, and the last ones that are over.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use super::{Approval, Request, RequestEvent, RequestState};
use crate::{Incarnation, MemberName, Timestamp, cause::Cause, id::RequestId};

/// How many that are over are kept in mind; the journal has all.
const PAST_MAX: usize = 64;

/// The requests.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Requests {
    /// How many were ever made.
    made: u64,
    live: BTreeMap<RequestId, Arc<Request>>,
    past: VecDeque<Arc<Request>>,
}

impl Requests {
    /// A request by id, if something follows from it yet or it has ended lately.
    pub fn get(&self, id: RequestId) -> Option<&Arc<Request>> {
        let past = || self.past.iter().rev().find(|request| request.id == id);
        self.live.get(&id).or_else(past)
    }

    /// The request that this call made.
    pub fn made_by(&self, call: &Cause) -> Option<&Arc<Request>> {
        let past = self.past.iter().rev();
        let mut all = self.live.values().rev().chain(past);
        all.find(|request| request.call == *call)
    }

    /// The requests that wait for an answer, oldest first.
    pub fn pending(&self) -> impl Iterator<Item = &Arc<Request>> {
        self.live.values().filter(|request| request.is_pending())
    }

    /// Permission requests that are pending, or granted and unused.
    pub fn unresolved_permissions(&self) -> impl Iterator<Item = &Arc<Request>> {
        let permissions = self.live.values();
        permissions.filter(|request| request.is_for_call())
    }

    /// Settled requests without a notice yet, oldest first.
    pub fn not_notified(&self) -> impl Iterator<Item = &Arc<Request>> {
        let live = self.live.values();
        live.filter(|request| !request.is_pending() && !request.is_for_call())
    }

    /// The requests that have ended lately, the last first.
    pub fn past(&self) -> impl Iterator<Item = &Arc<Request>> {
        self.past.iter().rev()
    }

    /// The pending shutdown of a member in this incarnation.
    pub fn shutdown_of(&self, name: &MemberName, life: Incarnation) -> Option<&Arc<Request>> {
        self.pending().find(|request| request.ends(name, life))
    }

    /// Whether a shutdown of the member is pending or not yet carried out.
    pub fn asks_to_stop(&self, name: &MemberName) -> bool {
        let mut open = self.pending().chain(self.not_notified());
        open.any(|request| request.shutdown().is_some_and(|ask| ask.member == *name))
    }

    /// Whether a member in this incarnation goes: its shutdown is settled so, and not all that follows from it is done.
    pub fn is_shutting_down(&self, name: &MemberName, life: Incarnation) -> bool {
        let is_to_end = |state: &RequestState| {
            matches!(state, RequestState::Approved(_) | RequestState::Expired)
        };
        let mut untold = self.not_notified();
        untold.any(|request| request.ends(name, life) && is_to_end(&request.state))
    }

    /// Requests to cancel when a member's incarnation ends: those from it, and those to it.
    pub(crate) fn of_incarnation<'a>(
        &'a self,
        name: &'a MemberName,
    ) -> impl Iterator<Item = &'a Arc<Request>> {
        self.live.values().filter(move |request| {
            let has_effect = request.is_pending() || request.is_for_call();
            request.concerns() == Some(name) && has_effect
        })
    }

    /// The plan of a member that waits for its answer.
    pub(crate) fn plan_of<'a>(
        &'a self,
        name: &'a MemberName,
    ) -> impl Iterator<Item = &'a Arc<Request>> {
        self.pending()
            .filter(move |request| request.plan().is_some() && request.from.name() == Some(name))
    }

    /// The id of the next.
    /// Whether nothing has had this id.
    pub(crate) fn is_new(&self, id: RequestId) -> bool {
        id >= self.next_id()
    }

    pub(crate) fn next_id(&self) -> RequestId {
        RequestId::new(self.made + 1)
    }

    /// The open requests in words, for an error about an unknown one.
    pub(crate) fn open_text(&self) -> String {
        let open: Vec<String> = self
            .pending()
            .map(|request| format!("{} ({})", request.id, request.request_kind()))
            .collect();
        if open.is_empty() {
            "no request is open".to_owned()
        } else {
            format!("open: {}", open.join(", "))
        }
    }

    pub(crate) fn apply(&mut self, id: RequestId, change: &RequestEvent, at: Timestamp) {
        if let RequestEvent::Opened {
            kind,
            from,
            call,
            deadline,
            opened,
        } = change
        {
            self.made = self.made.max(id.number());
            let request = Request {
                id,
                payload: kind.clone(),
                from: from.clone(),
                call: call.clone(),
                opened: opened.unwrap_or(at),
                deadline: *deadline,
                state: RequestState::Pending,
                is_told: false,
            };
            self.live.insert(id, Arc::new(request));
            return;
        }
        let Some(known) = self.live.get_mut(&id) else {
            return;
        };
        apply_one(Arc::make_mut(known), change);
        if known.is_over()
            && let Some(over) = self.live.remove(&id)
        {
            self.past.push_back(over);
            if self.past.len() > PAST_MAX {
                self.past.pop_front();
            }
        }
    }
}

fn apply_one(request: &mut Request, change: &RequestEvent) {
    match change {
        // Made once, before. That it was heard moves its author's gate only.
        RequestEvent::Opened { .. } | RequestEvent::Heard => {}
        RequestEvent::Approved {
            by,
            note,
            mode,
            always,
            awaits_hearing: _,
            covered_by,
            device,
        } => {
            request.state = RequestState::Approved(Approval {
                by: by.clone(),
                note: note.clone(),
                mode: *mode,
                always: *always,
                covered_by: *covered_by,
                device: device.clone(),
                is_used: false,
            });
        }
        RequestEvent::Rejected {
            by,
            because,
            awaits_hearing: _,
            device,
        } => {
            request.state = RequestState::Rejected {
                by: by.clone(),
                because: because.clone(),
                device: device.clone(),
            };
        }
        RequestEvent::Expired => request.state = RequestState::Expired,
        RequestEvent::Cancelled { why } => {
            request.state = RequestState::Cancelled { why: why.clone() }
        }
        RequestEvent::Used => {
            if let RequestState::Approved(approval) = &mut request.state {
                approval.is_used = true;
            }
        }
        RequestEvent::Notified => request.is_told = true,
    }
}
