//! What a host is opened with: the world it lives in and what it shall be.

use std::{path::PathBuf, sync::Arc, time::Duration};

use teammate_core::{
    agent::Limits,
    budget::Budgets,
    model::ModelRef,
    permission::{Mode, Rules},
    port::{
        Archive, Clock, Ids, Journal, Mailbox, ModelSource, Processes, RuleBook, Tool,
        TranscriptStore, Workspace, Worktrees,
    },
    price::Prices,
    secrets::Secrets,
    team::{Agents, ConversationChoice},
    tool::ToolNames,
};

use crate::policy::{PlanPolicy, Policy};

/// The adapters a team runs on.
#[derive(Clone)]
pub struct World {
    /// The team's journal.
    pub journal: Arc<dyn Journal>,
    /// Everybody's mailbox.
    pub mailbox: Arc<dyn Mailbox>,
    /// Everybody's transcript.
    pub transcripts: Arc<dyn TranscriptStore>,
    /// Where what ended teams leave behind is put.
    pub archive: Arc<dyn Archive>,
    /// Where models come from.
    pub models: Arc<dyn ModelSource>,
    /// Wall time.
    pub clock: Arc<dyn Clock>,
    /// Identifiers.
    pub ids: Arc<dyn Ids>,
    /// Worktrees, where there can be any.
    pub worktrees: Option<Arc<dyn Worktrees>>,
    /// Where rules of an "always" are kept; without one they hold until the team is closed.
    pub rule_book: Option<Arc<dyn RuleBook>>,
    /// What commands leave running, where they can leave anything.
    pub processes: Option<Arc<dyn Processes>>,
}

/// What the team shall be. Nothing is optional here: settings were resolved before.
#[derive(Clone)]
pub struct Setup {
    /// The team's name, if it is made anew.
    pub team_name: String,
    /// With which conversation of the lead the team is opened.
    pub conversation: ConversationChoice,
    /// The model of whoever was given none.
    pub model: ModelRef,
    /// How much the lead may do without asking, and so the most that anybody may.
    pub mode: Mode,
    /// The user's rules.
    pub rules: Rules,
    /// Who answers questions.
    pub policy: Policy,
    /// Who answers plans.
    pub plans: PlanPolicy,
    /// How long a member that is asked to shut down has to agree before it is stopped.
    pub shutdown_within: Duration,
    /// What the lead can call, in the order in which it is shown.
    pub lead_tools: Vec<Arc<dyn Tool>>,
    /// What teammates can call.
    pub teammate_tools: Vec<Arc<dyn Tool>>,
    /// What all are told besides how a team works: notes of the project and of the user, skills. Fenced already.
    pub briefing: String,
    /// The kinds of teammates that the lead may spawn by name.
    pub agents: Agents,
    /// Other names of tools.
    pub tool_names: ToolNames,
    /// What runs a task's check: takes `{"command": ...}` and fails if it does not exit 0. Without one, checks cannot be run
    /// and tasks that have one are not completed.
    pub shell: Option<Arc<dyn Tool>>,
    /// Where the files are.
    pub workspace: Workspace,
    /// What the children of tools get as their environment.
    pub environment: Vec<(String, String)>,
    /// What is neither written down nor shown.
    pub secrets: Arc<Secrets>,
    /// Bounds of a turn.
    pub limits: Limits,
    /// How much the team and its members may spend.
    pub budgets: Budgets,
    /// What models cost.
    pub prices: Prices,
    /// The most tokens of one answer.
    pub max_tokens: u32,
    /// How long a failing model is tried again.
    pub retry: RetryLimits,
    /// After how long without anything to do a teammate is stopped; never, if nothing is said.
    pub idle_max: Option<Duration>,
}

impl Setup {
    /// The directory that members work in.
    pub fn root(&self) -> &PathBuf {
        &self.workspace.root
    }
}

/// How a failing model is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryLimits {
    /// The first pause; doubles with every failure.
    pub pause_first: Duration,
    /// The longest pause.
    pub pause_max: Duration,
    /// After this long the turn fails.
    pub total: Duration,
}

impl Default for RetryLimits {
    /// Half a second, doubling to a minute, for half an hour: a long outage costs no member its work.
    fn default() -> Self {
        Self {
            pause_first: Duration::from_millis(500),
            pause_max: Duration::from_secs(60),
            total: Duration::from_secs(30 * 60),
        }
    }
}
