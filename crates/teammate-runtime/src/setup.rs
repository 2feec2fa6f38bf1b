//! The ports and settings that a host is opened with.

use std::{path::PathBuf, sync::Arc};

use teammate_core::{
    port::{
        AgentSource, Archive, AuditLog, Calendar, Clock, Hooks, Ids, Journal, Mailbox,
        MemberProcesses, ModeLimit, ModelSource, OpenQuestions, RuleStore, Tool, TranscriptStore,
        WorkTransfer, Workspace, Worktrees,
    },
    secrets::Secrets,
    team::AgentDefinitions,
    tool::ToolNames,
};

use crate::config::TeamConfig;

/// The adapters a team runs on.
#[derive(Clone)]
pub struct Ports {
    pub journal: Arc<dyn Journal>,
    pub mailbox: Arc<dyn Mailbox>,
    pub transcripts: Arc<dyn TranscriptStore>,
    /// Where what ended teams leave behind is put.
    pub archive: Arc<dyn Archive>,
    /// Where models come from.
    pub models: Arc<dyn ModelSource>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    /// Worktrees, where there can be any.
    pub worktrees: Option<Arc<dyn Worktrees>>,
    /// The port that carries members' work to other machines and from them, where the team has several.
    pub transfer: Option<Arc<dyn WorkTransfer>>,
    /// Where rules of an "always" are kept; without one they hold until the team is closed.
    pub rule_book: Option<Arc<dyn RuleStore>>,
    /// Where it is recorded who allowed what; without one nowhere.
    pub audit: Option<Arc<dyn AuditLog>>,
    /// Which permission modes the user may choose; without one all.
    pub mode_limit: Option<Arc<dyn ModeLimit>>,
    /// The port that runs the user's hooks, if there are any.
    pub hooks: Option<Arc<dyn Hooks>>,
    /// The port that computes the moments of schedules; without one they do not fire here.
    pub calendar: Option<Arc<dyn Calendar>>,
    /// Where external agents come from, if there can be any.
    pub agents: Option<Arc<dyn AgentSource>>,
    /// The port for processes that commands leave running, where they can leave any.
    pub processes: Option<Arc<dyn MemberProcesses>>,
    /// The port that keeps questions across openings, if there can be any.
    pub questions: Option<Arc<dyn OpenQuestions>>,
}

/// The team's settings, resolved: nothing is optional here.
#[derive(Clone)]
pub struct Setup {
    /// The settings; `rules` are all that are in force.
    pub config: TeamConfig,
    /// The team's name, if it is made anew.
    pub team_name: String,
    /// The tools of the lead, in the order in which they are shown.
    pub lead_tools: Vec<Arc<dyn Tool>>,
    pub teammate_tools: Vec<Arc<dyn Tool>>,
    /// The briefing in the preamble: instructions of the project and the user, skills. Fenced already.
    pub briefing: String,
    /// The kinds of teammates that the lead may spawn by name.
    pub agents: AgentDefinitions,
    /// Other names of tools.
    pub tool_names: ToolNames,
    /// The tool that runs a task's check: takes `{"command": ...}` and fails if it does not exit 0. Without one, checks
    /// cannot be run and tasks that have one are not completed.
    pub shell: Option<Arc<dyn Tool>>,
    /// The number of the first event of this run: one more than the last in the event log, else 0.
    pub first_event: u64,
    pub workspace: Workspace,
    /// The environment of the children of tools.
    pub environment: Vec<(String, String)>,
    /// The secrets, which are neither written down nor shown.
    pub secrets: Arc<Secrets>,
}

impl Setup {
    /// The directory that members work in.
    pub fn root(&self) -> &PathBuf {
        &self.workspace.root
    }
}
