//! One store, one wire, and the workers that a test opens on them.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use teammate_core::{
    MemberName,
    budget::Budgets,
    name::WorkerName,
    permission::{Mode, Rule, RuleOrigin, Rules},
    port::{Mailbox as _, Tool, TranscriptStore as _, Workspace},
    team::{AgentDefinition, AgentDefinitions, Label, MemberOptions, TeamState, Term, Walls},
    transcript::Entry,
};
use teammate_runtime::{AskPolicy, Host, Ports, Setup, TeamConfig, ToolNames, WorkerRole};
use teammate_store::clock::UuidV7Ids;
use teammate_testkit::memory::{MemoryFleet, MemoryGovernors, MemoryStore, MemoryTranscripts};
use teammate_tools::ToolCatalogue;
use uuid::Uuid;

use crate::workers::{
    clocks::Clocks,
    script::{Script, Toil},
    stalls::{Stall, Stalling},
};

/// What survives its workers.
#[derive(Clone)]
pub(crate) struct Yard {
    pub(crate) store: MemoryStore,
    pub(crate) fleet: MemoryFleet,
    pub(crate) governors: MemoryGovernors,
    pub(crate) script: Script,
    pub(crate) toil: Toil,
    mode: Mode,
    budgets: Budgets,
    clocks: Clocks,
    sessions: Arc<AtomicU64>,
    /// Whether what a worker records counts as the user's.
    has_one_user: bool,
}

/// What a worker has.
#[derive(Default)]
pub(crate) struct Offer {
    pub(crate) labels: Vec<&'static str>,
    pub(crate) walls: Walls,
    /// What its own rules deny.
    pub(crate) deny: Vec<&'static str>,
}

fn label(word: &str) -> Label {
    Label::parse(word).unwrap()
}

fn denied(rule: &str) -> Rule {
    Rule::parse(rule, RuleOrigin::User).unwrap()
}

impl Yard {
    pub(crate) fn new() -> Self {
        let store = MemoryStore {
            transcripts: Arc::new(MemoryTranscripts::compared()),
            ..MemoryStore::default()
        };
        Self {
            store,
            fleet: MemoryFleet::default(),
            governors: MemoryGovernors::default(),
            script: Script::default(),
            toil: Toil::default(),
            mode: Mode::Bypass,
            budgets: Budgets::default(),
            clocks: Clocks::default(),
            sessions: Arc::default(),
            has_one_user: false,
        }
    }

    /// The same where workers have the keys of their one user, who speaks through any of them.
    pub(crate) fn of_one_user() -> Self {
        Self {
            has_one_user: true,
            ..Self::new()
        }
    }

    /// The same where that user is asked for permission.
    pub(crate) fn asking() -> Self {
        Self {
            mode: Mode::Ask,
            ..Self::of_one_user()
        }
    }

    /// The same where this may be spent.
    pub(crate) fn with_budgets(budgets: Budgets) -> Self {
        Self {
            budgets,
            ..Self::new()
        }
    }

    /// The worker of this name has a clock that is so much ahead of the others.
    pub(crate) fn set_ahead(&mut self, name: &str, by: Duration) {
        self.clocks.set_ahead(name, by);
    }

    /// A worker, which has begun; and what stalls its transcripts.
    pub(crate) async fn worker(&self, name: &str) -> (Host, Stall) {
        self.worker_with(name, Offer::default()).await
    }

    /// The same, which has this.
    pub(crate) async fn worker_with(&self, name: &str, offer: Offer) -> (Host, Stall) {
        let stall = Stall::default();
        let setup = self.setup(&offer);
        let name = WorkerName::parse(name).unwrap();
        let ports = self.ports(&name, &stall);
        let host = Host::open_as_worker(self.role(name, offer), ports, setup).await;
        let host = host.unwrap();
        host.start().await.unwrap();
        (host, stall)
    }

    /// Some workers, named `w1` and so on, that have all joined.
    pub(crate) async fn workers<const N: usize>(&self) -> [Host; N] {
        let mut hosts = Vec::new();
        for at in 1..=N {
            hosts.push(self.worker(&format!("w{at}")).await.0);
        }
        let joined = || hosts[0].team().places().workers().count() == N;
        until(joined).await;
        hosts.try_into().unwrap_or_else(|_| panic!("{N} workers"))
    }

