//! Puts a team together: files, models, tools and the host.

#[cfg(feature = "acp")]
mod agents;
mod hooks;
mod records;
#[cfg(feature = "mcp")]
mod servers;
#[cfg(feature = "nats")]
mod walls;

use std::{path::Path, sync::Arc};

use teammate_core::{
    MemberName, Timestamp,
    permission::Rules,
    port::{AuditLog, BoxFuture, HostError, Refusal, TeamClaim, Tool, Workspace},
    secrets::{SecretInName, Secrets},
};
use teammate_git::{TrustedPrograms, locks::remove_stale_locks};
use teammate_process::{TeamSandbox, environment::allowed_environment};
use teammate_runtime::{AuditUse, Host, Ports, Setup, TeamConfig};
use teammate_store::clock::UuidV7Ids;
use teammate_tools::{HeldBack, ToolCatalogue, web::SearchError};
use tokio::task::JoinSet;

use crate::{
    TeamError,
    builder::TeamBuilder,
    calendar::MachineCalendar,
    file_stores::{FileStores, Unknown},
    function_tool::wrong_name,
    git_worktrees::{carried_worktrees, own_worktrees, trusted_programs},
    hooks::is_within_hook,
    live::LiveServer,
    memory::MemoryFiles,
    on_question::answer_all,
    policy::{MachineModes, MachinePolicy, PolicyError},
    project::ProjectTexts,
    recorder::Recorder,
    rules::{AlwaysRules, UnknownTools},
    sandbox::{Sandbox, SandboxRules, prove, team_sandbox, try_out},
    secret_marks::SecretMarks,
    store::{KeptIn, TeamStore},
    team::Team,
    team_index,
    thinking_notice::thinking_notice,
    tool_names::tool_names,
    worktree_setup::worktree_setup,
};

impl TeamBuilder {
    /// Opens the team in its place, creates it if needed, and starts its members: unfinished turns continue.
    pub async fn open(self) -> Result<Team, TeamError> {
        let team = self.prepare().await?;
        team.start().await?;
        Ok(team)
    }

