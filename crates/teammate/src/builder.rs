//! Builder of a team: what it is opened with.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    GroupName,
    budget::Budgets,
    permission::{Mode, Rules},
    port::Tool,
    price::Prices,
    request::{Answer, Request},
    team::ConversationChoice,
};
use teammate_runtime::{AskPolicy, PlanApprover, RetryLimits, TeamConfig, WorkerRole};

use crate::{
    carried_work::{ObjectStore, WorkCarrier},
    hooks::{CallbackHook, HookSources},
    on_question::OnQuestion,
    place::TeamPlace,
    project::UserDirs,
    providers::Providers,
    purge::KeepFor,
    sandbox,
    store::{KeptIn, SharedStore, Store, TeamStore},
    web::WebSettings,
};

/// Settings for opening a team: its place, its configuration ([`TeamConfig`], which has the defaults), and parts of the
/// program that opens it.
pub struct TeamBuilder {
    pub(crate) place: TeamPlace,
    pub(crate) config: TeamConfig,
    pub(crate) providers: Providers,
    pub(crate) user: UserDirs,
    pub(crate) kept_in: KeptIn,
    pub(crate) worker: Option<WorkerRole>,
    pub(crate) carrier: Option<WorkCarrier>,
    pub(crate) objects: Option<Arc<dyn ObjectStore>>,
    pub(crate) tools: Vec<Arc<dyn Tool>>,
    pub(crate) instructions: String,
    pub(crate) sandbox: sandbox::SandboxRules,
    pub(crate) on_question: Option<OnQuestion>,
    pub(crate) adopts_found: bool,
    pub(crate) keep: KeepFor,
    pub(crate) hooks: HookSources,
    pub(crate) callback_hooks: Vec<CallbackHook>,
    pub(crate) agent_definitions: Vec<String>,
    #[cfg(feature = "acp")]
    pub(crate) agents: crate::agents::MemberAgents,
    #[cfg(feature = "mcp")]
    pub(crate) servers: crate::mcp::Entries,
    #[cfg(feature = "otel")]
    pub(crate) telemetry: Option<crate::telemetry::Settings>,
    pub(crate) web: WebSettings,
}

impl TeamBuilder {
    pub(crate) fn new(place: TeamPlace, config: TeamConfig) -> Self {
        Self {
            kept_in: kept_in(&place),
            worker: None,
            place,
            config,
            providers: Providers::new(),
            user: UserDirs::default(),
            carrier: None,
            objects: None,
            tools: Vec::new(),
            instructions: String::new(),
            sandbox: sandbox::SandboxRules::default(),
            on_question: None,
            adopts_found: false,
            keep: KeepFor::default(),
            hooks: HookSources::default(),
            callback_hooks: Vec::new(),
            agent_definitions: Vec::new(),
            #[cfg(feature = "acp")]
            agents: crate::agents::MemberAgents::default(),
            #[cfg(feature = "mcp")]
            servers: crate::mcp::Entries::default(),
            #[cfg(feature = "otel")]
            telemetry: None,
            web: WebSettings::default(),
        }
    }

    // ─── where, and with what ───

    /// Another team, kept where its place says.
    #[must_use]
    pub fn at(self, place: TeamPlace) -> Self {
        Self {
            kept_in: kept_in(&place),
            place,
            ..self
        }
    }

    /// The team of that name in the same workspace, in `.teams/NAME`. Default: the workspace's default team, in `.team`.
    #[must_use]
    pub fn team_name(self, name: GroupName) -> Self {
        let place = TeamPlace::named(self.place.workspace(), name);
        self.at(place)
    }

    /// Where models come from. Default: plays only.
    #[must_use]
    pub fn providers(self, providers: Providers) -> Self {
        Self { providers, ..self }
    }

    /// Keeps journal, mail and transcripts there instead of in files. The team's directory still holds what tools print,
    /// worktrees, the lock of the process that runs the team, and views for the user; nothing in it is read back, so an
    /// [`TeamClient`](crate::TeamClient) finds no team in it.
    #[must_use]
    pub fn store(self, store: Store) -> Self {
        Self {
            kept_in: KeptIn::Own(store),
            ..self
        }
    }

