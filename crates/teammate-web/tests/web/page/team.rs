//! A team that is made of facts, and a page that serves it.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use teammate_core::{
    Timestamp,
    event::Event,
    port::{BoxFuture, Record},
};
use teammate_view::{Door, Fact, TeamView, Verb, VerbAnswer, VerbResult};
use teammate_web::{
    KeyFile, KeyScope, OpenTeam, TeamFacts, TeamLine, TeamRunning, Teams, WebServer,
};
use tempfile::TempDir;
use tokio::{
    net::TcpListener,
    sync::{
        mpsc::{self, Receiver, Sender},
        oneshot, watch,
    },
    task::JoinHandle,
};

use crate::{few_words::FewWords, page::browser::Browser};

pub(crate) const NOW: Timestamp = Timestamp(1_795_500_000_000);

/// The id of the team.
pub(crate) const TEAM: &str = "01a20e2c-8fe1-74bb-922a-4ec3958d012e";

/// Facts in their order.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) all: Vec<Fact>,
    records: u64,
}

impl Facts {
    /// A team with a lead, which is open.
    pub(crate) fn of_a_team() -> Self {
        let mut facts = Self::default();
        facts.record(&[
            json!({ "event": "created", "id": TEAM, "name": "shop" }),
            json!({ "event": "spawned", "member": "lead", "role": "lead", "prompt": "", "incarnation": 1, "by": "lead",
                "call": "create" }),
        ]);
        facts.event(
            "lead",
            json!({ "event": "team_opened", "team": "shop", "members": ["lead"], "resumed": false, "pid": 1 }),
        );
        facts
    }

    /// A record of the journal.
    pub(crate) fn record(&mut self, events: &[Value]) {
        let events = serde_json::from_value(events.into()).unwrap();
        let record = Record::of(self.records, NOW, events);
        self.records += 1;
        self.all.push(Fact::Record(Arc::new(record)));
    }

    pub(crate) fn event(&mut self, member: &str, what: Value) {
        self.all.push(event(member, what));
    }

    /// A teammate that works.
    pub(crate) fn teammate(&mut self, name: &str) {
        self.record(&[
            json!({ "event": "spawned", "member": name, "role": "coder", "prompt": "Begin", "incarnation": 1,
                "by": "lead", "call": format!("spawn-{name}") }),
            json!({ "event": "working", "member": name, "incarnation": 1 }),
        ]);
    }

    /// An answer of a model.
    pub(crate) fn said(&mut self, member: &str, text: &str) {
        self.event(member, answered(text));
    }
}

pub(crate) fn event(member: &str, mut what: Value) -> Fact {
    what["at"] = json!(NOW.0);
    what["member"] = json!(member);
    let event: Event = serde_json::from_value(what).unwrap();
    Fact::Event(Arc::new(event))
}

pub(crate) fn answered(text: &str) -> Value {
    json!({ "event": "answered", "text": text, "stop": "end_turn",
        "usage": { "input": 1, "output": 1, "cache_read": 0, "cache_write": 0 } })
}

/// The way to the team: it does nothing, and knows the past.
pub(crate) struct TeamDoor(Vec<Fact>);

impl Door for TeamDoor {
    fn ask(&self, _: Verb) -> BoxFuture<'_, VerbResult> {
        Box::pin(async { Ok(VerbAnswer::Lines(Vec::new())) })
    }

    fn history(&self) -> BoxFuture<'_, Result<Vec<Fact>, String>> {
        Box::pin(async { Ok(self.0.clone()) })
    }
}

/// The only team.
struct OneTeam {
    door: Arc<TeamDoor>,
    next: Mutex<Option<Receiver<Fact>>>,
    changes: watch::Receiver<u64>,
}

impl Teams for OneTeam {
    fn list(&self) -> BoxFuture<'_, Vec<TeamLine>> {
        let line = TeamLine {
            id: Some(TEAM.to_owned()),
            name: "shop".to_owned(),
            workspace: "/home/ann/shop".to_owned(),
            state: TeamRunning::Running,
            needs: 0,
            why: String::new(),
        };
        Box::pin(async { vec![line] })
    }

    fn open<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<OpenTeam, String>> {
        Box::pin(async move {
            let next = self.next.lock().unwrap().take();
            let next = next.filter(|_| id == TEAM).ok_or("there is no such team")?;
            Ok(OpenTeam {
                door: self.door.clone(),
                words: Arc::new(FewWords),
                facts: TeamFacts::default(),
                first: TeamView::of(&self.door.0),
                next,
                pump: tokio::spawn(std::future::pending::<()>()).abort_handle(),
            })
        })
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.clone()
    }

    fn now(&self) -> Timestamp {
        NOW
    }
}

/// A page of the team, until it is ended.
pub(crate) struct Page {
    pub(crate) port: u16,
    pub(crate) keys: KeyFile,
    pub(crate) door: Arc<TeamDoor>,
    facts: Sender<Fact>,
    list: watch::Sender<u64>,
    end: oneshot::Sender<()>,
    server: JoinHandle<()>,
    _dir: TempDir,
}

impl Page {
    pub(crate) async fn of(facts: Facts) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let keys = KeyFile::begin(&dir.path().join("7.json"), "x").unwrap();
        let (sender, next) = mpsc::channel(1 << 16);
        let (list, changes) = watch::channel(0);
        let door = Arc::new(TeamDoor(facts.all));
        let teams = OneTeam {
            door: door.clone(),
            next: Mutex::new(Some(next)),
            changes,
        };
        let server = WebServer::new(listener, Arc::new(teams), keys.clone(), None).unwrap();
        let (end, ended) = oneshot::channel::<()>();
        let server = tokio::spawn(server.serve(async {
            let _ = ended.await;
        }));
        Self {
            port,
            keys,
            door,
            facts: sender,
            list,
            end,
            server,
            _dir: dir,
        }
    }

    /// Somebody with a key of their own.
    pub(crate) fn browser(&self) -> Browser {
        let key = self.keys.make((KeyScope::Steer, None), NOW, None).unwrap();
        Browser::new(self.port, key.reveal())
    }

    /// Something happens.
    pub(crate) fn happens(&self, fact: Fact) {
        self.facts.try_send(fact).unwrap();
    }

    /// The list of teams has changed.
    pub(crate) fn lists_anew(&self) {
        self.list.send_modify(|count| *count += 1);
    }

    /// Ends the page; what is left of it is returned.
    pub(crate) async fn end(self) -> Arc<TeamDoor> {
        self.end.send(()).unwrap();
        self.server.await.unwrap();
        self.door
    }
}
