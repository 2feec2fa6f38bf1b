//! A workspace in a temporary directory, and an office that remembers what it was asked.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use teammate_core::{
    Incarnation, MemberName, Sender, TeamName, Timestamp,
    port::{
        Action, Background, BoxFuture, Caller, Ended, JobRoom, JobView, NewJob, Office,
        PlanRequired, Refusal, Requests, Review, RosterLine, Shutdown, ShutdownAsk, SpawnAsk,
        Spawned, SubagentAsk, Subagents, Submitted, Teams, Tool, ToolContext, Workspace,
    },
    request::{Answer, RequestId},
    team::{Job, JobEnd, JobId, TodoList},
    tool::{CallId, Outcome, ToolCall, ToolInput},
};
use teammate_tools::{Catalogue, Confines, keepers_are};
use tokio::sync::watch;

use crate::board::RealBoard;

/// Where another keeper is.
pub(crate) const KEEPER: &str = "TEAMMATE_TEST_KEEPER";

/// Commands can be held.
pub(crate) fn knows_keeper() {
    let keeper = std::env::var(KEEPER);
    keepers_are(keeper.map_or_else(
        |_| env!("CARGO_BIN_EXE_teammate-keeper").into(),
        PathBuf::from,
    ));
}

pub(crate) struct Bench {
    pub(crate) root: PathBuf,
    pub(crate) context: ToolContext,
    pub(crate) catalogue: Catalogue,
    pub(crate) office: Arc<FakeOffice>,
    _dir: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::within(|_| Confines::default())
    }

    /// Commands are held as is said, given the directory around the workspace.
    pub(crate) fn within(confines: impl FnOnce(&Path) -> Confines) -> Self {
        knows_keeper();
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let root = top.join("work");
        std::fs::create_dir_all(root.join(".team")).unwrap();
        std::fs::write(root.join(".team/journal.jsonl"), "truth\n").unwrap();
        std::fs::write(top.join("outside.txt"), "outside\n").unwrap();
        let office = Arc::new(FakeOffice::default());
        let environment = vec![
            ("PATH".to_owned(), std::env::var("PATH").unwrap()),
            ("HOME".to_owned(), root.display().to_string()),
        ];
        let context = ToolContext {
            secrets: Arc::default(),
            tool_names: Arc::default(),
            caller: Caller {
                name: MemberName::lead(),
                incarnation: Incarnation::FIRST,
                call: "turn-1/call:1".to_owned(),
            },
            workspace: Arc::new(Workspace {
                root: root.clone(),
                team_dir: root.join(".team"),
                outputs: root.join(".team/outputs"),
                closed: Vec::new(),
            }),
            environment: Arc::new(environment),
            office: office.clone(),
            background: Arc::new(FakeBackground::new(root.join(".team/outputs"))),
            tasks: Arc::new(RealBoard::new()),
            teams: office.clone(),
            requests: office.clone(),
            subagents: office.clone(),
        };
        Self {
            root,
            context,
            catalogue: Catalogue::within(confines(&top)),
            office,
            _dir: dir,
        }
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
        self.tool(name)
            .run(&call(name, &input), &self.context)
            .await
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

    pub(crate) fn action(&self, name: &str, input: impl Into<Value>) -> Result<Action, Outcome> {
        self.tool(name)
            .action(&call(name, &input.into()), &self.context)
    }
}

pub(crate) fn call(name: &str, input: &Value) -> ToolCall {
    ToolCall {
        id: CallId::new("c1".to_owned()),
        name: name.to_owned(),
        input: ToolInput::read(input.to_string()),
    }
}

#[derive(Default)]
pub(crate) struct FakeOffice {
    pub(crate) asked: Mutex<Vec<String>>,
    pub(crate) mail: Mutex<usize>,
    pub(crate) roster: Mutex<Vec<RosterLine>>,
}

impl FakeOffice {
    fn note(&self, what: String) {
        self.asked.lock().unwrap().push(what);
    }
}

