//! A team in memory without a model and without tools, for tests of single parts.

use std::{path::PathBuf, sync::Arc};

use teammate_core::{
    Incarnation, MemberName,
    model::{ModelFailure, ModelRef, Remedy},
    permission::Mode,
    port::{Model, ModelSource, Workspace},
    team::AgentDefinitions,
};
use teammate_store::clock::{SystemClock, UuidV7Ids};
use teammate_testkit::memory::{MemoryArchive, MemoryJournal, MemoryMailbox, MemoryTranscripts};

use crate::{Ports, Setup, TeamConfig, ToolNames, base::Scene};

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
        questions: None,
        calendar: None,
        agents: None,
        worktrees: None,
        transfer: None,
        rule_book: None,
        audit: None,
        mode_limit: None,
        hooks: None,
        clock: Arc::new(SystemClock),
        ids: Arc::new(UuidV7Ids),
    }
}

/// A team by this configuration.
pub(crate) fn setup(config: TeamConfig) -> Setup {
    Setup {
        secrets: Arc::default(),
        team_name: "default".to_owned(),
        config,
        briefing: String::new(),
        agents: AgentDefinitions::default(),
        lead_tools: Vec::new(),
        teammate_tools: Vec::new(),
        first_event: 0,
        workspace: nowhere(),
        environment: Vec::new(),
        shell: None,
        tool_names: ToolNames::default(),
    }
}

fn nowhere() -> Workspace {
    let root = PathBuf::from("/nowhere");
    Workspace {
        team_dir: root.join(".team"),
        outputs: root.join(".team/outputs"),
        tmp: None,
        unreadable: Vec::new(),
        root,
    }
}

/// A member at work there.
pub(crate) fn scene(member: MemberName) -> Scene {
    Scene {
        member,
        incarnation: Incarnation::FIRST,
        subagent: None,
        mode: Mode::Ask,
        place: Arc::new(nowhere()),
    }
}
