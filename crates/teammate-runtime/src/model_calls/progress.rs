//! What is seen of an answer while it comes: that the server has begun, and the text, piece by piece, without secrets.

use std::sync::{Arc, Mutex, PoisonError};

use teammate_core::{
    MemberName, event::EventKind, model::StreamPart, port::PartSink, secrets::Streamed,
};
use tokio::sync::oneshot;

use super::ModelCall;
use crate::base::Base;

/// One answer on its way.
#[derive(Clone)]
pub(super) struct Progress {
    base: Arc<Base>,
    member: MemberName,
    started: Arc<Mutex<Option<oneshot::Sender<()>>>>,
    /// `None`: the text is not shown.
    text: Option<Arc<Mutex<Streamed>>>,
}

impl Progress {
    /// `started` hears of the first part.
    pub(super) fn new(ask: &ModelCall, started: oneshot::Sender<()>) -> Self {
        let streamed = || Streamed::new(ask.model_caller.base.setup.secrets.clone());
        Self {
            base: ask.model_caller.base.clone(),
            member: ask.member.clone(),
            started: Arc::new(Mutex::new(Some(started))),
            text: (!ask.is_quiet).then(|| Arc::new(Mutex::new(streamed()))),
        }
    }

    /// Takes the parts as the model's adapter gives them.
    pub(super) fn sink(&self) -> PartSink {
        let progress = self.clone();
        Box::new(move |part| progress.take(part))
    }

    fn take(&self, part: StreamPart) {
        let first = self
            .started
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(started) = first {
            // Nobody may be waiting.
            let _ = started.send(());
        }
        match part {
            StreamPart::Text(piece) => self.emit(|text| text.take(&piece)),
            // Reasoning is not shown.
            StreamPart::Started | StreamPart::Thinking(_) | StreamPart::ToolUse { .. } => {}
        }
    }

    /// The answer is whole: shows what was held back.
    pub(super) fn finished(&self) {
        self.emit(Streamed::rest);
    }

    fn emit(&self, known: impl FnOnce(&mut Streamed) -> String) {
        let Some(text) = &self.text else { return };
        let delta = known(&mut text.lock().unwrap_or_else(PoisonError::into_inner));
        if !delta.is_empty() {
            self.base.feed.emit(&self.member, EventKind::Text { delta });
        }
    }
}
