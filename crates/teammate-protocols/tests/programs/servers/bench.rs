//! One server of the example `hostile_server`, as a team has it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use teammate_core::{
    Incarnation, MemberName,
    permission::{Rule, Rules},
    port::{Caller, Tool, ToolContext, Workspace},
    tool::{Outcome, ToolInput},
};
use teammate_process::{HeldPrograms, Leftovers, TeamSandbox};
use teammate_protocols::mcp::client::{
    Accepted, EntryOrigin, Listing, LoginSettings, Offered, Scope, ServerName, ServerSettings,
    ServerTimeouts, Servers, Surroundings, TransportSettings,
};
use teammate_sandbox::{SandboxRules, helper_is};
use teammate_tools::FiledOutputs;

use crate::servers::no_team::NoTeam;

/// What was accepted, in memory.
#[derive(Default)]
pub(crate) struct InMemory(Mutex<BTreeMap<String, Listing>>);

impl Accepted for InMemory {
    fn of(&self, fingerprint: &str) -> Option<Listing> {
        self.0.lock().unwrap().get(fingerprint).cloned()
    }

    fn accept(&self, settings: &ServerSettings, listing: &Listing) -> Result<(), String> {
        let mut all = self.0.lock().unwrap();
        all.insert(settings.fingerprint(), listing.clone());
        Ok(())
    }
}

pub(crate) struct Bench {
    pub(crate) servers: Servers,
    pub(crate) accepted: Arc<dyn Accepted>,
    pub(crate) context: ToolContext,
    pub(crate) root: PathBuf,
    pub(crate) team: Arc<NoTeam>,
    _dir: tempfile::TempDir,
}

/// The example as cargo has built it: `cargo test` and `cargo build --examples` do, `cargo test --test NAME` does not.
fn hostile() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let target = test.parent().unwrap().parent().unwrap();
    target.join("examples/hostile_server")
}

/// A server that misbehaves in this way.
pub(crate) fn server(name: &str, mode: &str, mark: &str) -> ServerSettings {
    ServerSettings {
        name: ServerName::parse(name).unwrap(),
        origin: EntryOrigin::User,
        transport: TransportSettings::Program {
            command: hostile().display().to_string(),
            arguments: vec![mode.to_owned(), mark.to_owned()],
            environment: Vec::new(),
            directory: None,
        },
        scope: Scope::Team,
        network: Rules::default(),
        timeout: Duration::from_secs(20),
        start_limit: None,
        output_max: 10_000,
        always_load: Vec::new(),
        reads: Vec::new(),
        only: None,
        login: LoginSettings::default(),
    }
}

impl Bench {
    pub(crate) fn of(settings: Vec<ServerSettings>) -> Self {
        Self::with_timeouts(settings, ServerTimeouts::default())
    }

    pub(crate) fn with_timeouts(settings: Vec<ServerSettings>, timeouts: ServerTimeouts) -> Self {
        Self::around(settings, |around| around.timeouts = timeouts)
    }

    /// What the user's rules deny.
    pub(crate) fn denying(settings: Vec<ServerSettings>, deny: Vec<Rule>) -> Self {
        Self::around(settings, |around| around.deny = deny)
    }

    /// With a directory for tokens, in the workspace.
    pub(crate) fn keeping_tokens(settings: Vec<ServerSettings>) -> (Self, PathBuf) {
        let bench = Self::around(settings, |around| {
            around.tokens = Some(around.root.join("tokens"));
        });
        let tokens = bench.root.join("tokens");
        (bench, tokens)
    }

    fn around(settings: Vec<ServerSettings>, change: impl FnOnce(&mut Surroundings)) -> Self {
        helper_is(hostile());
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("work");
        let team = root.join(".team");
        fs::create_dir_all(team.join("outputs")).unwrap();
        let environment = vec![("PATH".to_owned(), std::env::var("PATH").unwrap())];
        let programs = HeldPrograms::new(
            TeamSandbox::new(SandboxRules::default(), [team.clone()]),
            (&root, &team),
            environment.clone(),
            Leftovers::default(),
        );
        let programs = Arc::new(programs);
        let files = Arc::new(FiledOutputs);
        let wording = Default::default();
        let mut around = Surroundings::new(programs, files, root.clone(), Vec::new(), wording);
        change(&mut around);
        let asked = Arc::new(NoTeam::default());
        let context = ToolContext {
            caller: Caller {
                name: MemberName::lead(),
                incarnation: Incarnation::FIRST,
                call: "turn-1/call:1".into(),
                sources: Default::default(),
                subagent: None,
            },
            workspace: Arc::new(Workspace {
                root: root.clone(),
                team_dir: team.clone(),
                outputs: team.join("outputs"),
                tmp: None,
                unreadable: Vec::new(),
            }),
            environment: Arc::new(environment),
            secrets: Arc::default(),
            tool_names: Arc::default(),
            team: asked.clone(),
            progress: Arc::new(()),
        };
        Self {
            servers: Servers::new(settings, around),
            accepted: Arc::new(InMemory::default()),
            context,
            root,
            team: asked,
            _dir: dir,
        }
    }

    pub(crate) fn one(mode: &str) -> Self {
        Self::of(vec![server("x", mode, "")])
    }

    pub(crate) async fn offer(&self) -> Offered {
        self.servers.offer(&self.accepted).await
    }

    /// The notices, where a server offers nothing.
    pub(crate) async fn notice(&self) -> String {
        let offered = self.offer().await;
        let names = names(&offered.tools);
        assert!(names.is_empty(), "{names:?}");
        offered.notices.join("\n")
    }

    /// Calls the tool `act` of the server `x`.
    pub(crate) async fn act(&self) -> Outcome {
        let offered = self.offer().await;
        self.call(&offered.tools, "mcp__x__act", "{}").await
    }

    pub(crate) async fn call(&self, tools: &[Arc<dyn Tool>], name: &str, input: &str) -> Outcome {
        let tool = tools.iter().find(|tool| tool.spec().name == name);
        let tool = tool.unwrap_or_else(|| panic!("no {name} in {:?}", names(tools)));
        let input = ToolInput::from_json(input.to_owned());
        match tool.read(&input, &self.context) {
            Ok(ready) => ready.run.await,
            Err(outcome) => outcome,
        }
    }

    pub(crate) fn file(&self, path: impl AsRef<Path>) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }
}

pub(crate) fn names(tools: &[Arc<dyn Tool>]) -> Vec<String> {
    let offered = tools.iter().filter(|tool| tool.is_offered());
    offered.map(|tool| tool.spec().name.to_string()).collect()
}

/// A limit that a test does not wait long for.
pub(crate) fn impatient() -> ServerTimeouts {
    ServerTimeouts {
        start: Duration::from_millis(1_500),
        page: Duration::from_millis(1_500),
        grace: Duration::from_millis(300),
        ..ServerTimeouts::default()
    }
}

/// The value of a result that is JSON.
pub(crate) fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}
