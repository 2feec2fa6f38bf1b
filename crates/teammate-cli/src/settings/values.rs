//! Everything that a flag or the configuration file can set. Both are read into the same fields; what only one of them can say is
//! passed over by the other.

mod config;
mod layers;
mod uses;

use std::{collections::BTreeMap, path::PathBuf};

use clap::Args;
use serde::Deserialize;
use teammate::{Effort, Mode, ModelRef, Price, Rule, project::WorktreesTable, rules::written};
use teammate_view::theme::ThemeSettings;

#[cfg(feature = "acp")]
use super::agents::AgentTables;
#[cfg(feature = "nats")]
use super::nats::NatsTable;
#[cfg(feature = "otel")]
use super::otel::{OtelFlag, OtelTable};
#[cfg(feature = "mcp")]
use super::servers::ServerTables;
use super::{
    face::{KeysSetting, NotifyTable, UiTable},
    keep::KeepTable,
    models::ModelTable,
    network::NetworkSetting,
    plan_approver::PlanApproverFlag,
    providers::ProviderTable,
    sandbox::{Containment, SandboxFlag, SandboxTable},
    screen::ScreenSetting,
    spending::BudgetLimits,
    switch::{McpServerTable, SwitchTable},
    web::{WebSearchTable, WebTable},
    words::{
        AuditSetting, CacheWord, InstructionsOf, ToolNames, mode_in_file, parse_mode, parse_rule,
    },
};

