//! Workers on a real server have their steward decide, and do without it when it is gone.

use std::{collections::BTreeSet, sync::Arc};

use teammate::nats::{
    connect::{NatsLogin, ServerUrl, connect},
    layout::{Replicas, TeamId},
};
use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{AskedQuestion, FleetAsked, FleetQuestion, Ids as _},
    team::{Command, CommandId, JournalFormat, PlaceCommand, SeenWorker, TeamEvent, Term, Walls},
};
use teammate_nats::{
    NatsStore,
    fleet::WorkerProcess,
    layout::{NatsPlace, Partition},
};
use teammate_runtime::{Ledger, WorkerRole};
use teammate_store::{
    clock::{SystemClock, UuidV7Ids},
    seal::HmacSeal,
};
use teammate_testkit::nats::{NatsServer, Sync, program};
use tokio::task::JoinHandle;

/// A worker with a ledger and nothing else.
pub(crate) struct Clerk {
    pub(crate) ledger: Ledger,
    role: WorkerRole,
    pub(crate) answers: JoinHandle<()>,
}

async fn store(server: &NatsServer) -> NatsStore {
    let place = NatsPlace {
        partition: Partition::FIRST,
        team: TeamId::parse("lamps").unwrap(),
    };
    let url = ServerUrl::parse(&server.url()).unwrap();
    let client = connect(&[url], NatsLogin::Nobody, "test").await.unwrap();
    NatsStore::make(&client, &place, Replicas::One)
        .await
        .unwrap();
    NatsStore::at(client, place, Arc::new(HmacSeal::new(&[7; 32])))
}

impl Clerk {
    async fn join(server: &NatsServer, name: &str) -> Self {
        Self::join_by(store(server).await, name).await
    }

    pub(crate) async fn join_by(store: NatsStore, name: &str) -> Self {
        let name = WorkerName::parse(name).unwrap();
        let wire = store
            .fleet
            .worker_wire(name.clone(), WorkerProcess::default());
        let role = WorkerRole {
            wire: Arc::new(wire),
            name,
            session: UuidV7Ids.new_id(),
            labels: [].into(),
            places: 4,
            governors: None,
            walls: Walls::default(),
        };
        let opened =
            Ledger::open_as(store.journal, Arc::new(SystemClock), &role, Arc::default()).await;
        let (ledger, mut news, _) = opened.unwrap();
        tokio::spawn(async move { while news.recv().await.is_some() {} });
        let create = Command::Create {
            id: UuidV7Ids.new_id(),
            name: "lamps".into(),
        };
        ledger.decide(create).await.unwrap();
        let join = PlaceCommand::Join {
            worker: role.name.clone(),
            session: role.session,
            labels: [].into(),
            places: 4,
            walls: Walls::default(),
            format: JournalFormat::NOW,
            seen: SeenWorker::Silent,
        };
        ledger.decide(Command::Place(join)).await.unwrap();
        let (mut feed, decides) = (role.wire.asked().await.unwrap(), ledger.clone());
        let own = role.name.clone();
        let answers = tokio::spawn(async move {
            while let Some(FleetAsked {
                by,
                question,
                proof,
                answer,
            }) = feed.next().await
            {
                if let FleetQuestion::Decide(asked) = question {
                    let question = AskedQuestion { by, asked, proof };
                    answer(decides.decide_for(&own, question).await);
                }
            }
        });
        Self {
            ledger,
            role,
            answers,
        }
    }

    pub(crate) async fn become_steward(&self, term: u64) {
        let claim = PlaceCommand::Claim {
            worker: self.role.name.clone(),
            session: self.role.session,
            term: Term(term),
        };
        self.ledger.decide(Command::Place(claim)).await.unwrap();
    }

    /// Has so many members adopted at once, and hears of each what followed.
    async fn adopt(&self, names: impl Iterator<Item = String>) {
        let mut all = tokio::task::JoinSet::new();
        for name in names {
            let (ledger, member) = (self.ledger.clone(), MemberName::teammate(&name).unwrap());
            all.spawn(async move {
                let adopt = Command::Adopt {
                    member: member.clone(),
                    role: "any".into(),
                    stopped: false,
                };
                let events = ledger.decide(adopt).await.unwrap();
                assert!(
                    matches!(&events[..], [TeamEvent::Adopted { member: of, .. }] if *of == member),
                    "{events:?}"
                );
                assert!(ledger.team().member(&member).is_some());
            });
        }
        all.join_all().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_have_their_steward_decide_and_do_without_one() {
    let Some(program) = program() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let server = NatsServer::start(&program, dir.path(), Sync::Always).unwrap();
    let w1 = Clerk::join(&server, "w1").await;
    w1.become_steward(1).await;
    let (w2, w3) = (
        Clerk::join(&server, "w2").await,
        Clerk::join(&server, "w3").await,
    );
    let names = |of: &'static str| (0..30).map(move |number| format!("{of}{number}"));
    tokio::join!(
        w1.adopt(names("a")),
        w2.adopt(names("b")),
        w3.adopt(names("c"))
    );
    // Gone in the middle of its work: some of what is asked now is answered by nobody.
    w1.answers.abort();
    tokio::join!(w2.adopt(names("d")), w3.adopt(names("e")));
    w2.become_steward(2).await;
    tokio::join!(w2.adopt(names("f")), w3.adopt(names("g")));

    let records = store(&server).await.journal.read(0).await.unwrap().records;
    let adopted = records.iter().flat_map(|record| &record.events);
    let adopted: Vec<&MemberName> = adopted
        .filter_map(|event| match event {
            TeamEvent::Adopted { member, .. } => Some(member),
            _ => None,
        })
        .collect();
    assert_eq!(adopted.len(), 7 * 30);
    assert_eq!(adopted.iter().collect::<BTreeSet<_>>().len(), 7 * 30);
    let listed = records.iter().flat_map(|record| &record.commands);
    let listed: Vec<CommandId> = listed.map(|decided| decided.id).collect();
    assert!(listed.len() >= 60, "{} were asked for", listed.len());
    let each: BTreeSet<_> = listed.iter().collect();
    assert_eq!(each.len(), listed.len(), "each was decided once");
    let asked_by = |clerk: &Clerk| listed.iter().any(|id| id.writer == clerk.role.session);
    assert!(asked_by(&w2) && asked_by(&w3) && !asked_by(&w1));
}
