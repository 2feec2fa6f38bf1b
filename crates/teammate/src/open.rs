//! Puts a team together: files, models, tools and the host.

mod files;
mod takeover;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use teammate_core::{
    agent::{Context, Limits},
    budget::Budgets,
    model::ModelRef,
    permission::{Mode, Rules},
    port::{Tool, Workspace},
    price::Prices,
    request::{Answer, Request},
    team::ConversationChoice,
};
use teammate_runtime::{Host, PlanPolicy, Policy, RetryLimits, Setup, ToolNames, World};
use teammate_store::{clock::UuidIds, disk::TeamDisk, files::watch};
use teammate_tools::{
    Catalogue, Level, environment::allowed_environment, worktrees::locks::remove_stale_locks,
};
use tokio::task::JoinSet;

use self::files::{Files, Unknown};
pub(crate) use self::takeover::take_over;
use crate::{
    TeamError,
    confines::confines,
    function_tool::wrong_name,
    keep::Keepers,
    on_question::{OnQuestion, answer_all},
    place::TeamPlace,
    providers::Providers,
    rules::Remembered,
    team::Team,
    texts::{Texts, UserDirs},
    worktrees::trusted_programs,
};

/// The most tokens of one answer unless configured otherwise.
const MAX_TOKENS: u32 = 16_000;

/// How long background jobs are waited for unless configured otherwise.
const BACKGROUND_WAIT: Duration = Duration::from_secs(10 * 60);

/// How long a member that is asked to shut down has to agree unless configured otherwise.
const SHUTDOWN_WITHIN: Duration = Duration::from_secs(30);

/// The most bytes of one of a team's files that are read unless configured otherwise: 1 GiB.
pub const READ_MAX_BYTES: u64 = TeamDisk::READ_MAX;

/// What a team is opened with.
pub struct TeamBuilder {
    place: TeamPlace,
    model: ModelRef,
    providers: Providers,
    mode: Mode,
    rules: Rules,
    policy: Policy,
    plans: PlanPolicy,
    shutdown_within: Duration,
    conversation: ConversationChoice,
    limits: Limits,
    retry: RetryLimits,
    max_tokens: u32,
    pass_environment: Vec<String>,
    idle_max: Option<Duration>,
    user: UserDirs,
    with_instructions: bool,
    shows_aliases: bool,
    background_wait: Duration,
    waits_for_answers: bool,
    budgets: Budgets,
    prices: Prices,
    containment: Level,
    adopts_found: bool,
    read_max: u64,
    tools: Vec<Arc<dyn Tool>>,
    instructions: String,
    on_question: Option<OnQuestion>,
}

impl TeamBuilder {
    pub(crate) fn new(place: TeamPlace, model: ModelRef) -> Self {
        Self {
            place,
            model,
            providers: Providers::new(),
            mode: Mode::Ask,
            rules: Rules::default(),
            policy: Policy::Nobody,
            plans: PlanPolicy::Lead,
            shutdown_within: SHUTDOWN_WITHIN,
            conversation: ConversationChoice::Last,
            limits: Limits::default(),
            retry: RetryLimits::default(),
            max_tokens: MAX_TOKENS,
            pass_environment: Vec::new(),
            idle_max: None,
            user: UserDirs::default(),
            with_instructions: true,
            shows_aliases: false,
            background_wait: BACKGROUND_WAIT,
            waits_for_answers: false,
            budgets: Budgets::default(),
            prices: Prices::default(),
            containment: Level::default(),
            adopts_found: false,
            read_max: READ_MAX_BYTES,
            tools: Vec::new(),
            instructions: String::new(),
            on_question: None,
        }
    }

    /// Another team of the same workspace.
    #[must_use]
    pub fn at(self, place: TeamPlace) -> Self {
        Self { place, ..self }
    }

    /// Where models come from. Default: plays only.
    #[must_use]
    pub fn providers(self, providers: Providers) -> Self {
        Self { providers, ..self }
    }

