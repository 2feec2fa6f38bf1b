//! A team in memory without a model and without tools, for tests of single parts.

use std::{path::PathBuf, sync::Arc};

use teammate_core::{
    model::{ModelFailure, ModelRef, Remedy},
    port::{Model, ModelSource, Workspace},
    team::AgentDefinitions,
};
use teammate_store::clock::{SystemClock, UuidV7Ids};
use teammate_testkit::memory::{MemoryArchive, MemoryJournal, MemoryMailbox, MemoryTranscripts};

use crate::{Ports, Setup, TeamConfig, ToolNames};

struct NoModels;

impl ModelSource for NoModels {
    fn open(&self, _: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        Err(ModelFailure {
            what: "there is no model".to_owned(),
            remedy: Remedy::Never,
        })
    }
}

/// Stores in memory.
pub(crate) fn ports() -> Ports {
    Ports {
        journal: Arc::new(MemoryJournal::default()),
        mailbox: Arc::new(MemoryMailbox::default()),
        transcripts: Arc::new(MemoryTranscripts::default()),
        models: Arc::new(NoModels),
        archive: Arc::new(MemoryArchive),
        processes: None,
        worktrees: None,
        rule_book: None,
        audit: None,
        mode_limit: None,
        clock: Arc::new(SystemClock),
        ids: Arc::new(UuidV7Ids),
    }
}

/// A team by this configuration.
pub(crate) fn setup(config: TeamConfig) -> Setup {
    let root = PathBuf::from("/nowhere");
    Setup {
        secrets: Arc::default(),
        team_name: "default".to_owned(),
        config,
        briefing: String::new(),
        agents: AgentDefinitions::default(),
        lead_tools: Vec::new(),
        teammate_tools: Vec::new(),
        first_event: 0,
        workspace: Workspace {
            team_dir: root.join(".team"),
            outputs: root.join(".team/outputs"),
            tmp: None,
            unreadable: Vec::new(),
            root,
        },
        environment: Vec::new(),
        shell: None,
        tool_names: ToolNames::default(),
    }
}