/// The settings that were made.
#[derive(Args, Deserialize, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Values {
    /// The model, as PROVIDER:NAME: anthropic:NAME, openai:NAME, scripted:FILE, or a provider from your
    /// configuration [env: TEAMMATE_MODEL]
    #[arg(long, global = true, value_name = "MODEL")]
    pub(super) model: Option<String>,

    /// How much models think before they answer: off, low, medium, high or max [default: by the model] [env:
    /// TEAMMATE_EFFORT]
    #[arg(long, global = true, value_name = "LEVEL")]
    pub(super) effort: Option<Effort>,

    /// Which screen the prompt has.
    #[arg(skip)]
    pub(super) screen: Option<ScreenSetting>,

    /// Show the lead's thinking while it comes
    #[arg(long, global = true)]
    show_thinking: bool,

    /// The model to go on with when a member's own fails, as PROVIDER:NAME; may be repeated
    #[arg(long, global = true, value_name = "MODEL")]
    fallback: Vec<ModelRef>,

    /// After how many minutes without its server a member goes on with the next model.
    #[arg(skip)]
    fallback_minutes: Option<f64>,

    /// After how many minutes it tries its own model again.
    #[arg(skip)]
    fallback_back_minutes: Option<f64>,

    /// How long prompt caches are kept.
    #[arg(skip)]
    cache: Option<CacheWord>,

    /// How much members may do without asking: ask, accept-edits or bypass
    #[arg(long, global = true, value_name = "MODE", value_parser = parse_mode)]
    #[serde(deserialize_with = "mode_in_file")]
    permission_mode: Option<Mode>,

    /// Allow without asking, e.g. 'bash(cargo test:*)' or 'edit(src/**)'; may be repeated
    #[arg(long, global = true, value_name = "RULE", value_parser = parse_rule)]
    #[serde(deserialize_with = "written::of_user")]
    allow: Vec<Rule>,

    /// Never allow, e.g. 'bash(git push:*)', whatever other rules say; may be repeated
    #[arg(long, global = true, value_name = "RULE", value_parser = parse_rule)]
    #[serde(deserialize_with = "written::of_user")]
    deny: Vec<Rule>,

    /// Let the lead allow this for teammates, in your place, e.g. 'bash(cargo:*)'; may be repeated
    #[arg(long, global = true, value_name = "RULE", value_parser = parse_rule)]
    #[serde(deserialize_with = "written::of_user")]
    lead_may_allow: Vec<Rule>,

    /// Model calls in one turn, at most [default: 1000]
    #[arg(long, global = true, value_name = "N")]
    max_rounds: Option<u32>,

    /// End a turn after the same call has failed this often in the same way, with no progress in between; 0: no
    /// limit [default: 10]
    #[arg(long, global = true, value_name = "N")]
    max_repeats: Option<u32>,

    /// Messages in a row, at most, that only answer one another with no work in between; 0: no limit [default: 50]
    #[arg(long, global = true, value_name = "N")]
    max_hops: Option<u32>,

    /// Teammates spawned or woken in a minute, at most; 0: no limit [default: 300]
    #[arg(long, global = true, value_name = "N")]
    max_spawns: Option<u32>,

    /// Tokens in one answer of a model, at most [default: 16000]
    #[arg(long, global = true, value_name = "N")]
    max_tokens: Option<u32>,

    /// The models' context window, in tokens; a conversation that nearly fills it is compacted [default: 200000]
    #[arg(long, global = true, value_name = "N")]
    context_tokens: Option<u64>,

    /// The part of the context at which conversations are made shorter.
    #[arg(skip)]
    compact_at: Option<f64>,

    /// Minutes to keep trying a model that cannot be reached [default: 30; 2 for run if it never answered]
    #[arg(long, global = true, value_name = "N")]
    retry_minutes: Option<f64>,

    /// Minutes for which a server is tried again that has not answered since the team was opened; made from `retry_minutes`.
    #[arg(skip)]
    #[serde(skip)]
    unanswered_minutes: Option<f64>,

    /// Tool names shown to models: own or claude (Bash, SendMessage, TaskCreate ...); calls may use either
    #[arg(long, global = true, value_name = "STYLE")]
    tool_names: Option<ToolNames>,

    /// Stop a teammate after this many idle minutes [default: never]
    #[arg(long, global = true, value_name = "N")]
    idle_minutes: Option<f64>,

    /// Leave AGENTS.md and CLAUDE.md out of the members' instructions
    #[arg(long, global = true)]
    #[serde(skip)]
    no_project_instructions: bool,

    /// Whether AGENTS.md and CLAUDE.md are part of the briefing.
    #[arg(skip)]
    project_instructions: Option<bool>,

    /// Programs whose files for agents are part of the briefing, too: gemini, cursor.
    #[arg(skip)]
    more_instructions: Vec<InstructionsOf>,

    /// Minutes to wait for background jobs once no member works [default: 10]
    #[arg(long, global = true, value_name = "N")]
    background_wait_minutes: Option<f64>,

    #[command(flatten)]
    budget: BudgetLimits,

    /// Who approves plans: lead, user, or check:COMMAND (reads the variable PLAN, approves with exit code 0) [default: lead]
    #[arg(long, global = true, value_name = "WHO")]
    plan_approver: Option<PlanApproverFlag>,

    /// Seconds a working teammate has when it is asked to shut down [default: 30]
    #[arg(long, global = true, value_name = "N")]
    shutdown_seconds: Option<f64>,

    /// Minutes a permission question waits before it is denied [default: 10]
    #[arg(long, global = true, value_name = "N")]
    answer_minutes: Option<f64>,

    /// Environment variables that commands get besides the harmless ones.
    #[arg(skip)]
    pass_environment: Vec<String>,

    /// Run commands without a sandbox: they can do all that you can do
    #[arg(long = "sandbox", global = true, value_name = "off")]
    #[serde(skip)]
    sandbox_flag: Option<SandboxFlag>,

    /// Let commands write in this directory, too, besides the workspace and [sandbox] write; may be repeated
    #[arg(long, global = true, value_name = "DIR")]
    #[serde(skip)]
    add_dir: Vec<PathBuf>,

    /// Where commands connect: none, ask, all, or hosts, as in 'crates.io,*.crates.io' [default: ask]
    #[arg(long, global = true, value_name = "WHERE", value_parser = NetworkSetting::of_flag)]
    #[serde(skip)]
    network: Option<NetworkSetting>,

    /// Hooks, in a file of the shape of hooks.json; may be repeated
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip)]
    hooks: Vec<PathBuf>,

    /// Servers of tools, in a file of the shape of .mcp.json; may be repeated
    #[cfg(feature = "mcp")]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip)]
    mcp_config: Vec<PathBuf>,

    /// Use the servers of tools of --mcp-config only: none of your own, of the workspace or of plug-ins
    #[cfg(feature = "mcp")]
    #[arg(long, global = true)]
    #[serde(skip)]
    strict_mcp_config: bool,

    /// Servers of tools, by name.
    #[cfg(feature = "mcp")]
    #[arg(skip)]
    mcp: ServerTables,

    /// Agents of other makes, by name.
    #[cfg(feature = "acp")]
    #[arg(skip)]
    agent: AgentTables,

    /// How commands are held.
    #[arg(skip)]
    #[serde(rename = "sandbox")]
    sandbox: SandboxTable,

    /// Whether it is recorded who allowed what.
    #[arg(skip)]
    audit: Option<AuditSetting>,

    /// For how long what is kept.
    #[arg(skip)]
    keep: KeepTable,

    /// Deprecated: how well commands are held at most.
    #[arg(skip)]
    containment: Option<Containment>,

    /// Servers, by name.
    #[arg(skip)]
    pub(super) providers: BTreeMap<String, ProviderTable>,

    /// The user's own facts about models, by name.
    #[arg(skip)]
    pub(super) models: BTreeMap<String, ModelTable>,

    /// How much models think that nothing else is said of; made from `effort` of the file.
    #[arg(skip)]
    #[serde(skip)]
    usual_effort: Option<Effort>,

    /// The name of the money.
    #[arg(skip)]
    pub(super) currency: Option<String>,

    /// Prices of models.
    #[arg(skip)]
    pub(super) prices: BTreeMap<String, Price>,

    /// The most bytes of one of the team's files that are read.
    #[arg(skip)]
    pub(super) read_max_bytes: Option<u64>,

    /// The language, and the mouse and movement on the full screen.
    #[arg(skip)]
    ui: UiTable,

    /// Key bindings of the full screen.
    #[arg(skip)]
    keys: KeysSetting,

    /// Colours.
    #[arg(skip)]
    theme: ThemeSettings,

    /// The command that tells the user that something waits for them.
    #[arg(skip)]
    notify: NotifyTable,

    /// Let members keep notes across teams, and read those of earlier ones
    #[arg(long = "memory", global = true)]
    #[serde(skip)]
    remembers: bool,

    /// Whether members keep notes.
    #[arg(skip)]
    memory: SwitchTable,

    /// Let the team's schedules fire while it runs here, at a prompt or by up
    #[arg(long = "schedules", global = true)]
    #[serde(skip)]
    fires_schedules: bool,

    /// Whether schedules fire.
    #[arg(skip)]
    schedules: SwitchTable,

    /// Send traces and metrics by OpenTelemetry to a collector [default: http://localhost:4318] [env:
    /// OTEL_EXPORTER_OTLP_ENDPOINT]
    #[cfg(feature = "otel")]
    #[arg(
        long = "otel",
        global = true,
        value_name = "URL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ""
    )]
    #[serde(skip)]
    otel_flag: Option<OtelFlag>,

    /// Whether and where traces and metrics are sent.
    #[cfg(feature = "otel")]
    #[arg(skip)]
    otel: OtelTable,

    /// On which servers the team is kept.
    #[cfg(feature = "nats")]
    #[arg(skip)]
    pub(super) nats: NatsTable,

    /// Settings of the tools of the web.
    #[arg(skip)]
    web: WebTable,

    /// The search service.
    #[arg(skip)]
    web_search: Option<WebSearchTable>,
    /// Rights of clients of the MCP server.
    #[arg(skip)]
    mcp_server: McpServerTable,

    /// Files of new worktrees besides those of their commit.
    #[arg(skip)]
    worktrees: WorktreesTable,
}

#[cfg(test)]
mod tests;