    /// What a member has heard, in order, by the words.
    pub(crate) async fn heard(&self, who: &str) -> Vec<String> {
        let entries = self.entries(who).await;
        let mail = entries.into_iter().filter_map(|entry| match entry {
            Entry::Heard(mail) => Some(mail),
            _ => None,
        });
        mail.flatten().map(|mail| mail.content).collect()
    }

    /// All that a member's transcript holds.
    pub(crate) async fn entries(&self, who: &str) -> Vec<Entry> {
        self.store.transcripts.peek(&member(who)).await.unwrap()
    }

    /// How much waits in a member's mailbox.
    pub(crate) async fn unheard(&self, who: &str) -> usize {
        self.store.mailbox.peek(&member(who)).await.unwrap().len()
    }

    fn role(&self, name: WorkerName, offer: Offer) -> WorkerRole {
        let session = self.sessions.fetch_add(1, Ordering::SeqCst);
        WorkerRole {
            wire: Arc::new(self.fleet.wire(&name)),
            governors: Some(Arc::new(self.governors.wire())),
            name,
            session: Uuid::from_u128(u128::from(session) + 1),
            labels: offer.labels.iter().map(|word| label(word)).collect(),
            places: 4,
            walls: offer.walls,
        }
    }

    fn ports(&self, name: &WorkerName, stall: &Stall) -> Ports {
        let store = match self.has_one_user {
            true => self.store.another_process(),
            false => self.store.of_worker(name),
        };
        Ports {
            journal: Arc::new(Stalling::of(store.journal.clone(), stall)),
            mailbox: Arc::new(Stalling::of(store.mailbox.clone(), stall)),
            transcripts: Arc::new(Stalling::of(store.transcripts.clone(), stall)),
            archive: Arc::new(store),
            models: Arc::new(self.script.clone()),
            clock: self.clocks.of(name),
            ids: Arc::new(UuidV7Ids),
            transfer: None,
            processes: None,
            questions: None,
            calendar: None,
            agents: None,
            worktrees: None,
            rule_book: None,
            audit: None,
            mode_limit: None,
            hooks: None,
        }
    }

    fn setup(&self, offer: &Offer) -> Setup {
        let tools = ToolCatalogue::new().on_workers();
        let with_toil = |mut tools: Vec<Arc<dyn Tool>>| {
            tools.push(Arc::new(self.toil.clone()));
            tools
        };
        let mut agents = AgentDefinitions::default();
        let general = AgentDefinition {
            description: String::new(),
            options: MemberOptions::default(),
        };
        agents.add("general".to_owned(), general);
        let nowhere = PathBuf::from("/nowhere");
        // A test has a thread of its own, which has its name.
        let test = thread::current().name().unwrap_or("yard").replace(':', "-");
        Setup {
            secrets: Arc::default(),
            team_name: "default".to_owned(),
            config: TeamConfig {
                mode: self.mode,
                budgets: self.budgets,
                policy: AskPolicy::User {
                    deadline: Duration::from_secs(600),
                },
                rules: Rules {
                    deny: offer.deny.iter().map(|rule| denied(rule)).collect(),
                    ..Rules::default()
                },
                ..TeamConfig::new("script:one".parse().unwrap())
            },
            briefing: String::new(),
            agents,
            lead_tools: with_toil(tools.lead_tools()),
            teammate_tools: with_toil(tools.teammate_tools()),
            shell: None,
            tool_names: ToolNames::default(),
            first_event: 0,
            workspace: Workspace {
                root: nowhere.clone(),
                team_dir: nowhere.join(".team"),
                outputs: Path::new(env!("CARGO_TARGET_TMPDIR")).join(test),
                tmp: None,
                unreadable: Vec::new(),
            },
            environment: Vec::new(),
        }
    }
}

pub(crate) fn member(name: &str) -> MemberName {
    MemberName::parse(name).unwrap()
}

pub(crate) fn worker(name: &str) -> WorkerName {
    WorkerName::parse(name).unwrap()
}

/// Who holds a member, and under which term.
pub(crate) fn held(team: &TeamState, who: &str) -> Option<(String, Term)> {
    let placement = team.places().placement(&member(who))?;
    let worker = placement.worker.as_ref()?;
    Some((worker.to_string(), placement.term))
}

/// Waits until `holds`; the paused clock advances when everything waits.
pub(crate) async fn until(holds: impl Fn() -> bool) {
    for _ in 0..60_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it does not come to that");
}

/// So much time passes.
pub(crate) async fn seconds(count: u64) {
    tokio::time::sleep(Duration::from_secs(count)).await;
}