    /// How much members may do without asking. Default: [`Mode::Ask`].
    #[must_use]
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// The user's rules; the project's, once trusted, and remembered ones come besides. Default: none.
    #[must_use]
    pub fn rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// A person answers permission questions from the event feed, within `deadline`. Default: nobody does, and what
    /// would be asked is refused.
    #[must_use]
    pub fn asks_person(self, deadline: Duration) -> Self {
        Self {
            policy: Policy::Person { deadline },
            ..self
        }
    }

    /// Who approves plans. Default: the lead.
    #[must_use]
    pub fn plans(self, plans: PlanPolicy) -> Self {
        Self { plans, ..self }
    }

    /// How long a member that is asked to shut down has to agree before it is stopped. Default: 30 seconds.
    #[must_use]
    pub fn shutdown_within(self, shutdown_within: Duration) -> Self {
        Self {
            shutdown_within,
            ..self
        }
    }

    /// With which conversation of the lead the team is opened. Default: [`Conversation::Last`](crate::Conversation::Last), so
    /// what the last opening left unfinished goes on.
    #[must_use]
    pub fn conversation(self, conversation: ConversationChoice) -> Self {
        Self {
            conversation,
            ..self
        }
    }

    /// The most model calls in one turn.
    #[must_use]
    pub fn rounds_max(self, rounds_max: u32) -> Self {
        Self {
            limits: Limits {
                rounds_max,
                ..self.limits
            },
            ..self
        }
    }

    /// How often the same call may fail in the same way in a turn with nothing new done in between, and ten times as often
    /// succeed. 0: without limit. Default: 10.
    #[must_use]
    pub fn repeats_max(mut self, repeats_max: u32) -> Self {
        self.limits.repeats_max = repeats_max;
        self
    }

    /// The most messages between members that follow from one another with no other work in between. 0: without limit.
    /// Default: 50.
    #[must_use]
    pub fn hops_max(mut self, hops_max: u32) -> Self {
        self.limits.hops_max = hops_max;
        self
    }

    /// The most teammates that are spawned or woken in a minute. 0: without limit. Default: 300.
    #[must_use]
    pub fn spawns_max(mut self, spawns_max: u32) -> Self {
        self.limits.spawns_max = spawns_max;
        self
    }

    /// How much the models take, in tokens, and at which part of it a conversation is made shorter. Default: 200,000 and
    /// 0.8.
    #[must_use]
    pub fn context(self, tokens: u64, compact_at: f64) -> Self {
        Self {
            limits: Limits {
                context: Context::new(tokens, compact_at),
                ..self.limits
            },
            ..self
        }
    }

    /// The most tokens of one answer.
    #[must_use]
    pub fn max_tokens(self, max_tokens: u32) -> Self {
        Self { max_tokens, ..self }
    }

    /// How a failing model is tried again.
    #[must_use]
    pub fn retry(self, retry: RetryLimits) -> Self {
        Self { retry, ..self }
    }

    /// Environment variables that tools' children get besides the harmless ones.
    #[must_use]
    pub fn pass_environment(self, names: Vec<String>) -> Self {
        Self {
            pass_environment: names,
            ..self
        }
    }

    /// After how long without anything to do a teammate is stopped; a spawn wakes it. Default: never.
    #[must_use]
    pub fn idle_max(self, idle_max: Duration) -> Self {
        Self {
            idle_max: Some(idle_max),
            ..self
        }
    }

    /// Where the user's own instructions, skills and agents are, what the user trusts, and the key that proves who wrote mail.
    /// Default: nowhere: no agent definition of the workspace is used, and mail of other processes, or that lies unread when
    /// the team is closed, is told as unverified.
    #[must_use]
    pub fn user_dirs(self, user: UserDirs) -> Self {
        Self { user, ..self }
    }

    /// Whether a team's directory that nothing proves to be the user's is adopted at the opening, as `teammate trust --team`
    /// does. Default: no, it is refused. Without a state directory in [`user_dirs`](Self::user_dirs) that is every directory
    /// that an earlier process has made.
    #[must_use]
    pub fn adopts_found(self, adopts_found: bool) -> Self {
        Self {
            adopts_found,
            ..self
        }
    }

