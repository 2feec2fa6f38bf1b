//! A team with scripted models, a journal and a mailbox that fail on demand, and a tool that records
//! what really ran.

mod fails;
mod lines;
mod toil;

use std::{collections::VecDeque, sync::Arc, time::Duration};

use serde_json::json;
use teammate_core::{
    MemberName, Message, Timestamp,
    fold::Fold,
    name::AgentName,
    permission::Mode,
    port::{AgentSource, Calendar, Clock, Journal, Record, Tool, Worktrees},
    request::{Principal, RequestCommand, RequestId},
    team::{
        AgentDefinition, AgentDefinitions, Command, ConversationChoice, MemberOptions, TeamState,
    },
    transcript::Entry,
};
use teammate_store::clock::SystemClock;
use teammate_testkit::memory::{MemoryJournal, MemoryMailbox};
use teammate_tools::ToolCatalogue;

pub(super) use self::lines::Line;
use self::{
    fails::{Failing, Fails},
    lines::{Lines, Readers},
    toil::Toil,
};
use crate::{AskPolicy, Host, PlanApprover, Ports, Setup, TeamConfig, fixture};

/// What survives a host.
#[derive(Clone)]
pub(super) struct Stage {
    ports: Ports,
    mode: Mode,
    plans: PlanApprover,
    pub(super) conversation: ConversationChoice,
    pub(super) fails: Arc<Fails>,
    pub(super) toil: Toil,
    lines: Lines,
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

    /// The same with agents of another make: teammates of the kind `other`.
    pub(super) fn with_agents(mut self, agents: Arc<dyn AgentSource>) -> Self {
        self.ports.agents = Some(agents);
        self
    }

    /// The same with schedules, whose moments are these.
    pub(super) fn with_calendar(
        mut self,
        calendar: Arc<dyn Calendar>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        self.ports.calendar = Some(calendar);
        self.ports.clock = clock;
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

    /// The time there.
    pub(super) fn now(&self) -> Timestamp {
        self.ports.clock.now()
    }

    /// The team as its journal has it.
    pub(super) async fn team(&self) -> Arc<TeamState> {
        let (fold, _) = Fold::open(&*self.ports.journal).await.unwrap();
        fold.team().clone()
    }

    /// All that the journal holds.
    pub(super) async fn records(&self) -> Vec<Record> {
        self.ports.journal.read(0).await.unwrap().records
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
        told.extend(self.unheard(who).await);
        told
    }

    /// What waits in a member's mailbox.
    pub(super) async fn unheard(&self, who: &str) -> Vec<String> {
        let name = MemberName::parse(who).unwrap();
        let waiting = self.ports.mailbox.peek(&name).await.unwrap();
        waiting.into_iter().map(|mail| mail.content).collect()
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
        if self.ports.agents.is_some() {
            let options = MemberOptions {
                engine: Some(AgentName::parse("other").unwrap()),
                ..MemberOptions::default()
            };
            let other = AgentDefinition {
                description: String::new(),
                options,
            };
            agents.add("other".to_owned(), other);
        }
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
            first_event: 0,
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
