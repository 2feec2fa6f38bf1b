//! Who is told of a request: its mail is sent, also when a mailbox fails for a moment, and screens are shown how it stands.

use teammate_core::{
    MemberName, MessageKind,
    event::What,
    request::{Frame, Kind, Request, State},
};

use super::RequestKeeper;
use crate::mailer::{Draft, within_limit};

impl RequestKeeper {
    pub(super) async fn send_frame(&self, request: &Request, frame: Option<Frame>) {
        let Some(frame) = frame else { return };
        let id = self.base.ledger.team().frame_id(request, &frame);
        let metadata = frame.metadata();
        let draft = Draft {
            id,
            kind: frame.kind,
            from: frame.from.sender(),
            from_incarnation: frame.from.life(),
            to: frame.to.clone(),
            to_incarnation: frame.to_life,
            request: Some(request.id),
            metadata,
            content: within_limit(frame.content),
        };
        // Nothing waits for a shutdown to be heard, and its deadline waits for nothing.
        let sent = if frame.kind == MessageKind::ShutdownRequest {
            self.mailer.send(draft).await
        } else {
            self.mailer.send_with_retries(draft).await
        };
        if let Err(error) = sent {
            let text = format!("{} was not told of {}: {error}", frame.to, request.id);
            self.base.feed.notice(&frame.to, text);
        }
    }

    /// A mode that came with an approval while nobody ran the team may be above the one in which it runs now.
    pub(super) fn tell_mode(&self, request: &Request) {
        let (State::Approved(approval), Some(author)) = (&request.state, request.from.name())
        else {
            return;
        };
        let ceiling = self.base.setup.mode;
        if let Some(mode) = approval.mode.filter(|mode| *mode > ceiling) {
            let text = format!(
                "the mode '{mode}' that came with {} is above the team's own and not in force: {author} works in '{ceiling}'; start \
                 the team with --permission-mode {mode} to have it",
                request.id
            );
            self.base.feed.notice(author, text);
        }
    }

    pub(super) fn show_opened(&self, request: &Request) {
        let what = match &request.kind {
            Kind::Permission(ask) => What::PermissionAsked {
                question: request.id.number(),
                tool: ask.tool.clone(),
                shows: ask.shows.clone(),
                rule: ask.rule.clone(),
                deadline: request.deadline,
            },
            Kind::Shutdown(_) | Kind::Plan(_) => What::RequestOpened {
                request: request.id,
                kind: request.kind_name(),
                from: request.from.sender(),
                to: request.to(),
                shows: request.shows(),
                deadline: request.deadline,
            },
        };
        self.base.feed.tell(&asker(request), what);
    }

    pub(super) fn show_settled(&self, request: &Request) {
        let what = match &request.kind {
            Kind::Permission(_) => What::PermissionAnswered {
                question: request.id.number(),
                allowed: matches!(request.state, State::Approved(_)),
                by: settler(&request.state),
            },
            Kind::Shutdown(_) | Kind::Plan(_) => What::RequestSettled {
                request: request.id,
                kind: request.kind_name(),
                from: request.from.sender(),
                state: request.state.word().to_owned(),
                how: request.describe(),
            },
        };
        self.base.feed.tell(&asker(request), what);
    }
}

/// Whom it concerns on a screen: the lead, if no member asks.
fn asker(request: &Request) -> MemberName {
    let asker = request.from.name().cloned();
    asker.unwrap_or_else(MemberName::lead)
}

/// Who or what settled it, in a word.
fn settler(state: &State) -> String {
    match state {
        State::Approved(approval) => approval.by.sender().to_string(),
        State::Rejected { by, .. } => by.sender().to_string(),
        State::Expired => "deadline".to_owned(),
        State::Pending | State::Cancelled { .. } => "nobody".to_owned(),
    }
}
