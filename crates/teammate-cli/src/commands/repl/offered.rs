//! The words that Tab offers at the prompt: commands, members, files.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use teammate::{TeamState, lock::Hold};
use teammate_view::Words;

use crate::commands::typed::{offered_commands, offered_files};

/// Cheap to clone; all clones are one.
#[derive(Clone)]
pub(super) struct PromptOffers {
    workspace: PathBuf,
    /// With a line about each.
    commands: Vec<(String, String)>,
    members: Arc<Mutex<Vec<String>>>,
}

impl PromptOffers {
    pub(super) fn new(workspace: &Path) -> Self {
        Self {
            workspace: workspace.to_owned(),
            commands: offered_commands(workspace),
            members: Arc::default(),
        }
    }

    /// From now on these members are offered.
    pub(super) fn know_members(&self, team: &TeamState) {
        let names = team.members().map(|member| member.name.to_string());
        let mut known = self.members.hold();
        *known = names.collect();
    }
}

impl Words for PromptOffers {
    fn commands(&self) -> Vec<(String, String)> {
        self.commands.clone()
    }

    fn members(&self) -> Vec<String> {
        let known = self.members.hold();
        known.clone()
    }

    fn files(&self, begin: &str) -> Vec<String> {
        offered_files(&self.workspace, begin)
    }
}