    /// Commands are held no better than this. Default: as well as can be had; without a call of
    /// [`keep_if_asked`](crate::keep_if_asked) that is not well.
    #[must_use]
    pub fn containment(self, at_most: Level) -> Self {
        Self {
            containment: at_most,
            ..self
        }
    }

    /// Whether models are shown the tool names of Claude Code (`Bash`, `SendMessage`, `TaskCreate` ...) instead of our own. Both
    /// are always understood. Default: no.
    #[must_use]
    pub fn shows_aliases(self, shows_aliases: bool) -> Self {
        Self {
            shows_aliases,
            ..self
        }
    }

    /// Whether members are told what `AGENTS.md` and `CLAUDE.md` say. Default: yes.
    #[must_use]
    pub fn project_instructions(self, with_instructions: bool) -> Self {
        Self {
            with_instructions,
            ..self
        }
    }

    /// How long [`Team::ending`] and [`Team::settled`] wait for background jobs once all members rest. Default: ten minutes.
    #[must_use]
    pub fn background_wait(self, background_wait: Duration) -> Self {
        Self {
            background_wait,
            ..self
        }
    }

    /// Whether [`Team::ending`] and [`Team::settled`] wait for what the person is asked, also where all members rest (a plan waits
    /// for its approval). Default: no.
    #[must_use]
    pub fn waits_for_answers(self, waits_for_answers: bool) -> Self {
        Self {
            waits_for_answers,
            ..self
        }
    }

    /// How much the team and each member may spend in the team's whole life. Default: without limit.
    #[must_use]
    pub fn budgets(self, budgets: Budgets) -> Self {
        Self { budgets, ..self }
    }

    /// What models cost. Default: not known.
    #[must_use]
    pub fn prices(self, prices: Prices) -> Self {
        Self { prices, ..self }
    }

    /// The most bytes of one of the team's files that are read: a longer journal, transcript or mailbox is an error, before
    /// anything of it is read. Default: [`READ_MAX_BYTES`].
    #[must_use]
    pub fn read_max(self, bytes: u64) -> Self {
        Self {
            read_max: bytes,
            ..self
        }
    }

    /// One more tool for every member, and for subagents unless it touches the team. It may not have the name of another.
    #[must_use]
    pub fn tool(mut self, tool: impl Tool + 'static) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }

    /// What every member reads besides, in the words of the program: they have the user's authority. Default: nothing.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = text.into();
        self
    }

    /// Code answers what a person would be asked, each question once and several side by side: permission, and plans that the user
    /// approves. With `None` the question stays open to others (`teammate approve`) until `deadline`, and then it is a no.
    #[must_use]
    pub fn on_question<F, Answering>(mut self, deadline: Duration, answer: F) -> Self
    where
        F: Fn(Arc<Request>) -> Answering + Send + Sync + 'static,
        Answering: Future<Output = Option<Answer>> + Send + 'static,
    {
        self.policy = Policy::Person { deadline };
        self.waits_for_answers = true;
        self.on_question = Some(Arc::new(move |question| Box::pin(answer(question))));
        self
    }

    /// Opens the team in its directory, makes it if it is not there, and starts its members: unfinished turns go
    /// on.
    pub async fn open(self) -> Result<Team, TeamError> {
        let team = self.prepare().await?;
        team.start().await?;
        Ok(team)
    }

