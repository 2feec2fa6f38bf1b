//! Notices and events of requests. A notice is retried while its mailbox fails.

use std::sync::Arc;

use teammate_core::{
    MemberName, MessageKind,
    event::EventKind,
    next_step::NextStep,
    request::{Request, RequestNotice, RequestState},
};

use super::RequestService;
use crate::mailer::{MailDraft, truncated_to_limit};

impl RequestService {
    /// Tells the approver of a new request. Where the mailbox fails, this is tried again beside the reader of the news, which
    /// has more to send; the team is not idle meanwhile.
    pub(super) async fn send_opened(self: &Arc<Self>, request: &Arc<Request>) {
        let Some(frame) = request.opened_notice(&self.base.setup.tool_names) else {
            return;
        };
        let draft = self.draft(request, &frame);
        if self.mailer.send(draft).await.is_ok() {
            return;
        }
        let (keeper, request) = (self.clone(), request.clone());
        let under_way = self.base.activity.begin();
        drop(tokio::spawn(async move {
            keeper.send_notice(&request, Some(frame)).await;
            drop(under_way);
        }));
    }

    pub(super) async fn send_notice(&self, request: &Request, frame: Option<RequestNotice>) {
        let Some(frame) = frame else { return };
        let draft = self.draft(request, &frame);
        // Nothing waits for a shutdown to be heard, and its deadline waits for nothing.
        let sent = if frame.kind == MessageKind::ShutdownRequest {
            self.mailer.send(draft).await
        } else {
            self.mailer.send_with_retries(draft).await
        };
        if let Err(error) = sent {
            let text = format!(
                "{} did not get the notice of {}: {error}",
                frame.to, request.id
            );
            self.base.feed.note(&frame.to, text);
        }
    }

    fn draft(&self, request: &Request, frame: &RequestNotice) -> MailDraft {
        MailDraft {
            kind: frame.kind,
            from_incarnation: frame.from.incarnation(),
            to_incarnation: frame.to_incarnation,
            request: Some(request.id),
            wakes: frame.wakes,
            metadata: frame.metadata(),
            ..MailDraft::message(
                self.base.ledger.team().message_id(frame.cause),
                frame.from.sender(),
                &frame.to,
                truncated_to_limit(frame.content.clone()),
            )
        }
    }

    /// A mode that came with an approval while the team was not running may be above the team's present mode.
    pub(super) fn emit_mode(&self, request: &Request) {
        let (RequestState::Approved(approval), Some(author)) =
            (&request.state, request.from.name())
        else {
            return;
        };
        let ceiling = self.base.mode();
        if let Some(mode) = approval.mode.filter(|mode| *mode > ceiling) {
            let step = self
                .base
                .setup
                .config
                .wording
                .words(&NextStep::AllowMode(mode));
            let text = format!(
                "the mode '{mode}' that came with {} is above the team's own mode and is not used: {author} works in '{ceiling}'; to allow it, the user can {step}",
                request.id
            );
            self.base.feed.note(author, text);
        }
    }

    pub(super) fn emit_opened(&self, request: &Request) {
        let what = match request.permission() {
            Some(ask) => EventKind::PermissionAsked {
                question: request.id.number(),
                tool: ask.tool.clone(),
                shows: ask.shows.clone(),
                rules: request.offers(),
                deadline: request.deadline,
            },
            None => EventKind::RequestOpened {
                request: request.id,
                kind: request.request_kind(),
                from: request.from.sender(),
                to: request.to(),
                shows: request.shows(),
                deadline: request.deadline,
            },
        };
        self.base.feed.emit(&asker(request), what);
    }

    pub(super) fn emit_settled(&self, request: &Request) {
        let what = match request.permission() {
            Some(_) => EventKind::PermissionAnswered {
                question: request.id.number(),
                allowed: matches!(request.state, RequestState::Approved(_)),
                by: settled_by(&request.state),
                device: request.state.device().cloned(),
            },
            None => EventKind::RequestSettled {
                request: request.id,
                kind: request.request_kind(),
                from: request.from.sender(),
                state: request.state.kind(),
                how: request.describe(),
            },
        };
        self.base.feed.emit(&asker(request), what);
    }
}

/// Whom it concerns on a screen: the lead, if no member asks.
fn asker(request: &Request) -> MemberName {
    let asker = request.from.name().cloned();
    asker.unwrap_or_else(MemberName::lead)
}

/// The one who settled it, or `deadline`, in one word.
fn settled_by(state: &RequestState) -> String {
    match state {
        RequestState::Approved(approval) => approval.by.sender().to_string(),
        RequestState::Rejected { by, .. } => by.sender().to_string(),
        RequestState::Expired => "deadline".to_owned(),
        RequestState::Pending | RequestState::Cancelled { .. } => "nobody".to_owned(),
    }
}
