//! The rules of requests: a command against the whole team gives events, or a refusal that says what would have worked.
//! Whatever is refused changes nothing.

mod covered;
mod opening;
mod plans;

use std::sync::Arc;

use self::{covered::approved_with, opening::opening};
use super::decision::Events;

use crate::{
    MemberName, Timestamp,
    breadth::Breadth,
    cause::Cause,
    digest::Digest,
    id::RequestId,
    mode::Mode,
    name::DeviceName,
    request::{
        Answer, Principal, Request, RequestCommand, RequestEvent, RequestPayload, RequestRefusal,
    },
    status::RequestKind,
    team::{Decision, Durability, TeamEvent, TeamRefusal, TeamState},
};

impl TeamState {
    pub(crate) fn decide_request(&self, command: &RequestCommand) -> Result<Decision, TeamRefusal> {
        let mut durability = Durability::Synced;
        let events = match command {
            RequestCommand::Open {
                kind,
                from,
                call,
                deadline,
                at,
            } => self.open_request(kind, from, call, (*at, *deadline))?,
            RequestCommand::Shutdown {
                member,
                from,
                call,
                reason,
                within,
                at,
            } => {
                let (ask, within) = self.shutdown_of_member(member, reason, *within);
                let deadline = Some(at.after(within));
                self.open_request(&RequestPayload::Shutdown(ask), from, call, (*at, deadline))?
            }
            RequestCommand::Answer {
                request,
                expects,
                saw,
                by,
                answer,
                device,
                at,
            } => {
                self.must_be_seen(*request, saw.as_ref())?;
                self.answer_request(*request, *expects, (by, device.as_ref()), answer, *at)?
            }
            RequestCommand::Expire { request, at } => {
                let is_due = |known: &&Arc<Request>| {
                    known.is_pending() && known.deadline.is_some_and(|deadline| deadline <= *at)
                };
                let due = self.requests().get(*request).filter(is_due);
                due.map(|_| event(*request, RequestEvent::Expired))
                    .into_iter()
                    .collect()
            }
            RequestCommand::Cancel { request, why } => {
                let known = self.requests().get(*request);
                let open = known.filter(|known| known.is_pending());
                open.map(|known| cancelled(known, why))
                    .into_iter()
                    .collect()
            }
            RequestCommand::Withdraw { request } => {
                let mut unused = self.requests().unresolved_permissions();
                let known = unused.find(|known| known.id == *request);
                known
                    .map(|known| cancelled(known, "the call no longer asks"))
                    .into_iter()
                    .collect()
            }
            RequestCommand::UseGrant {
                request,
                member,
                incarnation,
                digest,
            } => {
                self.current(member, *incarnation)?.must_run()?;
                let known = self.known_request(*request)?;
                let ask = known
                    .permission()
                    .ok_or_else(|| self.wrong_kind(known, RequestKind::Permission))?;
                ask.may_use(known, member, *incarnation, digest)?;
                vec![event(*request, RequestEvent::Used)]
            }
            RequestCommand::MarkNotified { request } => {
                durability = Durability::Lazy;
                let mut untold = self.requests().not_notified();
                let known = untold.find(|known| known.id == *request);
                known
                    .map(|_| event(*request, RequestEvent::Notified))
                    .into_iter()
                    .collect()
            }
            RequestCommand::RequirePlan { member, by, call } => {
                self.require_plan(member, by, call)?
            }
            RequestCommand::LiftPlan { member, by } => self.lift_plan(member, by)?,
            RequestCommand::Heard {
                request,
                member,
                incarnation,
            } => {
                let gate = &self.current(member, *incarnation)?.gate;
                let is_news = gate.unheard() == Some(*request);
                let heard = is_news.then(|| event(*request, RequestEvent::Heard));
                heard.into_iter().collect()
            }
        };
        Ok(Decision { events, durability })
    }

    fn open_request(
        &self,
        kind: &RequestPayload,
        from: &Principal,
        call: &Cause,
        (at, deadline): (Timestamp, Option<Timestamp>),
    ) -> Events {
        if self.requests().made_by(call).is_some() {
            return Ok(Vec::new());
        }
        // What comes from an earlier incarnation is refused, whatever it asks.
        if let Principal::Member {
            member,
            incarnation,
        } = from
        {
            self.current(member, *incarnation)?;
        }
        opening(kind).may_open(self, from)?;
        let mut events = opening(kind).replaces(self, from);
        let opened = RequestEvent::Opened {
            kind: kind.clone(),
            from: from.clone(),
            call: call.clone(),
            deadline,
            opened: self.places().is_used().then_some(at),
        };
        events.push(event(self.requests().next_id(), opened));
        Ok(events)
    }

