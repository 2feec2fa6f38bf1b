//! A team with scripted models, a journal and a mailbox that fail on demand, and a tool that records
//! what really ran.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json, value::RawValue};
use teammate_core::{
    MemberName, Message, Timestamp,
    block::Block,
    fold::Fold,
    model::{ModelFailure, ModelRef, ModelRequest, Reply, StopReason, Usage, Wire},
    permission::{Destination, HostName, Mode},
    port::{
        Action, Batch, BatchId, BoxFuture, Clock as _, ConnectArgs, Durability, Journal,
        JournalError, JournalRead, MailError, Mailbox, Model, ModelSource, PartSink, ReadyCall,
        Target, TeamApi, Tool, ToolContext, Worktrees,
    },
    request::{Principal, RequestCommand, RequestId},
    team::{
        AgentDefinition, AgentDefinitions, Command, ConversationChoice, MemberOptions, TeamEvent,
    },
    tool::{CallId, EffectClass, Outcome, ToolCall, ToolInput, ToolSpec},
    transcript::Entry,
};
use teammate_store::clock::SystemClock;
use teammate_testkit::memory::{MemoryJournal, MemoryMailbox};
use teammate_tools::ToolCatalogue;

use crate::{AskPolicy, Host, PlanApprover, Ports, Setup, TeamConfig, fixture};