    /// Keeps the team in a store that other processes use, too: they look at the team with
    /// [`TeamClient::open_in`](crate::TeamClient::open_in). `open` is called for the team, and for each
    /// [`Team::look`](crate::Team::look).
    #[must_use]
    pub fn team_store(self, open: impl Fn() -> TeamStore + Send + Sync + 'static) -> Self {
        Self {
            kept_in: KeptIn::Shared(SharedStore::new(open)),
            ..self
        }
    }

    /// Carries members' work to other machines and from them, where workers run the team.
    #[must_use]
    pub fn carry_work(self, by: WorkCarrier) -> Self {
        Self {
            carrier: Some(by),
            ..self
        }
    }

    /// Puts long outputs of tools with the team's objects as well, so that members on other machines can read them.
    #[must_use]
    pub fn share_outputs(self, objects: Arc<dyn ObjectStore>) -> Self {
        Self {
            objects: Some(objects),
            ..self
        }
    }

    /// Where the user's own instructions, skills and agents are, what the user trusts, and the key that proves who wrote mail.
    /// Default: none. Then no agent definition of the workspace is used, and mail of other processes, or
    /// mail that is unread when the team is closed, counts as unverified.
    #[must_use]
    pub fn user_dirs(self, user: UserDirs) -> Self {
        Self { user, ..self }
    }

    /// Whether a team's directory that nothing proves to be the user's is adopted at the opening. Default: no, it is refused.
    /// Without a state directory in [`user_dirs`](Self::user_dirs) that is every directory that an earlier process has made.
    #[must_use]
    pub fn adopts_found(self, adopts_found: bool) -> Self {
        Self {
            adopts_found,
            ..self
        }
    }

    /// For how long outputs, archives and old events are kept: what is older is removed at the opening. Default: for ever.
    /// A whole team is not removed by opening it.
    #[must_use]
    pub fn keep_for(self, keep: KeepFor) -> Self {
        Self { keep, ..self }
    }

    /// Sets which pages of the web members may look at. Default: pages, and no search.
    #[must_use]
    pub fn web(self, web: WebSettings) -> Self {
        Self { web, ..self }
    }

    /// One more tool for every member, and for subagents unless it touches the team. It may not have the name of another.
    #[must_use]
    pub fn tool(mut self, tool: impl Tool + 'static) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }

    /// Hooks: those of these files, and the workspace's once the user trusts them. Default: none of the user's.
    #[must_use]
    pub fn hooks(self, hooks: HookSources) -> Self {
        Self { hooks, ..self }
    }

    /// Adds a hook that is code of this program, behind those that are commands.
    #[must_use]
    pub fn callback_hook(mut self, hook: CallbackHook) -> Self {
        self.callback_hooks.push(hook);
        self
    }

    /// Adds a kind of members: the text of a definition, as a file of `.teammate/agents` has it. It takes the place of one of the
    /// same name. What cannot be used of it is among the team's warnings.
    #[must_use]
    pub fn agent_definition(mut self, text: impl Into<String>) -> Self {
        self.agent_definitions.push(text.into());
        self
    }

    /// External agents that may answer members in their turns. Default: none.
    #[cfg(feature = "acp")]
    #[must_use]
    pub fn agents(self, agents: crate::agents::MemberAgents) -> Self {
        Self { agents, ..self }
    }

    /// Servers of tools, for every member: these, and those of the workspace's `.mcp.json` once the user trusts it. Default: none of
    /// the user's own.
    #[cfg(feature = "mcp")]
    #[must_use]
    pub fn servers(self, servers: crate::mcp::Entries) -> Self {
        Self { servers, ..self }
    }

    /// Sends traces and metrics of the team there. Default: nobody listens, and nothing is made.
    #[cfg(feature = "otel")]
    #[must_use]
    pub fn telemetry(self, telemetry: Option<crate::telemetry::Settings>) -> Self {
        Self { telemetry, ..self }
    }

    /// Adds text that every member reads besides, in the words of the program: it has the user's authority. Default: nothing.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = text.into();
        self
    }

    /// Code answers what the user would be asked, each question once and several side by side: permission, and plans that the user
    /// approves. With `None` the question stays open to others (`teammate approve`) until `deadline`, and then it is a no.
    #[must_use]
    pub fn on_question<F, Answering>(mut self, deadline: Duration, answer: F) -> Self
    where
        F: Fn(Arc<Request>) -> Answering + Send + Sync + 'static,
        Answering: Future<Output = Option<Answer>> + Send + 'static,
    {
        self.config.policy = AskPolicy::User { deadline };
        self.config.waits_for_answers = true;
        self.on_question = Some(Arc::new(move |question| Box::pin(answer(question))));
        self
    }

