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
    MemberName, Timestamp,
    name::WorkerName,
    permission::Mode,
    port::{Clock, Mailbox as _, Tool, TranscriptStore as _, Workspace},
    team::{AgentDefinition, AgentDefinitions, MemberOptions, TeamState, Term},
    transcript::Entry,
};
use teammate_runtime::{AskPolicy, Host, Ports, Setup, TeamConfig, ToolNames, WorkerRole};
use teammate_store::clock::{SystemClock, UuidV7Ids};
use teammate_testkit::memory::{MemoryFleet, MemoryStore, MemoryTranscripts};
use teammate_tools::ToolCatalogue;
use uuid::Uuid;

use crate::{
    script::{Script, Toil},
    stalls::{Stall, Stalling},
};

/// What survives its workers.
#[derive(Clone)]
pub(crate) struct Yard {
    pub(crate) store: MemoryStore,
    pub(crate) fleet: MemoryFleet,
    pub(crate) script: Script,
    pub(crate) toil: Toil,
    mode: Mode,
    /// Which worker's clock is ahead, and how far.
    ahead: Option<(&'static str, Duration)>,
    sessions: Arc<AtomicU64>,
}

/// A clock that is ahead of the others.
struct ClockAhead(Duration);

impl Clock for ClockAhead {
    fn now(&self) -> Timestamp {
        SystemClock.now().after(self.0)
    }
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
            script: Script::default(),
            toil: Toil::default(),
            mode: Mode::Bypass,
            ahead: None,
            sessions: Arc::default(),
        }
    }

    /// The same where the user is asked for permission.
    pub(crate) fn asking() -> Self {
        Self {
            mode: Mode::Ask,
            ..Self::new()
        }
    }

    /// The same where one worker's clock is ten minutes ahead.
    pub(crate) fn with_clock_ahead(self, worker: &'static str) -> Self {
        let ahead = Some((worker, Duration::from_secs(600)));
        Self { ahead, ..self }
    }

    /// A worker, which has begun; and what stalls its transcripts.
    pub(crate) async fn worker(&self, name: &str) -> (Host, Stall) {
        let stall = Stall::default();
        let host = Host::open(self.ports(name, &stall), self.setup()).await;
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

    fn ports(&self, name: &str, stall: &Stall) -> Ports {
        let store = self.store.another_process();
        let ahead = self.ahead.filter(|(worker, _)| *worker == name);
        let clock = ClockAhead(ahead.map_or(Duration::ZERO, |(_, ahead)| ahead));
        let name = WorkerName::parse(name).unwrap();
        let session = self.sessions.fetch_add(1, Ordering::SeqCst);
        Ports {
            journal: store.journal.clone(),
            mailbox: Arc::new(Stalling::of(store.mailbox.clone(), stall)),
            transcripts: Arc::new(Stalling::of(store.transcripts.clone(), stall)),
            archive: Arc::new(store),
            models: Arc::new(self.script.clone()),
            clock: Arc::new(clock),
            ids: Arc::new(UuidV7Ids),
            transfer: None,
            worker: Some(WorkerRole {
                wire: Arc::new(self.fleet.wire(&name)),
                name,
                session: Uuid::from_u128(u128::from(session) + 1),
                labels: [].into(),
                places: 4,
            }),
            processes: None,
            calendar: None,
            agents: None,
            worktrees: None,
            rule_book: None,
            audit: None,
            mode_limit: None,
            hooks: None,
        }
    }

    fn setup(&self) -> Setup {
        let tools = ToolCatalogue::new();
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
                policy: AskPolicy::User {
                    deadline: Duration::from_secs(600),
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
