//! The hooks of a team that is opened.

use std::sync::Arc;

use teammate_core::{next_step::NextStep, port::Hooks};
use teammate_process::{Leftovers, TeamSandbox};

use super::environment;
use crate::{
    TeamError,
    builder::TeamBuilder,
    file_stores::FileStores,
    hooks::{self, HookPlace, TranscriptOf, callbacks::AllHooks},
};

/// The port that runs the hooks, if there are any, and remarks for the user.
pub(super) type OpenedHooks = (Option<Arc<dyn Hooks>>, Vec<String>);

impl TeamBuilder {
    /// All that count here.
    ///
    /// # Errors
    ///
    /// A file of the user's cannot be used.
    pub(super) fn open_hooks(
        &self,
        files: &FileStores,
        held: (TeamSandbox, Leftovers),
    ) -> Result<OpenedHooks, TeamError> {
        let workspace = &files.site.workspace;
        let mut found = self.hooks.found(workspace, &self.user)?;
        let step = self.config.wording.words(&NextStep::TrustProject);
        found.notices.extend(found.untrusted_notice(&step));
        if found.hooks.is_empty() && self.callback_hooks.is_empty() {
            return Ok((None, found.notices));
        }
        let dir = files.dir.clone();
        let transcript: TranscriptOf = Arc::new(move |member| dir.transcript(member));
        let mut all = AllHooks {
            commands: None,
            callbacks: self.callback_hooks.clone(),
            transcript: transcript.clone(),
        };
        if found.hooks.is_empty() {
            return Ok((Some(Arc::new(all)), found.notices));
        }
        let dir = files.dir.clone();
        let place = HookPlace {
            workspace: workspace.clone(),
            team_dir: dir.path().to_owned(),
            environment: environment(&self.config),
            transcript,
        };
        let commands = hooks::commands(found.hooks, place, &self.user, held);
        all.commands = Some(Arc::new(commands));
        Ok((Some(Arc::new(all)), found.notices))
    }
}