    // ─── settings ───

    /// Changes any of the settings: `.configure(|config| config.max_tokens = 8_000)`. The methods below do the same for one
    /// setting each.
    #[must_use]
    pub fn configure(mut self, change: impl FnOnce(&mut TeamConfig)) -> Self {
        change(&mut self.config);
        self
    }

    /// How much members may do without asking; see [`TeamConfig::mode`].
    #[must_use]
    pub fn mode(self, mode: Mode) -> Self {
        self.configure(|config| config.mode = mode)
    }

    /// The user's rules; the project's, once trusted, and remembered ones come besides. See [`TeamConfig::rules`].
    #[must_use]
    pub fn rules(self, rules: Rules) -> Self {
        self.configure(|config| config.rules = rules)
    }

    /// The user answers permission questions from the event feed, within `deadline`; see [`TeamConfig::policy`].
    #[must_use]
    pub fn ask_user(self, deadline: Duration) -> Self {
        self.configure(|config| config.policy = AskPolicy::User { deadline })
    }

    /// Sets the approver of plans; see [`TeamConfig::plans`].
    #[must_use]
    pub fn plan_approver(self, plans: PlanApprover) -> Self {
        self.configure(|config| config.plans = plans)
    }

    /// How long a member has to agree to a shutdown; see [`TeamConfig::shutdown_within`].
    #[must_use]
    pub fn shutdown_within(self, within: Duration) -> Self {
        self.configure(|config| config.shutdown_within = within)
    }

    /// With which conversation of the lead the team is opened; see [`TeamConfig::conversation`].
    #[must_use]
    pub fn conversation(self, conversation: ConversationChoice) -> Self {
        self.configure(|config| config.conversation = conversation)
    }

    /// The most model calls in one turn; see [`TeamConfig::limits`] for the other bounds of a turn.
    #[must_use]
    pub fn rounds_max(self, rounds: u32) -> Self {
        self.configure(|config| config.limits.rounds_max = rounds)
    }

    /// How much the models take, in tokens, and at which part of it a conversation is made shorter. Default: 200,000 and
    /// 0.8.
    #[must_use]
    pub fn context_window(self, tokens: u64, compact_at: f64) -> Self {
        self.configure(|config| {
            config.context_tokens = Some(tokens);
            config.compact_at = compact_at;
        })
    }

    /// The most tokens of one answer; see [`TeamConfig::max_tokens`].
    #[must_use]
    pub fn max_tokens(self, tokens: u32) -> Self {
        self.configure(|config| config.max_tokens = Some(tokens))
    }

    /// How a failing model is tried again; see [`TeamConfig::retry`].
    #[must_use]
    pub fn retry(self, retry: RetryLimits) -> Self {
        self.configure(|config| config.retry = retry)
    }

    /// How much the team and each member may spend; see [`TeamConfig::budgets`].
    #[must_use]
    pub fn budgets(self, budgets: Budgets) -> Self {
        self.configure(|config| config.budgets = budgets)
    }

    /// Sets the prices of models; see [`TeamConfig::prices`].
    #[must_use]
    pub fn prices(self, prices: Prices) -> Self {
        self.configure(|config| config.prices = prices)
    }

    /// Sets what commands may write and see, and how well they must be held. Without a call of [`begin`](crate::begin()) first
    /// in `main` no command runs.
    #[must_use]
    pub fn sandbox(self, rules: sandbox::SandboxRules) -> Self {
        Self {
            sandbox: rules,
            ..self
        }
    }

    /// Whether the end of a job waits for open questions; see [`TeamConfig::waits_for_answers`].
    #[must_use]
    pub fn waits_for_answers(self, waits: bool) -> Self {
        self.configure(|config| config.waits_for_answers = waits)
    }
}

/// Where the team of this place is kept, unless the program says otherwise.
fn kept_in(place: &TeamPlace) -> KeptIn {
    match place.store() {
        Some(store) => KeptIn::Shared(store.clone()),
        None => KeptIn::Files,
    }
}
