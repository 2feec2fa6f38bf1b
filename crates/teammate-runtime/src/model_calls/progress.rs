//! The progress of an answer while it comes: that the server has begun, and the text, piece by piece, without secrets.

use std::sync::{Arc, Mutex};

use teammate_core::{
    MemberName, event::EventKind, lock::Hold, model::StreamPart, port::PartSink, secrets::Streamed,
};
use tokio::sync::oneshot;

use super::ModelCall;
use crate::base::Base;

/// One answer on its way.
#[derive(Clone)]
pub(super) struct AnswerProgress {
    base: Arc<Base>,
    member: MemberName,
    started: Arc<Mutex<Option<oneshot::Sender<()>>>>,
    /// `None`: the text is not shown.
    text: Option<Arc<Mutex<Streamed>>>,
    /// `None`: the thinking is not shown.
    thinking: Option<Arc<Mutex<Streamed>>>,
}

impl AnswerProgress {
    /// `started` hears of the first part.
    pub(super) fn new(ask: &ModelCall, started: oneshot::Sender<()>) -> Self {
        let setup = &ask.model_caller.base.setup;
        let streamed = || Arc::new(Mutex::new(Streamed::new(setup.secrets.clone())));
        let is_shown = !ask.purpose.is_quiet();
        Self {
            base: ask.model_caller.base.clone(),
            member: ask.scene.member.clone(),
            started: Arc::new(Mutex::new(Some(started))),
            text: is_shown.then(streamed),
            thinking: (is_shown && setup.config.shows_thinking).then(streamed),
        }
    }

    /// Takes the parts as the model's adapter gives them.
    pub(super) fn sink(&self) -> PartSink {
        let progress = self.clone();
        Box::new(move |part| progress.take(part))
    }

    fn take(&self, part: StreamPart) {
        if let StreamPart::Adapted(what) = part {
            // Nothing has begun: the request is sent again.
            self.base.feed.note(&self.member, what);
            return;
        }
        let first = self.started.hold().take();
        if let Some(started) = first {
            // Nobody may be waiting.
            let _ = started.send(());
        }
        match part {
            StreamPart::Text(piece) => self.emit(|text| text.take(&piece)),
            StreamPart::Thinking(piece) => self.emit_thinking(&piece),
            StreamPart::Started | StreamPart::Adapted(_) | StreamPart::ToolUse { .. } => {}
        }
    }

    /// The answer is whole: shows what was held back.
    pub(super) fn finished(&self) {
        self.show(&self.thinking, Streamed::rest, |delta| {
            EventKind::Thinking { delta }
        });
        self.emit(Streamed::rest);
    }

    fn emit(&self, known: impl FnOnce(&mut Streamed) -> String) {
        self.show(&self.text, known, |delta| EventKind::Text { delta });
    }

    fn emit_thinking(&self, piece: &str) {
        let take = |known: &mut Streamed| known.take(piece);
        self.show(&self.thinking, take, |delta| EventKind::Thinking { delta });
    }

    fn show(
        &self,
        streamed: &Option<Arc<Mutex<Streamed>>>,
        known: impl FnOnce(&mut Streamed) -> String,
        event: impl FnOnce(String) -> EventKind,
    ) {
        let Some(streamed) = streamed else { return };
        let delta = known(&mut streamed.hold());
        if !delta.is_empty() {
            self.base.feed.emit(&self.member, event(delta));
        }
    }
}
