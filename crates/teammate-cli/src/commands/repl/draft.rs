//! The lead's draft at the prompt, typed and not sent, which the full screen takes up, too.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

use crate::commands::drafts::{drafts_file, read_drafts, write_drafts};
use teammate::{MemberName, Secrets, TeamState, lock::Hold};

/// Cheap to clone; all clones are one.
#[derive(Clone)]
pub(super) struct LeadDraft {
    /// Nothing without a state directory: then no draft is kept.
    path: Option<PathBuf>,
    /// The content of the file.
    kept: Arc<Mutex<String>>,
    /// Secrets that no file of typed words holds.
    secrets: Arc<Secrets>,
}

impl LeadDraft {
    /// The draft of this team.
    pub(super) fn of(team: &TeamState, secrets: Arc<Secrets>) -> Self {
        let path = drafts_file(team);
        let mut all = path.as_deref().map(read_drafts).unwrap_or_default();
        let kept = all.remove(MemberName::lead().as_str());
        Self {
            path,
            kept: Arc::new(Mutex::new(kept.unwrap_or_default())),
            secrets,
        }
    }

    /// Secrets that no file of typed words holds.
    pub(super) fn secrets(&self) -> &Arc<Secrets> {
        &self.secrets
    }

    /// The draft: words that were typed and not sent.
    pub(super) fn text(&self) -> String {
        let kept = self.kept.hold();
        kept.clone()
    }

    /// Keeps what is typed now; an empty text is no draft. Drafts for others stay as they are.
    pub(super) fn keep(&self, text: &str) {
        let Some(path) = &self.path else { return };
        let mut kept = self.kept.hold();
        if *kept == text {
            return;
        }
        text.clone_into(&mut kept);
        let mut all = read_drafts(path);
        let lead = MemberName::lead().to_string();
        match text {
            "" => all.remove(&lead),
            text => all.insert(lead, text.to_owned()),
        };
        // A draft that cannot be kept is still on the screen.
        let _ = write_drafts(path, &all, &self.secrets);
    }
}