    fn answer_request(
        &self,
        id: RequestId,
        expects: Option<RequestKind>,
        (by, device): (&Principal, Option<&DeviceName>),
        answer: &Answer,
        at: Timestamp,
    ) -> Events {
        if let Principal::Member {
            member,
            incarnation,
        } = by
        {
            self.current(member, *incarnation)?;
        }
        let request = self.known_request(id)?;
        if let Some(expected) = expects
            && expected != request.request_kind()
        {
            return Err(self.wrong_kind(request, expected).into());
        }
        if !request.is_pending() {
            return Err(self.already_settled(request).into());
        }
        self.require_answerer(request, by, answer)?;
        let rules = request.payload.rules();
        if self.is_late(request, at) && !rules.takes_late_answers() {
            return Err(RequestRefusal::TooLate(id).into());
        }
        let awaits_hearing = rules.awaits_hearing();
        let answered = match answer {
            Answer::Approve { note, mode, always } => RequestEvent::Approved {
                by: by.clone(),
                note: note.trim().to_owned(),
                mode: *mode,
                always: *always,
                awaits_hearing,
                covered_by: None,
                device: device.cloned(),
            },
            Answer::Reject { because } => RequestEvent::Rejected {
                by: by.clone(),
                because: because.trim().to_owned(),
                awaits_hearing,
                device: device.cloned(),
            },
        };
        let always = match answer {
            Answer::Approve { always, .. } => *always,
            Answer::Reject { .. } => None,
        };
        let covered = always.into_iter();
        let covered = covered.flat_map(|breadth| self.covered_by(request, breadth));
        let covered = covered.filter(|other| !self.is_late(other, at));
        let covered = covered.map(|other| event(other.id, approved_with(id, by, device)));
        Ok([event(id, answered)].into_iter().chain(covered).collect())
    }

    /// Whether an answer comes after the deadline. Workers' clocks are not compared: there a request is over when who follows it has
    /// said so.
    fn is_late(&self, request: &Request, at: Timestamp) -> bool {
        let by_clock = self.places().placements().next().is_none();
        by_clock && request.deadline.is_some_and(|deadline| deadline <= at)
    }

    /// Whether it is theirs to give this answer.
    pub(crate) fn require_answerer(
        &self,
        request: &Request,
        by: &Principal,
        answer: &Answer,
    ) -> Result<(), TeamRefusal> {
        request.payload.rules().may_answer(request, by, answer)?;
        match answer {
            Answer::Approve { mode, always, .. } => {
                self.must_be_possible(*mode)?;
                Ok(must_be_offered(request, *always)?)
            }
            Answer::Reject { .. } => Ok(()),
        }
    }

    /// Whether what is asked is what was seen, where somebody says what that was.
    fn must_be_seen(&self, id: RequestId, saw: Option<&Digest>) -> Result<(), RequestRefusal> {
        let asked = self.known_request(id)?.digest();
        match saw {
            Some(_) if saw != asked => Err(RequestRefusal::OtherDigest {
                request: id,
                digest: asked.map_or("none", Digest::short).to_owned(),
            }),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether a mode is within the ceiling.
    fn must_be_possible(&self, mode: Option<Mode>) -> Result<(), RequestRefusal> {
        match (mode, self.ceiling()) {
            (Some(asked), Some(ceiling)) if asked > ceiling => {
                Err(RequestRefusal::AboveCeiling { asked, ceiling })
            }
            (Some(_) | None, _) => Ok(()),
        }
    }

    /// The end of a member's requests when its incarnation ends.
    pub(crate) fn cancel_requests(&self, name: &MemberName, why: &str) -> Vec<TeamEvent> {
        let of_life = self.requests().of_incarnation(name);
        of_life.map(|request| cancelled(request, why)).collect()
    }

    /// Cancels permission questions and permissions that no call has used.
    pub(crate) fn cancel_permissions(&self, why: &str) -> impl Iterator<Item = TeamEvent> {
        let unused = self.requests().unresolved_permissions();
        unused.map(move |request| cancelled(request, why))
    }

    /// Cancels every request that waits for an answer, permission questions left out.
    pub(crate) fn cancel_pending(&self, why: &str) -> impl Iterator<Item = TeamEvent> {
        let pending = self.requests().pending();
        let others = pending.filter(|request| !request.is_for_call());
        others.map(move |request| cancelled(request, why))
    }

    /// A request by id; the refusal lists the open ones.
    pub fn known_request(&self, id: RequestId) -> Result<&Arc<Request>, RequestRefusal> {
        let requests = self.requests();
        requests.get(id).ok_or_else(|| {
            let open = requests.open_text();
            if id < requests.next_id() {
                RequestRefusal::Settled {
                    request: id,
                    how: "long ago".to_owned(),
                    open,
                }
            } else {
                RequestRefusal::Unknown { request: id, open }
            }
        })
    }

    fn already_settled(&self, request: &Request) -> RequestRefusal {
        RequestRefusal::Settled {
            request: request.id,
            how: request.describe(),
            open: self.requests().open_text(),
        }
    }

    fn wrong_kind(&self, request: &Request, expected: RequestKind) -> RequestRefusal {
        RequestRefusal::WrongKind {
            request: request.id,
            is: request.request_kind(),
            expected,
            open: self.requests().open_text(),
        }
    }
}

/// Whether an "always" of this breadth is among the rules that the request offers.
fn must_be_offered(request: &Request, always: Option<Breadth>) -> Result<(), RequestRefusal> {
    let offered = request.offers();
    match always {
        Some(asked) if offered.of(asked).is_none() => Err(RequestRefusal::NotOffered {
            request: request.id,
            asked,
            offered: offered.to_string(),
        }),
        Some(_) | None => Ok(()),
    }
}

fn event(request: RequestId, change: RequestEvent) -> TeamEvent {
    TeamEvent::Request { request, change }
}

pub(super) fn cancelled(request: &Request, why: &str) -> TeamEvent {
    event(
        request.id,
        RequestEvent::Cancelled {
            why: why.to_owned(),
        },
    )
}