    /// As [`open`](Self::open), but no member works before [`Team::start`]: for callers that want every event from
    /// the first event on.
    pub async fn prepare(mut self) -> Result<Team, TeamError> {
        if is_within_hook() {
            return Err(TeamError::WithinHook);
        }
        let policy = MachinePolicy::of_machine()?;
        let (held, limited) = self.checked(policy.as_ref())?;
        let helper = Sandbox::new(held.clone());
        // Beside what follows; nobody waits for it before it is needed.
        drop(tokio::task::spawn_blocking({
            let helper = helper.clone();
            move || helper.start_helper()
        }));
        if policy.as_ref().is_some_and(MachinePolicy::requires_audit) {
            self.config.audit = AuditUse::Required;
        }
        let secrets = self.providers.held_secrets();
        SecretMarks::find_in(&secrets, &self.user);
        self.require_no_secret_in_names(&secrets)?;
        let mut files = self.files()?;
        let root = files.site.workspace.clone();
        let store = files.team_store(&self.kept_in);
        let scratch = self.user.state.clone();
        let scratch = scratch.unwrap_or_else(|| files.dir.path().to_owned());
        // Both to their ends, whatever becomes of the claim: what the proof makes it removes.
        let proof = prove(helper, scratch.clone());
        let ((), claimed) = tokio::join!(proof, self.claimed(&files, &store));
        let (mut claims, mut notices) = claimed?;
        notices.extend(limited);
        let (own, wording) = (self.config.rules.clone(), self.config.wording);
        let (rules, said) =
            crate::rules::effective_rules(&root, &self.user, policy.as_ref(), own, wording);
        let sandbox = team_sandbox(&self.user, held, &root).closing(&rules.deny, &root);
        let (sandbox, notice) = try_out(sandbox, (root.clone(), scratch), policy.as_ref()).await?;
        notices.extend(notice);
        let opened = self.opened((&root, &sandbox), policy.as_ref());
        let (audit, notice) = self.audit(&files, opened)?;
        notices.extend(notice);
        notices.extend(self.remove_old(&files, audit.as_deref()));
        let trusted = trusted_programs(&root, &self.user);
        let wanted = std::mem::take(&mut self.config.worktrees);
        self.config.worktrees = worktree_setup(&root, &self.user, wanted);
        let own = own_worktrees(&files.site, sandbox.clone(), trusted.clone());
        let own = own.furnishing(self.config.worktrees.clone(), &rules.deny);
        let (worktrees, transfer) = carried_worktrees(own, self.carrier.as_ref());
        let tools = self.tools_of_world(&sandbox, trusted)?;
        let tools = tools.with_worktrees(&worktrees);
        if let Some(why) = wrong_name(&self.tools, &tools.all()) {
            return Err(TeamError::Tool(why));
        }
        let names: Vec<&str> = self.tools.iter().map(|tool| &*tool.spec().name).collect();
        let unknown = UnknownTools::of(&rules, &names);
        if !unknown.errors.is_empty() {
            return Err(TeamError::Rules(unknown.errors.join(" ")));
        }
        notices.extend(unknown.notices);
        let tools = tools.with_tools(self.tools.clone());
        #[cfg(feature = "mcp")]
        let (servers, tools) = {
            let held = (sandbox.clone(), tools.leftovers().clone());
            let servers = self.open_servers(&files, &rules, held).await;
            notices.extend(servers.notices);
            (servers.all, tools.with_tools(servers.tools))
        };
        let held = (sandbox.clone(), tools.leftovers().clone());
        let (hooks, said_of_hooks) = self.open_hooks(&files, held)?;
        let mut texts = self.texts(&root, &tools);
        #[cfg(feature = "acp")]
        let agents = self.open_agents(&files, &rules, (&sandbox, &tools), &mut texts);
        #[cfg(not(feature = "acp"))]
        let agents = None;
        notices.append(&mut files.warnings);
        notices.append(&mut texts.notices);
        notices.extend(said);
        notices.extend(said_of_hooks);
        let rule_book = Arc::new(AlwaysRules::of(&root, &self.user));
        let mut tools = tools.with_skills(std::mem::take(&mut texts.skills));
        if !rules.lead_may.is_empty() {
            tools = tools.with_permission_answers();
        }
        if self.config.fires_schedules {
            tools = tools.with_schedules();
        }
        if self.config.remembers {
            let memory = MemoryFiles::of(&root, &self.user, &files.site.name)
                .hiding(self.providers.secrets().clone());
            let (told, said) = memory.briefing();
            texts.briefing.push_str(&told);
            notices.extend(said);
            tools = tools.with_memory(Arc::new(memory));
        }
        if self.worker.is_some() {
            tools = tools.on_workers();
        }
        if let Some(objects) = &self.objects {
            tools = tools.sharing_outputs(objects);
        }
        #[cfg(feature = "otel")]
        secrets.learn(self.telemetry.iter().flat_map(crate::telemetry::secrets));
        let briefing = [&*self.instructions, "\n\n", &*texts.briefing].concat();
        texts.briefing = secrets.redact(briefing.trim_start()).into_owned();
        let mut setup = setup(self.config.clone(), rules, &files, &tools, texts, secrets);
        setup.first_event = store.events.next_number().await;
        setup.workspace.tmp = sandbox.private_tmp(files.dir.path());
        let logs = store.store.clone();
        let world = Ports {
            journal: logs.journal,
            mailbox: logs.mailbox,
            archive: logs.archive,
            transcripts: logs.transcripts,
            models: Arc::new(self.providers),
            clock: files.clock.clone(),
            ids: Arc::new(UuidV7Ids),
            worktrees: Some(worktrees),
            transfer,
            agents,
            processes: Some(Arc::new(tools.leftovers().clone())),
            questions: Some(Arc::new(HeldBack::new(
                sandbox.clone(),
                (&root, files.dir.path()),
            ))),
            calendar: self
                .config
                .fires_schedules
                .then(|| Arc::new(MachineCalendar) as _),
            rule_book: Some(rule_book),
            audit: audit.clone().map(|audit| audit as Arc<dyn AuditLog>),
            mode_limit: Some(Arc::new(MachineModes)),
            hooks,
        };
        // Large, and part of every future that opens a team: not there twice.
        #[cfg(feature = "nats")]
        let host: BoxFuture<'_, _> = match self.worker {
            Some(role) => {
                let walls = (&sandbox, policy.as_ref());
                Box::pin(walls::open_within(role, walls, world, setup))
            }
            None => Box::pin(Host::open(world, setup)),
        };
        #[cfg(not(feature = "nats"))]
        let host: BoxFuture<'_, _> = Box::pin(Host::open(world, setup));
        let host = host.await?;
        notices.extend(files.unaddressed_mail(&host.team()));
        let lead = host.model_in_use(&MemberName::lead());
        notices.extend(lead.and_then(|lead| thinking_notice(&self.user, &lead)));
        let mut answering = JoinSet::new();
        if let Some(on_question) = self.on_question {
            answering.spawn(answer_all(
                on_question,
                host.open_questions(),
                host.answers(),
                host.team_changes(),
            ));
        }
        let live = match &self.kept_in {
            KeptIn::Own(_) => None,
            KeptIn::Files => {
                team_index::remember(&self.user, &files.site, files.clock.now());
                LiveServer::begin(&self.user, &files.site, host.event_source())
            }
            // The store tells them to all machines.
            KeptIn::Shared(_) if store.events.pieces().is_some() => None,
            KeptIn::Shared(_) => LiveServer::begin(&self.user, &files.site, host.event_source()),
        };
        #[cfg(feature = "otel")]
        let telemetry = self.telemetry.map(|to| crate::telemetry::begin(to, &host));
        let (log, place) = (store.events.clone(), (&files.disk, &files.dir));
        let keepers = Recorder::start(&host, log, place, &files.clock, files.proof);
        let listening = store.doorbells.listen();
        claims.push(Box::new(files.lock));
        Ok(Team {
            host,
            place: self.place,
            user: self.user,
            kept_in: self.kept_in,
            config: self.config,
            recorder: keepers,
            warnings: notices,
            leftovers: tools.leftovers().clone(),
            sandbox,
            audit,
            answering,
            #[cfg(feature = "mcp")]
            servers,
            live,
            #[cfg(feature = "otel")]
            telemetry,
            listening,
            _claims: claims,
        })
    }

    /// The right to run the team, and what the user should know of how its directory was found.
    async fn claimed(
        &self,
        files: &FileStores,
        store: &TeamStore,
    ) -> Result<(Vec<Box<dyn TeamClaim>>, Vec<String>), TeamError> {
        let (claims, mut notices) = match &self.kept_in {
            KeptIn::Files => (Vec::new(), files.take_over().await?),
            KeptIn::Own(_) => Default::default(),
            KeptIn::Shared(_) => (self.claim(store, files.clock.now()).await?, Vec::new()),
        };
        notices.extend(files.end_strays());
        notices.extend(remove_stale_locks(files.dir.path()));
        Ok((claims, notices))
    }

    /// The right to run a team in a store that others use. Workers have it together: each runs whom the journal gives it.
    async fn claim(
        &self,
        store: &TeamStore,
        now: Timestamp,
    ) -> Result<Vec<Box<dyn TeamClaim>>, HostError> {
        let claim = match self.worker {
            None => store.presence.claim(now).await?,
            Some(_) => store.presence.join().await?,
        };
        Ok(vec![claim])
    }

    /// How commands are held, if the policy of the machine lets the team be opened in this way; and what the user should know.
    fn checked(
        &self,
        policy: Option<&MachinePolicy>,
    ) -> Result<(SandboxRules, Option<String>), PolicyError> {
        let Some(policy) = policy else {
            return Ok((self.sandbox.clone(), None));
        };
        policy.check_mode(self.config.mode)?;
        policy.sandbox(self.sandbox.clone())
    }

    /// The tools by which members act outside of the team.
    fn tools_of_world(
        &self,
        sandbox: &TeamSandbox,
        trusted: TrustedPrograms,
    ) -> Result<ToolCatalogue, SearchError> {
        let mut tools = ToolCatalogue::trusting(sandbox.clone(), trusted);
        if !self.web.fetches {
            tools = tools.without_web_fetch();
        }
        if self.config.project_instructions {
            tools = tools.with_nested_instructions();
        }
        match &self.web.search {
            Some(search) => tools.with_web_search(search.clone(), sandbox.clone()),
            None => Ok(tools),
        }
    }

    /// Before anything is made of that name. A team that is there keeps the name that it has.
    fn require_no_secret_in_names(&self, secrets: &Secrets) -> Result<(), Refusal> {
        let named = |why: SecretInName| Refusal::Rule(why.to_string());
        let fallback = self.config.fallback.models.iter();
        for model in fallback.chain([&self.config.model]) {
            let checked = secrets.require_none_in("model", &model.to_string());
            checked.map_err(named)?;
        }
        if self.place.is_made() {
            return Ok(());
        }
        let checked = secrets.require_none_in("team", self.place.team_name());
        checked.map_err(named)
    }

    /// The team's directory, locked. With a store of the program's own nothing in it is believed.
    fn files(&self) -> Result<FileStores, TeamError> {
        let unknown = match (&self.kept_in, self.adopts_found) {
            (KeptIn::Own(_) | KeptIn::Shared(_), _) => Unknown::Ignore,
            (KeptIn::Files, true) => Unknown::Adopt,
            (KeptIn::Files, false) => Unknown::Refuse,
        };
        let config = &self.config;
        FileStores::open(
            &self.place,
            config.read_max,
            &self.user,
            unknown,
            config.wording,
        )
    }

    fn texts(&self, root: &Path, tools: &ToolCatalogue) -> ProjectTexts {
        let tools = tools.teammate_tools();
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.spec().name).collect();
        let mut texts = ProjectTexts::read(root, &self.user, &self.config, &names);
        texts.add_agents(&self.agent_definitions, &names);
        texts
    }
}

/// The variables of the program's environment that processes of the team get.
fn environment(config: &TeamConfig) -> Vec<(String, String)> {
    let environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    allowed_environment(environment, &config.pass_environment)
}

/// `rules` are all that are in force.
fn setup(
    config: TeamConfig,
    rules: Rules,
    files: &FileStores,
    tools: &ToolCatalogue,
    texts: ProjectTexts,
    secrets: Arc<Secrets>,
) -> Setup {
    let shell: Arc<dyn Tool> = tools.check_runner();
    Setup {
        team_name: files.site.name.clone(),
        lead_tools: tools.lead_tools(),
        teammate_tools: tools.teammate_tools(),
        briefing: texts.briefing,
        agents: texts.agents,
        shell: Some(shell),
        tool_names: tool_names(config.shows_aliases),
        first_event: 0,
        workspace: Workspace {
            root: files.site.workspace.clone(),
            team_dir: files.dir.path().to_owned(),
            outputs: files.dir.outputs_dir(),
            tmp: None,
            unreadable: rules.deny.clone(),
        },
        environment: environment(&config),
        secrets,
        config: TeamConfig { rules, ..config },
    }
}