/// One answer of a model.
pub(super) enum Line {
    Say,
    Call(&'static str, Value),
    /// Several in one answer.
    Calls(Vec<(&'static str, Value)>),
}

/// What survives a host.
#[derive(Clone)]
pub(super) struct Stage {
    ports: Ports,
    mode: Mode,
    plans: PlanApprover,
    pub(super) conversation: ConversationChoice,
    pub(super) fails: Arc<Fails>,
    pub(super) toil: Toil,
    lines: Arc<Mutex<HashMap<String, VecDeque<Line>>>>,
}

/// What fails just now.
#[derive(Default)]
pub(super) struct Fails {
    pub(super) journal: AtomicBool,
    pub(super) mailbox: AtomicBool,
    /// Whether a teammate that looks into its mailbox meets a bug.
    pub(super) teammates: AtomicBool,
}

impl Stage {
    pub(super) fn new() -> Self {
        let (fails, lines) = (Arc::<Fails>::default(), Arc::default());
        let ports = Ports {
            journal: Arc::new(Failing(MemoryJournal::default(), fails.clone())),
            mailbox: Arc::new(Failing(MemoryMailbox::default(), fails.clone())),
            models: Arc::new(Readers(Arc::clone(&lines))),
            ..fixture::ports()
        };
        Self {
            ports,
            mode: Mode::Bypass,
            plans: PlanApprover::Lead,
            conversation: ConversationChoice::Last,
            fails,
            toil: Toil::default(),
            lines,
        }
    }

    /// The same where the user is asked for permission.
    pub(super) fn asking() -> Self {
        Self {
            mode: Mode::Ask,
            ..Self::new()
        }
    }

    /// The same where the user approves plans.
    pub(super) fn approving() -> Self {
        Self {
            plans: PlanApprover::User,
            ..Self::new()
        }
    }

    /// The same with worktrees.
    pub(super) fn with_worktrees(mut self, worktrees: Arc<dyn Worktrees>) -> Self {
        self.ports.worktrees = Some(worktrees);
        self
    }

    /// What a member says, one line after the other; afterwards its turns end. A subagent's lines are those of `sub`.
    pub(super) fn lines(&self, who: &str, lines: Vec<Line>) {
        let mut all = self.lines.lock().unwrap();
        all.entry(who.to_owned()).or_default().extend(lines);
    }

    /// How many of its lines are left.
    pub(super) fn unsaid(&self, who: &str) -> usize {
        let lines = self.lines.lock().unwrap();
        lines.get(who).map_or(0, VecDeque::len)
    }

    /// Opens the team. The tasks of a dead host end in a moment.
    pub(super) async fn open(&self) -> Host {
        for _ in 0..1_000 {
            let host = Host::open(self.ports.clone(), self.setup()).await;
            if let Ok(host) = host
                && host.start().await.is_ok()
            {
                return host;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("the team does not open");
    }

    /// The same, before any member has begun.
    pub(super) async fn prepare(&self) -> Host {
        for _ in 0..1_000 {
            if let Ok(host) = Host::open(self.ports.clone(), self.setup()).await {
                return host;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        panic!("the team does not open");
    }

    /// Opens it with alice, who begins.
    pub(super) async fn with_alice(&self) -> Host {
        self.lines("lead", vec![spawn("alice")]);
        let host = self.open().await;
        host.send_as_user("lead", "go").await.unwrap();
        host
    }

    pub(super) fn journal(&self) -> Arc<dyn Journal> {
        self.ports.journal.clone()
    }

    /// Another process asks a member to stop.
    pub(super) async fn ask_to_stop(&self, member: &MemberName, call: &str, within: Duration) {
        let ask = RequestCommand::Shutdown {
            member: member.clone(),
            from: Principal::User,
            call: call.into(),
            reason: String::new(),
            within,
            at: SystemClock.now(),
        };
        self.decide_outside(Command::Request(ask)).await;
    }

    /// The same of the lead: the program is asked to pause the team.
    pub(super) async fn ask_to_pause(&self, call: &str, within: Duration) {
        self.ask_to_stop(&MemberName::lead(), call, within).await;
    }

    /// What a killed program had written to a member's transcript last.
    pub(super) async fn record(&self, who: &str, entry: Entry) {
        let name = MemberName::parse(who).unwrap();
        let mut opened = self.ports.transcripts.open(&name).await.unwrap();
        opened.log.append(&entry).await.unwrap();
    }

    /// All that a member's transcript holds.
    pub(super) async fn entries(&self, who: &str) -> Vec<Entry> {
        let name = MemberName::parse(who).unwrap();
        self.ports.transcripts.peek(&name).await.unwrap()
    }

    /// Another process decides something and appends it.
    pub(super) async fn decide_outside(&self, command: Command) {
        let journal = &*self.ports.journal;
        let (mut fold, _) = Fold::open(journal).await.unwrap();
        let commands = [command];
        let committed = fold.commit(journal, &SystemClock, &commands).await;
        let results: Result<Vec<_>, _> = committed.results.unwrap().into_iter().collect();
        results.unwrap();
    }

    /// True if a member has heard a mail about something, or has it unread.
    pub(super) async fn told(&self, who: &str) -> Vec<String> {
        let mut told = self.heard(who).await;
        let name = MemberName::parse(who).unwrap();
        let waiting = self.ports.mailbox.peek(&name).await.unwrap();
        told.extend(waiting.into_iter().map(|mail| mail.content));
        told
    }

    /// Everything that a member has heard.
    pub(super) async fn heard(&self, who: &str) -> Vec<String> {
        let entries = self.entries(who).await;
        let mail = entries.into_iter().filter_map(|entry| match entry {
            Entry::Heard(mail) => Some(mail),
            _ => None,
        });
        mail.flatten().map(|mail: Message| mail.content).collect()
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
        let config = TeamConfig {
            mode: self.mode,
            policy: AskPolicy::User {
                deadline: Duration::from_secs(60),
            },
            plans: self.plans.clone(),
            conversation: self.conversation,
            ..TeamConfig::new("lines:one".parse().unwrap())
        };
        Setup {
            agents,
            lead_tools: with_toil(tools.lead_tools()),
            teammate_tools: with_toil(tools.teammate_tools()),
            ..fixture::setup(config)
        }
    }
}

pub(super) fn spawn(name: &str) -> Line {
    let input = json!({ "name": name, "role": "coder", "prompt": "begin" });
    Line::Call("spawn_teammate", input)
}

pub(super) fn toil(what: &str) -> Line {
    Line::Call("toil", json!({ "what": what }))
}

pub(super) fn alice() -> MemberName {
    MemberName::teammate("alice").unwrap()
}

/// Waits until `holds`; the paused clock advances when everything waits.
pub(super) async fn until(holds: impl Fn() -> bool) {
    for _ in 0..200_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("it does not come to that");
}

/// The only request that is open, once there is one.
pub(super) async fn question(host: &Host) -> RequestId {
    until(|| host.requests().len() == 1).await;
    host.requests()[0].id
}

struct Readers(Arc<Mutex<HashMap<String, VecDeque<Line>>>>);

impl ModelSource for Readers {
    fn open(&self, _: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        Ok(Arc::new(Self(self.0.clone())))
    }
}

impl Model for Readers {
    fn answer(
        &self,
        request: ModelRequest,
        _: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        let who = match request.conversation.split_once('/') {
            Some((_, name)) if !name.contains('/') => name.to_owned(),
            _ => "sub".to_owned(),
        };
        let line = self
            .0
            .lock()
            .unwrap()
            .get_mut(&who)
            .and_then(VecDeque::pop_front);
        let count = request.messages.len();
        let calls = match line {
            Some(Line::Call(tool, input)) => vec![(tool, input)],
            Some(Line::Calls(calls)) => calls,
            Some(Line::Say) | None => Vec::new(),
        };
        let (blocks, stop) = if calls.is_empty() {
            (vec![Block::text("That is all.")], StopReason::EndTurn)
        } else {
            let call = |(at, (tool, input)): (usize, (&str, Value))| {
                Block::tool_use(&ToolCall {
                    id: CallId::new(format!("call_{count}_{at}")),
                    name: tool.to_owned(),
                    input: ToolInput::from_json(input.to_string()),
                })
            };
            (
                calls.into_iter().enumerate().map(call).collect(),
                StopReason::ToolUse,
            )
        };
        Box::pin(std::future::ready(Ok(Reply {
            blocks,
            stop,
            usage: Usage::default(),
            model: "lines:one".to_owned(),
            wire: Wire::Scripted,
        })))
    }

    fn rate_limit_key(&self) -> &'static str {
        "lines"
    }
}

/// A tool that needs permission. With the input `for ever` it runs until it is dropped.
#[derive(Clone)]
pub(super) struct Toil {
    spec: Arc<ToolSpec>,
    done: Arc<Mutex<Vec<String>>>,
    running: Arc<AtomicUsize>,
}

impl Default for Toil {
    fn default() -> Self {
        let spec = ToolSpec {
            name: "toil".into(),
            description: "Toils.".into(),
            schema: RawValue::from_string("{\"type\":\"object\"}".to_owned()).unwrap(),
            class: EffectClass::Executes,
        };
        Self {
            spec: Arc::new(spec),
            done: Arc::default(),
            running: Arc::default(),
        }
    }
}

impl Toil {
    /// What was done, in order.
    pub(super) fn done(&self) -> Vec<String> {
        self.done.lock().unwrap().clone()
    }

    /// How many run now.
    pub(super) fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }
}

impl Toil {
    async fn toil(&self, what: String, team: &dyn TeamApi) -> Outcome {
        self.running.fetch_add(1, Ordering::SeqCst);
        let _runs = Runs(&self.running);
        if what == "for ever" {
            std::future::pending::<()>().await;
        }
        if what == "ten seconds" {
            tokio::time::sleep(Duration::from_secs(10)).await;
        }
        let done = match what.strip_prefix("connect ") {
            Some(host) => connects(team, host).await,
            None => what,
        };
        self.done.lock().unwrap().push(done);
        Outcome::ok("done")
    }
}

/// What a command hears that connects there.
async fn connects(team: &dyn TeamApi, host: &str) -> String {
    let host = HostName::parse(host).unwrap();
    let ask = ConnectArgs {
        to: Destination { host, port: 443 },
        command: "a command".to_owned(),
        may_ask: true,
    };
    format!("{:?}", team.connect(ask).await)
}

struct Runs<'a>(&'a AtomicUsize);

impl Drop for Runs<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Tool for Toil {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn read<'a>(
        &'a self,
        input: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let input: Value = input.parse()?;
        let what = input["what"].as_str().unwrap_or_default().to_owned();
        Ok(ReadyCall {
            action: Action {
                target: Target::Team,
                shows: input.to_string(),
                summary: input.to_string(),
            },
            preview: None,
            run: Box::pin(self.toil(what, &*context.team)),
        })
    }
}

struct Failing<T>(T, Arc<Fails>);

impl<T> Failing<T> {
    fn journal_fails(&self) -> bool {
        self.1.journal.load(Ordering::SeqCst)
    }
}

impl Journal for Failing<MemoryJournal> {
    fn append(
        &self,
        expected: u64,
        at: Timestamp,
        events: Vec<TeamEvent>,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        if self.journal_fails() {
            let error = JournalError::Broken("no space left on device".into());
            return Box::pin(std::future::ready(Err(error)));
        }
        self.0.append(expected, at, events, durability)
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        self.0.read(from)
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        self.0.grew()
    }
}

impl Mailbox for Failing<MemoryMailbox> {
    fn send(&self, message: Message) -> BoxFuture<'_, Result<(), MailError>> {
        if self.1.mailbox.load(Ordering::SeqCst) {
            let owner = message.to;
            return Box::pin(std::future::ready(Err(MailError::Locked { owner })));
        }
        self.0.send(message)
    }

    fn take<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Batch>, MailError>> {
        let is_bug = !owner.is_lead() && self.1.teammates.load(Ordering::SeqCst);
        assert!(!is_bug, "a planted bug");
        self.0.take(owner)
    }

    fn ack<'a>(
        &'a self,
        owner: &'a MemberName,
        claim: BatchId,
    ) -> BoxFuture<'a, Result<(), MailError>> {
        self.0.ack(owner, claim)
    }

    fn peek<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, Result<Vec<Message>, MailError>> {
        self.0.peek(owner)
    }

    fn rang<'a>(&'a self, owner: &'a MemberName) -> BoxFuture<'a, ()> {
        self.0.rang(owner)
    }
}