impl Office for FakeOffice {
    fn spawn<'a>(
        &'a self,
        _caller: &'a Caller,
        ask: SpawnAsk,
    ) -> BoxFuture<'a, Result<Spawned, Refusal>> {
        self.note(format!("{ask:?}"));
        Box::pin(async move {
            if ask.name == "busy" {
                let why = "'busy' is currently working; use send_message to tell it something";
                return Err(Refusal::Rule(why.to_owned()));
            }
            Ok(Spawned {
                name: MemberName::teammate(&ask.name).unwrap(),
                role: ask.role_or_default().to_owned(),
                woken: ask.name == "bob",
                worktree: None,
            })
        })
    }

    fn send<'a>(
        &'a self,
        caller: &'a Caller,
        to: &'a str,
        content: String,
    ) -> BoxFuture<'a, Result<MemberName, Refusal>> {
        self.note(format!("{} -> {to}: {content}", caller.name));
        Box::pin(
            async move { MemberName::parse(to).map_err(|error| Refusal::Rule(error.to_string())) },
        )
    }

    fn broadcast<'a>(
        &'a self,
        _caller: &'a Caller,
        content: String,
    ) -> BoxFuture<'a, Result<usize, Refusal>> {
        self.note(format!("all: {content}"));
        Box::pin(async { Ok(3) })
    }

    fn write_todos<'a>(
        &'a self,
        caller: &'a Caller,
        items: TodoList,
    ) -> BoxFuture<'a, Result<(), Refusal>> {
        self.note(format!("{}'s todos:\n{items}", caller.name));
        Box::pin(async { Ok(()) })
    }

    fn pause<'a>(
        &'a self,
        caller: &'a Caller,
        waits_for: String,
    ) -> BoxFuture<'a, Result<(), Refusal>> {
        self.note(format!("{} waits for {waits_for}", caller.name));
        Box::pin(async { Ok(()) })
    }

    fn compact<'a>(
        &'a self,
        caller: &'a Caller,
        focus: Option<String>,
    ) -> BoxFuture<'a, Result<(), Refusal>> {
        self.note(format!("{} compacts: {focus:?}", caller.name));
        Box::pin(async { Ok(()) })
    }

    fn roster(&self) -> BoxFuture<'_, Vec<RosterLine>> {
        Box::pin(async { self.roster.lock().unwrap().clone() })
    }

    fn waiting_mail<'a>(&'a self, _caller: &'a Caller) -> BoxFuture<'a, Result<usize, Refusal>> {
        Box::pin(async { Ok(*self.mail.lock().unwrap()) })
    }

    fn team_at_rest<'a>(&'a self, _caller: &'a Caller) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }
}

impl Subagents for FakeOffice {
    fn make(
        &self,
        caller: &Caller,
        ask: SubagentAsk,
    ) -> Result<BoxFuture<'static, Outcome>, Refusal> {
        self.note(format!("{}: {ask:?}", caller.name));
        if ask.kind == "nonsense" {
            return Err(Refusal::Rule("there is no agent 'nonsense'".to_owned()));
        }
        Ok(Box::pin(async move {
            Outcome::ok(format!("found: {}", ask.prompt))
        }))
    }
}

impl Teams for FakeOffice {
    fn make<'a>(
        &'a self,
        _caller: &'a Caller,
        team: &'a TeamName,
    ) -> BoxFuture<'a, Result<(), Refusal>> {
        self.note(format!("make {team}"));
        Box::pin(async { Ok(()) })
    }

    fn end<'a>(
        &'a self,
        _caller: &'a Caller,
        team: &'a TeamName,
    ) -> BoxFuture<'a, Result<Ended, Refusal>> {
        self.note(format!("end {team}"));
        let members = vec![MemberName::teammate("alice").unwrap()];
        let kept_in = ".team/archive/x-1".to_owned();
        Box::pin(async { Ok(Ended { members, kept_in }) })
    }

    fn tell<'a>(
        &'a self,
        _caller: &'a Caller,
        team: &'a TeamName,
        content: String,
    ) -> BoxFuture<'a, Result<usize, Refusal>> {
        self.note(format!("all of {team}: {content}"));
        Box::pin(async { Ok(2) })
    }
}

/// Runs jobs as plain tasks, and tells nobody.
struct FakeBackground {
    outputs: PathBuf,
    jobs: Mutex<Vec<FakeJob>>,
}

#[derive(Clone)]
struct FakeJob {
    job: Job,
    stop: watch::Sender<bool>,
    outcome: watch::Receiver<Option<Outcome>>,
}

impl FakeBackground {
    fn new(outputs: PathBuf) -> Self {
        let jobs = Mutex::default();
        Self { outputs, jobs }
    }

    fn find(&self, id: &str) -> Result<FakeJob, Refusal> {
        let jobs = self.jobs.lock().unwrap();
        let found = jobs.iter().find(|job| job.job.id.to_string() == id);
        found
            .cloned()
            .ok_or_else(|| Refusal::Rule(format!("there is no job '{id}'")))
    }