    /// The same, but nobody works before [`Team::start`]: for those who want to see everything from the first event on.
    pub async fn prepare(self) -> Result<Team, TeamError> {
        let unknown = if self.adopts_found {
            Unknown::Adopt
        } else {
            Unknown::Refuse
        };
        let mut files = Files::open(&self.place, self.read_max, &self.user, unknown)?;
        let root = files.site.workspace.clone();
        let mut notices = files.take_over().await?;
        notices.extend(files.end_strays());
        notices.extend(remove_stale_locks(files.dir.path()));
        let (background_wait, waits_for_answers) = (self.background_wait, self.waits_for_answers);
        let read_max = self.read_max;
        let confines = confines(&self.user, self.containment, &root);
        let trusted = trusted_programs(&root, &self.user);
        let worktrees = crate::worktrees::of_team(&files.site, confines.clone(), trusted.clone());
        let tools = Catalogue::trusting(confines, trusted).with_worktrees(&worktrees);
        if let Some(why) = wrong_name(&self.tools, &tools.all()) {
            return Err(TeamError::Tool(why));
        }
        let tools = tools.with_tools(self.tools.clone());
        let mut texts = self.texts(&root, &tools);
        notices.append(&mut files.notices);
        notices.append(&mut texts.notices);
        let (rules, said) = crate::rules::in_force(&root, &self.user, self.rules.clone());
        notices.extend(said);
        let rule_book = Arc::new(Remembered::of(&root, &self.user));
        let mut tools = tools.with_skills(std::mem::take(&mut texts.skills));
        if !rules.lead_may.is_empty() {
            tools = tools.with_permission_answers();
        }
        let secrets = crate::secrets::held(&self.providers);
        let briefing = [&*self.instructions, "\n\n", &*texts.briefing].concat();
        texts.briefing = secrets.hide(briefing.trim_start()).into_owned();
        let mut setup = self.setup(root, rules, &files, &tools, texts);
        setup.secrets = Arc::new(secrets);
        let prices = self.prices.clone();
        let world = World {
            journal: files.journal.clone(),
            mailbox: files.mailbox.clone(),
            archive: Arc::new(files.archive()),
            transcripts: Arc::new(files.transcripts()),
            models: Arc::new(self.providers),
            clock: files.clock.clone(),
            ids: Arc::new(UuidIds),
            worktrees: Some(worktrees),
            processes: Some(Arc::new(tools.leftovers().clone())),
            rule_book: Some(rule_book),
        };
        let host = Host::open(world, setup).await?;
        notices.extend(files.mail_for_nobody(&host.team()));
        let mut answering = JoinSet::new();
        if let Some(on_question) = self.on_question {
            answering.spawn(answer_all(
                on_question,
                host.open_questions(),
                host.answers(),
                host.team_changes(),
            ));
        }
        let keepers = Keepers::start(&host, &files.disk, &files.dir, &files.clock, files.proof);
        // Without the kernel's hints only mail of other processes comes late: at the next turn.
        let watch = watch(files.mailbox.clone(), files.journal.clone()).ok();
        Ok(Team::new(
            host,
            keepers,
            files.lock,
            watch,
            tools.leftovers().clone(),
            prices,
            notices,
        )
        .at(self.place)
        .with_background_wait(background_wait)
        .with_wait_for_answers(waits_for_answers)
        .with_read_max(read_max)
        .with_answering(answering))
    }

    fn texts(&self, root: &Path, tools: &Catalogue) -> Texts {
        let tools = tools.teammate_tools();
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.spec().name).collect();
        Texts::read(root, &self.user, self.with_instructions, &names)
    }

    fn setup(
        &self,
        root: PathBuf,
        rules: Rules,
        files: &Files,
        tools: &Catalogue,
        texts: Texts,
    ) -> Setup {
        Setup {
            team_name: files.site.name.clone(),
            conversation: self.conversation,
            model: self.model.clone(),
            mode: self.mode,
            policy: self.policy,
            plans: self.plans.clone(),
            shutdown_within: self.shutdown_within,
            lead_tools: tools.lead_tools(),
            teammate_tools: tools.teammate_tools(),
            briefing: texts.briefing,
            agents: texts.agents,
            shell: Some(tools.shell()),
            tool_names: ToolNames {
                aliases: teammate_tools::ALIASES.to_vec(),
                are_shown: self.shows_aliases,
            },
            workspace: Workspace {
                root,
                team_dir: files.dir.path().to_owned(),
                outputs: files.dir.outputs_dir(),
                closed: rules.deny.clone(),
            },
            rules,
            environment: allowed_environment(
                std::env::vars_os().filter_map(|(name, value)| {
                    Some((name.into_string().ok()?, value.into_string().ok()?))
                }),
                &self.pass_environment,
            ),
            secrets: Arc::default(),
            limits: self.limits,
            budgets: self.budgets,
            prices: self.prices.clone(),
            max_tokens: self.max_tokens,
            retry: self.retry,
            idle_max: self.idle_max,
        }
    }
}
