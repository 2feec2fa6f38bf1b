//! Settings: flags, then the environment, then the user's configuration file, then defaults. Nothing is read from the
//! workspace: a repository must not choose endpoints, rules or models.

mod loops;
mod requests;
mod spending;

use std::{path::PathBuf, time::Duration};

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use etcetera::BaseStrategy as _;
use serde::Deserialize;
use teammate::{
    Auth, Endpoint, Mode, ModelRef, Origin, Patience, Price, Prices, Providers, READ_MAX_BYTES,
    RetryLimits, Rule, Rules, Team, TeamBuilder, TeamName, TeamPlace, Wire, rules::written,
    texts::UserDirs,
};

/// How many seconds a server that the user named may be silent: it may be small.
const NAMED_PATIENCE: u64 = 600;

/// How long a model that cannot be reached is tried again where nobody sits at a prompt, unless configured otherwise.
const HEADLESS_RETRY: Duration = Duration::from_secs(2 * 60);

/// What a model takes unless configured otherwise, and at which part of it room is made.
const CONTEXT_TOKENS: u64 = 200_000;
const COMPACT_AT: f64 = 0.8;

/// Used when only the key is there.
const DEFAULT_ANTHROPIC: &str = "anthropic:claude-sonnet-4-5";
const DEFAULT_OPENAI: &str = "openai:gpt-5";

/// What every command understands.
#[derive(Args, Clone, Default)]
pub(crate) struct Options {
    /// The workspace: members work here, and the team lives in DIR/.team [default: the current directory]
    #[arg(long, global = true, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// The team of that name, which lives in DIR/.teams/NAME [default: the one in DIR/.team]
    #[arg(long, global = true, value_name = "NAME", value_parser = team_name, num_args = 0..=1, default_missing_value = "default")]
    team: Option<TeamName>,

    /// The model, as PROVIDER:NAME: anthropic:NAME, openai:NAME, scripted:FILE, or a provider of your configuration [env:
    /// TEAMMATE_MODEL]
    #[arg(long, global = true, value_name = "MODEL")]
    model: Option<String>,

    /// How much members may do without asking: ask, accept-edits or bypass
    #[arg(long, global = true, value_name = "MODE", value_parser = mode)]
    permission_mode: Option<Mode>,

    /// Allow without asking, e.g. 'bash(cargo test:*)' or 'edit(src/**)'; may be repeated
    #[arg(long, global = true, value_name = "RULE", value_parser = rule)]
    allow: Vec<Rule>,

    /// Never allow, e.g. 'bash(git push:*)'; comes before everything else; may be repeated
    #[arg(long, global = true, value_name = "RULE", value_parser = rule)]
    deny: Vec<Rule>,

    /// What the lead may allow teammates in your place, e.g. 'bash(cargo:*)'; may be repeated
    #[arg(long, global = true, value_name = "RULE", value_parser = rule)]
    lead_may_allow: Vec<Rule>,

    /// The most model calls in one turn [default: 1000]
    #[arg(long, global = true, value_name = "N")]
    max_rounds: Option<u32>,

    #[command(flatten)]
    loops: loops::LoopFlags,

    /// The most tokens of one answer [default: 16000]
    #[arg(long, global = true, value_name = "N")]
    max_tokens: Option<u32>,

    /// How much the models take, in tokens: nearly there, conversations are made shorter [default: 200000]
    #[arg(long, global = true, value_name = "N")]
    context_tokens: Option<u64>,

    /// How long a model that cannot be reached is tried again, in minutes [default: 30; 2 for run]
    #[arg(long, global = true, value_name = "N")]
    retry_minutes: Option<f64>,

    /// The names of tools that models are shown: own or claude (Bash, SendMessage, TaskCreate ...); both are understood
    #[arg(long, global = true, value_name = "STYLE")]
    tool_names: Option<ToolNames>,

    /// After how many idle minutes a teammate is stopped [default: never]
    #[arg(long, global = true, value_name = "N")]
    idle_minutes: Option<f64>,

    /// Do not tell members what AGENTS.md and CLAUDE.md say
    #[arg(long, global = true)]
    no_project_instructions: bool,

