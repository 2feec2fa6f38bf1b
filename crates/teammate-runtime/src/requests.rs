//! Follows each request to its end: sends notices, keeps deadlines, wakes waiters. Decides nothing:
//! the rules are the team's, and the journal holds each request's state.

mod last_end;
mod notify;
mod pausing;
mod plan_check;
mod shutdown;
mod stand_in;

use std::sync::Arc;

use teammate_core::{
    request::{
        PermissionRequest, Request, RequestCommand, RequestEvent, RequestId, RequestPayload,
        RequestState,
    },
    team::Command,
};
use tokio::time::sleep_until;

pub(crate) use self::stand_in::StandIns;
use crate::{
    base::Base, jobs::JobRunner, mailer::Mailer, members::Members, open_requests::OpenRequests,
    permission_gate::PermissionGate, rights::ToolContexts,
};

/// Follows requests to their end: the reader of the journal's news reports what happened to them.
pub(crate) struct RequestService {
    pub(crate) base: Arc<Base>,
    pub(crate) members: Arc<Members>,
    pub(crate) mailer: Arc<Mailer>,
    pub(crate) jobs: Arc<JobRunner>,
    pub(crate) gate: Arc<PermissionGate>,
    pub(crate) requests: Arc<OpenRequests>,
    pub(crate) contexts: Arc<dyn ToolContexts>,
    pub(crate) stand_ins: StandIns,
}

impl RequestService {
    /// Resumes the requests that were open when the host ended, and sends missing notices.
    pub(crate) async fn resume_open(self: &Arc<Self>) {
        self.stand_in_for_all();
        let (pending, untold): (Vec<_>, Vec<_>) = {
            let team = self.base.ledger.team();
            let ids = |requests: &mut dyn Iterator<Item = &Arc<Request>>| {
                let open = requests.filter(|request| !team.is_paused_request(request));
                let open = open.filter(|request| self.base.is_duty_of_request(request));
                open.map(|request| request.id).collect()
            };
            let requests = team.requests();
            (
                ids(&mut requests.pending()),
                ids(&mut requests.not_notified()),
            )
        };
        for id in pending {
            let request = self.requests.request(id);
            if request.is_some_and(|request| self.is_past_stop(&request)) {
                self.forget_stop(id).await;
            }
            self.watch(id).await;
        }
        for id in untold {
            let request = self.requests.request(id);
            if request.is_some_and(|request| request.shutdown().is_some()) {
                self.watch(id).await;
            } else {
                self.on_settled(id).await;
            }
        }
    }

    /// Reacts to a request's event, from any process. What another worker's member asks or is asked is followed there.
    pub(crate) async fn on_change(self: &Arc<Self>, id: RequestId, change: &RequestEvent) {
        let request = self.requests.request(id);
        if request.is_some_and(|request| !self.base.is_duty_of_request(&request)) {
            self.stand_in(id);
            return self.pause_here(id, change);
        }
        match change {
            RequestEvent::Opened { .. } => self.watch(id).await,
            RequestEvent::Approved { .. }
            | RequestEvent::Rejected { .. }
            | RequestEvent::Expired
            | RequestEvent::Cancelled { .. } => self.on_settled(id).await,
            // Nothing more follows from it.
            RequestEvent::Used | RequestEvent::Notified | RequestEvent::Heard => {
                self.requests.unfollow(id);
            }
        }
    }

    /// Emits a request, sends its notice to the approver, and begins what settles it. Once in a process: each
    /// take-up meets what is followed already.
    async fn watch(self: &Arc<Self>, id: RequestId) {
        if self.requests.is_followed(id) {
            return;
        }
        let Some(request) = self.requests.request(id) else {
            return;
        };
        if request.is_pending() {
            self.emit_opened(&request);
        }
        self.clone().begin(&request).await;
        // Not before: the team must not seem idle while a notice is missing.
        self.requests.follow(id);
    }

    /// Sends the request to its approver, and begins what brings a request to its end.
    async fn begin(self: Arc<Self>, request: &Arc<Request>) {
        let id = request.id;
        match &request.payload {
            // It asks only a working member: an idle one agrees automatically.
            RequestPayload::Shutdown(_) => {
                drop(tokio::spawn(self.drive_shutdown(id)));
            }
            // `on_settled` does what follows from its end.
            RequestPayload::Plan(_) | RequestPayload::Permission(_) if !request.is_pending() => {}
            RequestPayload::Plan(plan) => {
                self.send_opened(request).await;
                self.watch_deadline(request);
                let (under_way, plan) = (self.base.activity.begin(), plan.clone());
                drop(tokio::spawn(async move {
                    self.answer_plan(id, plan).await;
                    drop(under_way);
                }));
            }
            RequestPayload::Permission(_) => {
                self.send_opened(request).await;
                self.watch_deadline(request);
            }
        }
    }

    async fn on_settled(self: &Arc<Self>, id: RequestId) {
        let Some(request) = self.requests.request(id) else {
            return;
        };
        self.emit_settled(&request);
        match &request.payload {
            // Reported when the member has stopped.
            RequestPayload::Shutdown(_) => {}
            RequestPayload::Plan(_) => {
                self.emit_mode(&request);
                let frame = request.settled_notice(self.base.mode(), &self.base.setup.tool_names);
                self.send_notice(&request, frame).await;
                self.mark_notified(id).await;
            }
            RequestPayload::Permission(ask) => {
                self.requests.unfollow(id);
                self.add_rule(&request, ask);
            }
        }
    }

    /// Writes the rule that an "always" chose.
    fn add_rule(&self, request: &Request, ask: &PermissionRequest) {
        let RequestState::Approved(approval) = &request.state else {
            return;
        };
        let chosen = approval.always;
        let Some((breadth, rule)) =
            chosen.and_then(|breadth| Some((breadth, ask.rules.of(breadth)?)))
        else {
            return;
        };
        let kept = self.gate.allow_always(breadth, rule);
        if let (Err(error), Some(member)) = (kept, request.from.name()) {
            let text = format!("'{rule}' holds until the team is closed: {error}");
            self.base.feed.note(member, text);
        }
    }

    async fn mark_notified(&self, request: RequestId) {
        let told = Command::Request(RequestCommand::MarkNotified { request });
        // If the team closes before that is recorded, the next opening sends it again and its id drops it.
        let _ = self.requests.decide_until_written(told).await;
        self.base.activity.recheck();
    }

    /// After its deadline nothing waits for an answer.
    fn watch_deadline(self: &Arc<Self>, request: &Request) {
        if request.deadline.is_none() {
            return;
        }
        let id = request.id;
        let (base, requests) = (self.base.clone(), self.requests.clone());
        let end = base.end_of(request);
        tokio::spawn(async move {
            tokio::select! {
                _ = requests.wait_settled(id) => return,
                () = sleep_until(end) => {}
            }
            // By one clock: that of the worker that follows it now.
            let request = requests.request(id);
            if let Some(request) = request.filter(|request| base.is_duty_of_request(request)) {
                requests.expire(&request).await;
            }
        });
    }
}

#[cfg(test)]
mod tests;
