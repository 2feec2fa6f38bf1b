//! A workspace in a temporary directory, with the tools and a team that writes down what it was asked.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::Value;
use teammate_core::{
    Incarnation, MemberName,
    port::{Action, Caller, Tool, ToolContext, Workspace},
    tool::{Outcome, ToolInput},
};
use teammate_process::TeamSandbox;
use teammate_sandbox::{SandboxRules, helper_is};
use teammate_tools::{TEAM_DIRS, ToolCatalogue};

use crate::fake_team::FakeTeam;

/// Where another helper is.
pub(crate) const HELPER: &str = "TEAMMATE_TEST_HELPER";

/// Commands can be walled.
pub(crate) fn knows_helper() {
    let helper = std::env::var(HELPER);
    helper_is(helper.map_or_else(
        |_| env!("CARGO_BIN_EXE_teammate-tools-helper").into(),
        PathBuf::from,
    ));
}

/// The sandbox of a team in this workspace.
pub(crate) fn sandbox_in(root: &Path, rules: SandboxRules) -> TeamSandbox {
    TeamSandbox::new(rules, TEAM_DIRS.map(|name| root.join(name)))
}

pub(crate) struct Bench {
    pub(crate) root: PathBuf,
    pub(crate) context: ToolContext,
    pub(crate) catalogue: ToolCatalogue,
    pub(crate) team: Arc<FakeTeam>,
    _dir: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::within(|_| SandboxRules::default())
    }

    /// Commands are held by these rules, given the directory around the workspace.
    pub(crate) fn within(rules: impl FnOnce(&Path) -> SandboxRules) -> Self {
        knows_helper();
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let root = top.join("work");
        std::fs::create_dir_all(root.join(".team")).unwrap();
        std::fs::write(root.join(".team/journal.jsonl"), "truth\n").unwrap();
        std::fs::write(top.join("outside.txt"), "outside\n").unwrap();
        let team = Arc::new(FakeTeam::new(root.join(".team/outputs")));
        let environment = vec![
            ("PATH".to_owned(), std::env::var("PATH").unwrap()),
            ("HOME".to_owned(), root.display().to_string()),
        ];
        let sandbox = sandbox_in(&root, rules(&top));
        let tmp = sandbox.private_tmp(&root.join(".team"));
        let context = ToolContext {
            secrets: Arc::default(),
            tool_names: Arc::default(),
            caller: Caller {
                name: MemberName::lead(),
                incarnation: Incarnation::FIRST,
                call: "turn-1/call:1".into(),
                sources: Default::default(),
                subagent: None,
            },
            workspace: Arc::new(Workspace {
                root: root.clone(),
                team_dir: root.join(".team"),
                outputs: root.join(".team/outputs"),
                tmp: tmp.map(|all| all.join("lead")),
                unreadable: Vec::new(),
            }),
            environment: Arc::new(environment),
            team: team.clone(),
            progress: Arc::new(()),
        };
        Self {
            root,
            context,
            catalogue: ToolCatalogue::with_sandbox(sandbox),
            team,
            _dir: dir,
        }
    }

    /// The same tools and files for another member, whose next answer this is.
    pub(crate) fn as_member(&self, name: &str, answer: u64) -> ToolContext {
        let mut context = self.context.clone();
        context.caller.name = MemberName::parse(name).unwrap();
        context.caller.call = format!("{name}/1/{answer}/call").into();
        context
    }

    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, path: impl AsRef<Path>) -> String {
        std::fs::read_to_string(self.root.join(path)).unwrap()
    }

    pub(crate) fn tool(&self, name: &str) -> Arc<dyn Tool> {
        let tools = [self.catalogue.lead_tools(), self.catalogue.teammate_tools()].concat();
        let found = tools.into_iter().find(|tool| tool.spec().name == name);
        found.unwrap_or_else(|| panic!("no tool {name}"))
    }

    pub(crate) async fn run(&self, name: &str, input: Value) -> Outcome {
        run(&*self.tool(name), &input, &self.context).await
    }

    pub(crate) async fn ok(&self, name: &str, input: Value) -> String {
        let outcome = self.run(name, input).await;
        assert!(!outcome.is_error, "{}", outcome.text());
        outcome.text()
    }

    pub(crate) async fn error(&self, name: &str, input: Value) -> String {
        let outcome = self.run(name, input).await;
        assert!(outcome.is_error, "{}", outcome.text());
        outcome.text()
    }

    /// What a call would do, as the user is shown it.
    pub(crate) fn action(&self, name: &str, input: impl Into<Value>) -> Result<Action, Outcome> {
        let (tool, input) = (self.tool(name), read(&input.into()));
        let looked = || {
            let ready = tool.read(&input, &self.context)?;
            match ready.preview {
                Some(preview) => block_on(preview),
                None => Ok(ready.action),
            }
        };
        // In a thread of its own, so that it can wait in a runtime of its own.
        std::thread::scope(|scope| scope.spawn(looked).join().unwrap())
    }
}

/// Runs a call whose input fits, as if it may.
pub(crate) async fn run(tool: &dyn Tool, input: &Value, context: &ToolContext) -> Outcome {
    match tool.read(&read(input), context) {
        Ok(ready) => ready.run.await,
        Err(outcome) => outcome,
    }
}

fn read(input: &Value) -> ToolInput {
    ToolInput::from_json(input.to_string())
}

/// Runs `work` to its end in a runtime of its own, for a test with threads.
pub(crate) fn block_on<R>(work: impl Future<Output = R>) -> R {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(work)
}