    /// How long background jobs are waited for when nobody works any more, in minutes [default: 10]
    #[arg(long, global = true, value_name = "N")]
    background_wait_minutes: Option<f64>,
    #[command(flatten)]
    spending: spending::Flags,

    #[command(flatten)]
    requests: requests::AnswerFlags,

    /// Another configuration file [default: teammate/config.toml in your configuration directory] [env: TEAMMATE_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// By which names models are shown their tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
enum ToolNames {
    Own,
    Claude,
}

/// The configuration file as it is written.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct File {
    model: Option<String>,
    permission_mode: Option<String>,
    #[serde(deserialize_with = "written::of_user")]
    allow: Vec<Rule>,
    #[serde(deserialize_with = "written::of_user")]
    deny: Vec<Rule>,
    #[serde(deserialize_with = "written::of_user")]
    lead_may_allow: Vec<Rule>,
    max_rounds: Option<u32>,
    max_repeats: Option<u32>,
    max_hops: Option<u32>,
    max_spawns: Option<u32>,
    max_tokens: Option<u32>,
    context_tokens: Option<u64>,
    /// The part of the context at which conversations are made shorter.
    compact_at: Option<f64>,
    retry_minutes: Option<f64>,
    idle_minutes: Option<f64>,
    background_wait_minutes: Option<f64>,
    /// Environment variables that commands get besides the harmless ones.
    pass_environment: Vec<String>,
    /// Whether members are told what AGENTS.md and CLAUDE.md say.
    project_instructions: Option<bool>,
    tool_names: Option<ToolNames>,
    /// How well commands are held at most.
    containment: teammate::Level,
    providers: std::collections::BTreeMap<String, Provider>,
    budget: spending::BudgetTable,
    plan_approver: Option<requests::PlanApprover>,
    shutdown_seconds: Option<f64>,
    answer_minutes: Option<f64>,
    /// The name of the money.
    currency: Option<String>,
    prices: std::collections::BTreeMap<String, Price>,
    /// The most bytes of one of the team's files that are read.
    read_max_bytes: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Provider {
    wire: Wire,
    base_url: String,
    /// The environment variable that holds the key.
    key_env: Option<String>,
    #[serde(default)]
    headers: std::collections::BTreeMap<String, String>,
    /// How long the server may be silent, before or within an answer; a small machine reads a long prompt for
    /// minutes.
    patience_seconds: Option<u64>,
}

/// Where the user's own texts and decisions are.
pub(crate) fn user_dirs() -> UserDirs {
    let Ok(base) = etcetera::choose_base_strategy() else {
        return UserDirs::default();
    };
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    UserDirs {
        config: Some(base.config_dir().join("teammate")),
        state: Some(state.join("teammate")),
    }
}

pub(crate) fn mode(word: &str) -> Result<Mode, String> {
    let words: Vec<&str> = Mode::ALL.iter().map(|(_, word)| *word).collect();
    Mode::parse(word).ok_or_else(|| format!("write one of: {}", words.join(", ")))
}

fn team_name(text: &str) -> Result<TeamName, String> {
    TeamName::parse(text).map_err(|error| error.to_string())
}

fn rule(text: &str) -> Result<Rule, String> {
    Rule::parse(text, Origin::CommandLine).map_err(|error| error.to_string())
}

impl Options {
    /// Takes from the environment what no flag says. Not the argument parser does so: it would name these options in the usage
    /// of every command.
    pub(crate) fn or_from_environment(mut self) -> Self {
        self.model = self.model.or_else(|| std::env::var("TEAMMATE_MODEL").ok());
        let config = || std::env::var_os("TEAMMATE_CONFIG").map(PathBuf::from);
        self.config = self.config.or_else(config);
        self
    }

    /// The workspace.
    pub(crate) fn dir(&self) -> PathBuf {
        self.dir.clone().unwrap_or_else(|| PathBuf::from("."))
    }

    /// The team that is meant.
    pub(crate) fn place(&self) -> TeamPlace {
        match &self.team {
            Some(name) => TeamPlace::named(self.dir(), name.clone()),
            None => TeamPlace::default_of(self.dir()),
        }
    }

    /// Whether a team was named.
    pub(crate) fn names_team(&self) -> bool {
        self.team.is_some()
    }

