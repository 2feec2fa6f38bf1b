//! How far a running call is, on its way to the screens.

use std::sync::Arc;

use teammate_core::{
    MemberName, event::EventKind, fence::visible, port::CallProgress, tool::CallId,
};

use super::ToolRun;
use crate::base::Base;

/// The most characters of it that are shown.
const CHARS_MAX: usize = 200;

/// Shows the progress of one call as long as it lives.
pub(super) struct ShownProgress {
    base: Arc<Base>,
    member: MemberName,
    call: CallId,
}

impl ShownProgress {
    pub(super) fn of(run: &ToolRun) -> Self {
        Self {
            base: run.base.clone(),
            member: run.member().clone(),
            call: run.call.id.clone(),
        }
    }
}

impl CallProgress for ShownProgress {
    fn show(&self, text: &str) {
        let text = self.base.setup.secrets.redact(text);
        let text = visible(&text);
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let what = EventKind::ToolProgress {
            call: self.call.clone(),
            text: line.chars().take(CHARS_MAX).collect(),
        };
        self.base.feed.emit(&self.member, what);
    }
}

impl Drop for ShownProgress {
    fn drop(&mut self) {
        self.base.feed.end_progress(&self.member, &self.call);
    }
}