    fn view(&self, fake: &FakeJob) -> JobView {
        let outcome = fake.outcome.borrow().clone();
        let by = Sender::Member(MemberName::lead());
        let end = outcome.as_ref().map(|outcome| match outcome.is_error {
            _ if *fake.stop.borrow() => JobEnd::Stopped { by },
            true => JobEnd::Failed,
            false => JobEnd::Done,
        });
        let job = Job {
            end,
            ..fake.job.clone()
        };
        JobView {
            output: self.outputs.join(job.output_name()),
            outcome,
            job,
        }
    }
}

impl Background for FakeBackground {
    fn start<'a>(
        &'a self,
        caller: &'a Caller,
        new: NewJob,
    ) -> BoxFuture<'a, Result<JobView, Refusal>> {
        let mut jobs = self.jobs.lock().unwrap();
        let job = Job {
            id: JobId::parse(&format!("b{}", jobs.len() + 1)).unwrap(),
            owner: caller.name.clone(),
            incarnation: caller.incarnation,
            call: caller.call.clone(),
            title: new.title,
            started: Timestamp(0),
            closings: 0,
            end: None,
        };
        let (stop, mut stopped) = watch::channel(false);
        let (done, outcome) = watch::channel(None);
        let room = JobRoom {
            output: self.outputs.join(job.output_name()),
            stopped: Box::pin(async move {
                if stopped.wait_for(|stop| *stop).await.is_err() {
                    std::future::pending::<()>().await;
                }
            }),
        };
        let work = (new.work)(room);
        tokio::spawn(async move { done.send_replace(Some(work.await)) });
        let fake = FakeJob { job, stop, outcome };
        jobs.push(fake.clone());
        Box::pin(async move { Ok(self.view(&fake)) })
    }

    fn output<'a>(
        &'a self,
        _caller: &'a Caller,
        job: &'a str,
        wait: Duration,
    ) -> BoxFuture<'a, Result<JobView, Refusal>> {
        Box::pin(async move {
            let mut fake = self.find(job)?;
            let _ = tokio::time::timeout(wait, fake.outcome.wait_for(Option::is_some)).await;
            Ok(self.view(&fake))
        })
    }

    fn stop<'a>(
        &'a self,
        _caller: &'a Caller,
        job: &'a str,
    ) -> BoxFuture<'a, Result<JobView, Refusal>> {
        Box::pin(async move {
            let mut fake = self.find(job)?;
            fake.stop.send_replace(true);
            let _ = fake.outcome.wait_for(Option::is_some).await;
            Ok(self.view(&fake))
        })
    }

    fn list<'a>(&'a self, _caller: &'a Caller) -> BoxFuture<'a, Vec<Job>> {
        Box::pin(async {
            let jobs = self.jobs.lock().unwrap();
            jobs.iter().map(|fake| self.view(fake).job).collect()
        })
    }
}

/// Runs `work` to its end in a runtime of its own, for a test with threads.
pub(crate) fn block_on<R>(work: impl Future<Output = R>) -> R {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(work)
}

/// Nobody asks for anything here: what these tools do is told by the harness's own tests.
impl Requests for FakeOffice {
    fn shut_down<'a>(
        &'a self,
        _: &'a Caller,
        _: ShutdownAsk,
    ) -> BoxFuture<'a, Result<Shutdown, Refusal>> {
        nobody()
    }

    fn respond_shutdown<'a>(
        &'a self,
        _: &'a Caller,
        _: RequestId,
        _: Answer,
    ) -> BoxFuture<'a, Result<(), Refusal>> {
        nobody()
    }

    fn request_plan<'a>(
        &'a self,
        _: &'a Caller,
        _: &'a str,
        _: String,
    ) -> BoxFuture<'a, Result<PlanRequired, Refusal>> {
        nobody()
    }

    fn lift_plan<'a>(
        &'a self,
        _: &'a Caller,
        _: &'a str,
    ) -> BoxFuture<'a, Result<MemberName, Refusal>> {
        nobody()
    }

    fn submit_plan<'a>(
        &'a self,
        _: &'a Caller,
        _: String,
    ) -> BoxFuture<'a, Result<Submitted, Refusal>> {
        nobody()
    }

    fn review_plan<'a>(
        &'a self,
        _: &'a Caller,
        _: RequestId,
        _: Review,
    ) -> BoxFuture<'a, Result<MemberName, Refusal>> {
        nobody()
    }

    fn answer_permission<'a>(
        &'a self,
        _: &'a Caller,
        _: RequestId,
        _: Answer,
    ) -> BoxFuture<'a, Result<MemberName, Refusal>> {
        nobody()
    }
}

fn nobody<T: Send + 'static>() -> BoxFuture<'static, Result<T, Refusal>> {
    Box::pin(async { Err(Refusal::Rule("nobody is here".to_owned())) })
}