    /// The workspace, if one was named.
    pub(crate) fn dir_given(&self) -> Option<PathBuf> {
        self.dir.clone()
    }

    /// The configuration file, if there is a place for one.
    pub(crate) fn config_path(&self) -> Option<PathBuf> {
        self.config.clone().or_else(|| {
            let base = etcetera::choose_base_strategy().ok()?;
            Some(base.config_dir().join("teammate").join("config.toml"))
        })
    }

    fn file(&self) -> anyhow::Result<File> {
        let Some(path) = self.config_path() else {
            return Ok(File::default());
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text)
                .map_err(|error| anyhow!(written::flaw(&error, &text)))
                .with_context(|| {
                    format!("the configuration file {} cannot be used", path.display())
                }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && self.config.is_none() => {
                Ok(File::default())
            }
            Err(error) => Err(anyhow!(error).context(format!("cannot read {}", path.display()))),
        }
    }

    /// Vendors and the servers the user named.
    pub(crate) fn providers(&self) -> anyhow::Result<Providers> {
        named(Providers::from_env(), self.file()?.providers)
    }

    /// The model that would be used, if any is configured.
    pub(crate) fn model(&self) -> anyhow::Result<ModelRef> {
        chosen(self.model.clone().or(self.file()?.model))
    }

    /// How well commands are held at most.
    pub(crate) fn containment(&self) -> anyhow::Result<teammate::Level> {
        Ok(self.file()?.containment)
    }

    /// The most bytes of one of a team's files that are read.
    pub(crate) fn read_max(&self) -> anyhow::Result<u64> {
        Ok(self.file()?.read_max_bytes.unwrap_or(READ_MAX_BYTES))
    }

    /// What models cost.
    pub(crate) fn prices(&self) -> anyhow::Result<Prices> {
        let file = self.file()?;
        spending::prices(file.currency, file.prices)
    }

    /// The user's rules and those of the command line.
    pub(crate) fn rules(&self) -> anyhow::Result<Rules> {
        Ok(self.rules_with(&self.file()?))
    }

    fn rules_with(&self, file: &File) -> Rules {
        Rules {
            deny: [&self.deny[..], &file.deny].concat(),
            allow: [&self.allow[..], &file.allow].concat(),
            lead_may: [&self.lead_may_allow[..], &file.lead_may_allow].concat(),
        }
    }

    /// A team with these settings. `with_person`: somebody sees the screen and can answer.
    pub(crate) fn builder(&self, with_person: bool) -> anyhow::Result<TeamBuilder> {
        self.builder_with(self.file()?, with_person)
    }

    /// The same for a program that waits: it learns soon that a model cannot be reached.
    pub(crate) fn headless_builder(&self, with_person: bool) -> anyhow::Result<TeamBuilder> {
        let file = self.file()?;
        let is_set = self.retry_minutes.or(file.retry_minutes).is_some();
        let builder = self.builder_with(file, with_person)?;
        Ok(if is_set {
            builder
        } else {
            builder.retry(RetryLimits {
                total: HEADLESS_RETRY,
                ..RetryLimits::default()
            })
        })
    }

