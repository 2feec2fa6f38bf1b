//! The example `test_agent`, as a measurement has it.

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    permission::Rules,
    port::{BoxFuture, WorkspaceAccess},
    variables::Variables,
};
use teammate_process::{HeldPrograms, Leftovers, TeamSandbox};
use teammate_protocols::acp::{
    AcpAgent, AgentFailure, AgentSettings, AgentTable, AgentTimeouts, Client, Opening, Question,
    QuestionAnswer, Session, Trial, Update,
};
use teammate_sandbox::{Level, Sandbox, SandboxRules, helper_is};
use teammate_tools::HeldFiles;

pub(crate) struct Bench {
    pub(crate) trial: Trial,
    pub(crate) root: PathBuf,
    _dir: tempfile::TempDir,
}

/// Keeps what it hears, and allows everything.
#[derive(Default)]
pub(crate) struct Hears(pub(crate) Mutex<Vec<String>>);

impl Client for Hears {
    fn updated(&self, session: &str, update: Update) {
        let said = match update {
            Update::Text(text) => text,
            Update::Prompt(text) => format!("prompt: {text}"),
            Update::Other(name) => format!("other: {name}"),
            Update::Tool(_) | Update::Usage { .. } | Update::Thought(_) | Update::Mode(_) => return,
        };
        let said = match session.starts_with("session") {
            true => said,
            false => format!("{session}: {said}"),
        };
        self.0.lock().unwrap().push(said);
    }

    fn asked<'a>(&'a self, _: &'a Question) -> BoxFuture<'a, QuestionAnswer> {
        Box::pin(async { QuestionAnswer::Allow })
    }

    fn noted(&self, oddity: &str) {
        self.0.lock().unwrap().push(format!("oddity: {oddity}"));
    }
}

impl Hears {
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// The example as cargo has built it: `cargo test` and `cargo build --examples` do, `cargo test --test NAME` does not.
fn example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let target = test.parent().unwrap().parent().unwrap();
    target.join("examples/test_agent")
}

/// An agent of this manner.
pub(crate) fn settings(manner: &str, mark: &str) -> AgentSettings {
    let command = [&example().display().to_string(), manner, mark];
    let table = AgentTable {
        command: command.map(str::to_owned).to_vec(),
        ..AgentTable::default()
    };
    table.settings("test", &Variables::default()).unwrap()
}

impl Bench {
    pub(crate) fn of(manner: &str) -> Self {
        Self::marked(manner, "")
    }

    pub(crate) fn marked(manner: &str, mark: &str) -> Self {
        helper_is(example());
        let dir = tempfile::tempdir().unwrap();
        let all = dir.path().canonicalize().unwrap();
        let (root, team, home) = (all.join("work"), all.join("work/.team"), all.join("home"));
        for made in [&team, &home] {
            fs::create_dir_all(made).unwrap();
        }
        let programs = HeldPrograms::new(
            TeamSandbox::new(SandboxRules::default(), [team.clone()]),
            (&root, &team),
            vec![("PATH".to_owned(), std::env::var("PATH").unwrap())],
            Leftovers::default(),
        );
        let files = |access| Arc::new(HeldFiles::new((&root, &team), access));
        let told = vec![("HOME".to_owned(), home.display().to_string())];
        Self {
            trial: Trial {
                settings: settings(manner, mark),
                opening: Opening {
                    name: "agent-test".to_owned(),
                    programs: Arc::new(programs),
                    files: files(WorkspaceAccess::Writes),
                    root: root.clone(),
                    workspace: WorkspaceAccess::Writes,
                    own: (vec![home], told),
                    network: Rules::default(),
                    timeouts: impatient(),
                },
                read_only_files: files(WorkspaceAccess::Reads),
                tool_server: Some((example(), vec!["tool-server".to_owned()])),
            },
            root,
            _dir: dir,
        }
    }

    pub(crate) async fn start(&self) -> Result<(AcpAgent, Arc<Hears>), AgentFailure> {
        let hears = Arc::new(Hears::default());
        let Trial {
            settings, opening, ..
        } = &self.trial;
        let agent = AcpAgent::start(settings, opening, hears.clone()).await?;
        Ok((agent, hears))
    }

    pub(crate) async fn open(&self) -> Result<(AcpAgent, Session, Arc<Hears>), AgentFailure> {
        let (agent, hears) = self.start().await?;
        let session = agent.open(&[]).await?;
        Ok((agent, session, hears))
    }

    /// Why it does not come as far as a session.
    pub(crate) async fn why(&self) -> String {
        match self.open().await {
            Ok(_) => panic!("it has opened a session"),
            Err(why) => why.to_string(),
        }
    }
}

/// Limits that a test does not wait long for, but for turns, which end by themselves.
fn impatient() -> AgentTimeouts {
    AgentTimeouts {
        start: Duration::from_secs(4),
        turn: Duration::from_secs(60),
        cancel: Duration::from_secs(5),
        rest: Duration::from_millis(500),
        grace: Duration::from_millis(500),
    }
}

/// Whether programs are held in namespaces of their own here.
pub(crate) fn is_walled() -> bool {
    let sandbox = Sandbox::new(SandboxRules::default());
    sandbox.level().unwrap() == Level::Full
}
