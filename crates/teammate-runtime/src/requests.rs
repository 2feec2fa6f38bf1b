//! What follows from requests: mail is sent, deadlines are kept, whoever waits is woken. Decides nothing: the rules are the
//! team's own, and the journal says how each request stands.

mod notify;
mod pausing;
mod plan_check;
mod shutdown;

use std::sync::Arc;

use teammate_core::{
    request::{Kind, Request, RequestCommand, RequestEvent, RequestId, State},
    team::Command,
};

use crate::{
    background::Jobs, base::Base, gate::Gate, mailer::Mailer, members::Members,
    open_requests::OpenRequests, rights::ToolContexts,
};

/// Follows requests to their end: the reader of the journal's news says what happened to them.
pub(crate) struct RequestKeeper {
    pub(crate) base: Arc<Base>,
    pub(crate) members: Arc<Members>,
    pub(crate) mailer: Arc<Mailer>,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) gate: Arc<Gate>,
    pub(crate) requests: Arc<OpenRequests>,
    pub(crate) contexts: Arc<dyn ToolContexts>,
}

impl RequestKeeper {
    /// Takes up what was open when the host ended, and tells what was not told.
    pub(crate) async fn take_up(self: &Arc<Self>) {
        let (pending, untold): (Vec<_>, Vec<_>) = {
            let team = self.base.ledger.team();
            let ids = |requests: &mut dyn Iterator<Item = &Arc<Request>>| {
                let open = requests.filter(|request| !team.is_paused_request(request));
                open.map(|request| request.id).collect()
            };
            let requests = team.requests();
            (ids(&mut requests.pending()), ids(&mut requests.untold()))
        };
        for id in pending {
            let request = self.requests.request(id);
            if request.is_some_and(|request| self.is_past_stop(&request)) {
                self.forget_stop(id).await;
            }
            self.follow(id).await;
        }
        for id in untold {
            let request = self.requests.request(id);
            if request.is_some_and(|request| request.shutdown().is_some()) {
                self.follow(id).await;
            } else {
                self.on_settled(id).await;
            }
        }
    }

    /// Something happened to a request, whoever did it.
    pub(crate) async fn on_change(self: &Arc<Self>, id: RequestId, change: &RequestEvent) {
        match change {
            RequestEvent::Opened { .. } => self.follow(id).await,
            RequestEvent::Approved { .. }
            | RequestEvent::Rejected { .. }
            | RequestEvent::Expired
            | RequestEvent::Cancelled { .. } => self.on_settled(id).await,
            // Nothing more follows from it.
            RequestEvent::Used | RequestEvent::Told | RequestEvent::Heard => {
                self.requests.unfollow(id);
            }
        }
    }

    /// Shows a request, tells the approver, and begins what brings it to its end. Once in a process: each take-up meets what
    /// is followed already.
    async fn follow(self: &Arc<Self>, id: RequestId) {
        if self.requests.is_followed(id) {
            return;
        }
        let Some(request) = self.requests.request(id) else {
            return;
        };
        if request.is_pending() {
            self.show_opened(&request);
        }
        self.clone().begin(&request).await;
        // Not before: the team must not seem to rest while nobody was told yet.
        self.requests.follow(id);
    }

    /// Sends the request to its approver, and begins what brings a request to its end.
    async fn begin(self: Arc<Self>, request: &Arc<Request>) {
        let id = request.id;
        match &request.kind {
            // It asks only who works: an idle member agrees automatically.
            Kind::Shutdown(_) => {
                drop(tokio::spawn(self.see_off(id)));
            }
            // `on_settled` does what follows from its end.
            Kind::Plan(_) | Kind::Permission(_) if !request.is_pending() => {}
            Kind::Plan(plan) => {
                self.send_opened(request).await;
                self.watch_deadline(request);
                let (under_way, plan) = (self.base.activity.begin(), plan.clone());
                drop(tokio::spawn(async move {
                    self.answer_plan(id, plan).await;
                    drop(under_way);
                }));
            }
            Kind::Permission(_) => {
                self.send_opened(request).await;
                self.watch_deadline(request);
            }
        }
    }

    async fn on_settled(self: &Arc<Self>, id: RequestId) {
        let Some(request) = self.requests.request(id) else {
            return;
        };
        self.show_settled(&request);
        match &request.kind {
            // It is told when the member is gone.
            Kind::Shutdown(_) => {}
            Kind::Plan(_) => {
                self.tell_mode(&request);
                let frame =
                    request.settled_frame(self.base.setup.config.mode, &self.base.setup.tool_names);
                self.send_frame(&request, frame).await;
                self.told(id).await;
            }
            Kind::Permission(ask) => {
                self.requests.unfollow(id);
                if let (State::Approved(approval), Some(rule)) = (&request.state, &ask.rule)
                    && approval.always
                {
                    let kept = self.gate.allow_always(rule);
                    if let (Err(error), Some(member)) = (kept, request.from.name()) {
                        let text = format!("'{rule}' holds until the team is closed: {error}");
                        self.base.feed.notice(member, text);
                    }
                }
            }
        }
    }

    async fn told(&self, request: RequestId) {
        let told = Command::Request(RequestCommand::Told { request });
        // If the team closes before it is noted, it is told again at the next opening and dropped by its id.
        let _ = self.requests.insist(told).await;
        self.base.activity.look_again();
    }

    /// After its deadline nobody waits for an answer any more.
    fn watch_deadline(self: &Arc<Self>, request: &Request) {
        let (Some(deadline), id) = (request.deadline, request.id) else {
            return;
        };
        let (base, requests) = (self.base.clone(), self.requests.clone());
        tokio::spawn(async move {
            tokio::select! {
                _ = requests.settled(id) => {}
                () = base.sleep_until(deadline) => requests.expire(id, deadline).await,
            }
        });
    }
}

#[cfg(test)]
mod tests;
