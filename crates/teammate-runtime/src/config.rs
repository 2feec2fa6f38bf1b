//! The settings of a team as plain values: the one place for a setting's type, meaning and default.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    agent::{ContextWindow, Limits},
    budget::Budgets,
    model::{Effort, ModelRef},
    next_step::Wording,
    permission::{Mode, Rules},
    port::WorktreeSetup,
    price::Prices,
    team::ConversationChoice,
};

use crate::policy::{AskPolicy, PlanApprover};

/// How long a member that is asked to shut down has to agree, if nothing else is said.
pub const SHUTDOWN_WITHIN: Duration = Duration::from_secs(30);

/// Whether it is recorded who allowed what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AuditUse {
    Off,
    /// Yes; if it cannot be written, the user hears that, and work goes on.
    #[default]
    On,
    /// Yes; what cannot be recorded does not run.
    Required,
}

/// Files that other programs read as instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoreInstructions {
    /// `GEMINI.md`.
    Gemini,
    /// `.cursor/rules`.
    Cursor,
}

/// The settings of a team, for the code that composes it and for the host.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamConfig {
    /// The model of members that were given none.
    pub model: ModelRef,
    /// With which conversation of the lead the team is opened. Default: the last one, so what the last opening left unfinished
    /// goes on.
    pub conversation: ConversationChoice,
    /// The lead's permission mode, and the ceiling for all members. Default: [`Mode::Ask`].
    pub mode: Mode,
    /// The user's rules. Default: none.
    pub rules: Rules,
    /// Whether it is recorded who allowed what. Default: [`AuditUse::On`].
    pub audit: AuditUse,
    /// The one who answers questions. Default: nobody; calls that would need a question are refused.
    pub policy: AskPolicy,
    /// The approver of plans. Default: the lead.
    pub plans: PlanApprover,
    /// How long a member that is asked to shut down has to agree before it is stopped. Default: 30 seconds.
    pub shutdown_within: Duration,
    /// Bounds of a turn.
    pub limits: Limits,
    /// How much the team and its members may spend in all runs of the team. Default: no limit.
    pub budgets: Budgets,
    /// The prices of models. Default: not known.
    pub prices: Prices,
    /// The most tokens of one answer. Default: 16,000, and more for models that think.
    pub max_tokens: Option<u32>,
    /// How much models think. Default: as the catalogue says of each.
    pub effort: Option<Effort>,
    /// Whether thinking is shown while it streams. Default: no.
    pub shows_thinking: bool,
    /// The size of models' contexts, in tokens. Default: as the catalogue says of each.
    pub context_tokens: Option<u64>,
    /// The part of that at which a conversation is made shorter. Default: 0.8.
    pub compact_at: f64,
    /// How long prompt caches are kept. Default: [`CacheSetting::Auto`].
    pub cache: CacheSetting,
    /// The models that a member uses when its own fails. Default: nothing.
    pub fallback: Fallback,
    /// The JSON Schema that the lead's results fit, where its server can hold it to one. Default: none.
    pub result_schema: Option<Arc<str>>,
    /// How a failing model is tried again.
    pub retry: RetryLimits,
    /// After how long without anything to do a teammate is stopped; a spawn wakes it. Default: never.
    pub idle_max: Option<Duration>,
    /// How long background jobs are waited for once all members are idle. Default: ten minutes.
    pub background_wait: Duration,
    /// Whether the end of a job is waited for while the user is asked something, also if all members are idle (a plan waits for
    /// its approval). Default: no.
    pub waits_for_answers: bool,
    /// Whether models are shown the tool names of Claude Code (`Bash`, `SendMessage`, `TaskCreate` ...) instead of our own. Both
    /// are always understood. Default: no.
    pub shows_aliases: bool,
    /// Whether members read `AGENTS.md` and `CLAUDE.md`. Default: yes.
    pub project_instructions: bool,
    /// The files of other programs that count as project instructions, too. Default: none.
    pub more_instructions: Vec<MoreInstructions>,
    /// Whether members keep notes across teams, and read those of earlier ones. Default: no.
    pub remembers: bool,
    /// Whether the team's schedules fire in this process. Default: no.
    pub fires_schedules: bool,
    /// Environment variables that commands get besides the harmless ones. Default: none.
    pub pass_environment: Vec<String>,
    /// Files of new worktrees besides those of their commit. Default: none.
    pub worktrees: WorktreeSetup,
    /// The most bytes of one of the team's files that are read. Default: 1 GiB.
    pub read_max: u64,
    /// How notices and refusals word what the user can do. Default: plain sentences that name no command.
    pub wording: Wording,
}

impl TeamConfig {
    /// The most bytes of one of a team's files that are read unless configured otherwise: 1 GiB.
    pub const READ_MAX_BYTES: u64 = 1024 * 1024 * 1024;

    /// The defaults, with this model for members that were given none.
    pub fn new(model: ModelRef) -> Self {
        Self {
            model,
            conversation: ConversationChoice::Last,
            mode: Mode::Ask,
            rules: Rules::default(),
            audit: AuditUse::default(),
            policy: AskPolicy::Never,
            plans: PlanApprover::Lead,
            shutdown_within: SHUTDOWN_WITHIN,
            limits: Limits::default(),
            budgets: Budgets::default(),
            prices: Prices::default(),
            max_tokens: None,
            effort: None,
            shows_thinking: false,
            context_tokens: None,
            compact_at: ContextWindow::COMPACT_AT,
            cache: CacheSetting::default(),
            fallback: Fallback::default(),
            result_schema: None,
            retry: RetryLimits::default(),
            idle_max: None,
            background_wait: Duration::from_secs(10 * 60),
            waits_for_answers: false,
            shows_aliases: false,
            project_instructions: true,
            more_instructions: Vec::new(),
            remembers: false,
            fires_schedules: false,
            pass_environment: Vec::new(),
            worktrees: WorktreeSetup::default(),
            read_max: Self::READ_MAX_BYTES,
            wording: Wording::default(),
        }
    }
}

/// How long servers keep what they have cached of prompts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheSetting {
    /// Minutes.
    Short,
    /// An hour, where the server offers it; writing costs more.
    Long,
    /// Minutes, and an hour for a member that has waited longer than that.
    #[default]
    Auto,
}

/// The models that a member uses when its own fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fallback {
    /// The models, in this order. Members may have their own.
    pub models: Vec<ModelRef>,
    /// How long a server may be away before the next model is asked. Default: two minutes.
    pub after: Duration,
    /// After how long the member's own model is tried again. Default: when the team is opened again.
    pub back: Option<Duration>,
}

impl Default for Fallback {
    fn default() -> Self {
        Self {
            models: Vec::new(),
            after: Duration::from_secs(2 * 60),
            back: None,
        }
    }
}

/// How a failing model is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryLimits {
    /// The first pause of an outage; doubles with each probe that fails.
    pub backoff_first: Duration,
    /// The longest pause.
    pub backoff_max: Duration,
    /// After this long the turn fails.
    pub total: Duration,
    /// The limit for a server that has answered nothing yet since the team was opened: its address or key may be wrong.
    pub unanswered: Duration,
}

impl Default for RetryLimits {
    /// Half a second, doubling to eight, for half an hour: a long outage costs no member its work.
    fn default() -> Self {
        let total = Duration::from_secs(30 * 60);
        Self {
            backoff_first: Duration::from_millis(500),
            backoff_max: Duration::from_secs(8),
            total,
            unanswered: total,
        }
    }
}