    fn builder_with(&self, file: File, with_person: bool) -> anyhow::Result<TeamBuilder> {
        let rules = self.rules_with(&file);
        let model = chosen(self.model.clone().or(file.model))?;
        let mode = match (self.permission_mode, file.permission_mode) {
            (Some(mode), _) => mode,
            (None, Some(word)) => {
                self::mode(&word).map_err(|why| anyhow!("permission_mode: {why}"))?
            }
            (None, None) => Mode::Ask,
        };
        let mut builder = Team::builder(self.place(), model)
            .providers(named(Providers::from_env(), file.providers)?)
            .mode(mode)
            .rules(rules)
            .pass_environment(file.pass_environment)
            .containment(file.containment)
            .read_max(file.read_max_bytes.unwrap_or(READ_MAX_BYTES))
            .user_dirs(user_dirs())
            .shows_aliases(self.tool_names.or(file.tool_names) == Some(ToolNames::Claude))
            .project_instructions(
                !self.no_project_instructions && file.project_instructions.unwrap_or(true),
            )
            .budgets(self.spending.budgets(&file.budget))
            .prices(spending::prices(file.currency, file.prices)?);
        if let Some(rounds) = self.max_rounds.or(file.max_rounds) {
            builder = builder.rounds_max(rounds);
        }
        builder = self
            .loops
            .apply((file.max_repeats, file.max_hops, file.max_spawns), builder);
        if let Some(tokens) = self.max_tokens.or(file.max_tokens) {
            builder = builder.max_tokens(tokens);
        }
        let compact_at = file.compact_at.unwrap_or(COMPACT_AT);
        if !(0.05..=1.0).contains(&compact_at) {
            bail!("compact_at: {compact_at} is not between 0.05 and 1, a part of context_tokens");
        }
        let tokens = self.context_tokens.or(file.context_tokens);
        builder = builder.context(tokens.unwrap_or(CONTEXT_TOKENS), compact_at);
        if let Some(minutes) = self.retry_minutes.or(file.retry_minutes) {
            let total = Duration::try_from_secs_f64(minutes * 60.0).context("retry_minutes")?;
            builder = builder.retry(RetryLimits {
                total,
                ..RetryLimits::default()
            });
        }
        if let Some(minutes) = self.idle_minutes.or(file.idle_minutes) {
            let idle_max = Duration::try_from_secs_f64(minutes * 60.0).context("idle_minutes")?;
            builder = builder.idle_max(idle_max);
        }
        if let Some(minutes) = self
            .background_wait_minutes
            .or(file.background_wait_minutes)
        {
            let wait =
                Duration::try_from_secs_f64(minutes * 60.0).context("background_wait_minutes")?;
            builder = builder.background_wait(wait);
        }
        let words = requests::Words {
            plan_approver: file.plan_approver,
            shutdown_seconds: file.shutdown_seconds,
            answer_minutes: file.answer_minutes,
        };
        self.requests.apply(words, builder, with_person)
    }

    /// The same settings, but this workspace, this model and this mode: for the demo.
    pub(crate) fn for_demo(&self, dir: PathBuf, model: &ModelRef) -> Self {
        Self {
            dir: Some(dir),
            model: Some(model.to_string()),
            permission_mode: Some(Mode::Bypass),
            allow: Vec::new(),
            lead_may_allow: Vec::new(),
            deny: self.deny.clone(),
            no_project_instructions: true,
            ..self.clone()
        }
    }
}

fn named(
    mut providers: Providers,
    named: std::collections::BTreeMap<String, Provider>,
) -> anyhow::Result<Providers> {
    for (name, provider) in named {
        if name == "scripted" {
            bail!("the provider name 'scripted' is taken; choose another");
        }
        let mut endpoint = Endpoint::at(&name, &provider.base_url);
        if let Some(variable) = &provider.key_env {
            let key = std::env::var(variable).ok().filter(|key| !key.is_empty());
            endpoint = endpoint.with_key(key.map(Into::into), variable);
        }
        if provider.wire == Wire::Anthropic {
            endpoint.auth = Auth::ApiKey;
        }
        endpoint.headers = provider.headers.into_iter().collect();
        let wait = Duration::from_secs(provider.patience_seconds.unwrap_or(NAMED_PATIENCE));
        // Some begin their stream before they read the prompt, so the first gap is as long.
        let patience = Patience {
            first_event: wait,
            gap: wait,
        };
        providers = providers.with_patient(&name, provider.wire, endpoint, patience);
    }
    Ok(providers)
}

fn chosen(configured: Option<String>) -> anyhow::Result<ModelRef> {
    let has = |name: &str| std::env::var(name).is_ok_and(|value| !value.trim().is_empty());
    let text = match configured.filter(|text| !text.trim().is_empty()) {
        Some(text) => text,
        None if has("ANTHROPIC_API_KEY") || has("ANTHROPIC_AUTH_TOKEN") => {
            DEFAULT_ANTHROPIC.to_owned()
        }
        None if has("OPENAI_API_KEY") => DEFAULT_OPENAI.to_owned(),
        None => bail!(
            "no model is configured. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model with --model \
             PROVIDER:NAME, TEAMMATE_MODEL or the configuration file. To look around without any key: teammate demo"
        ),
    };
    Ok(text.parse()?)
}
