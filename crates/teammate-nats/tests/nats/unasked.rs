//! A worker that has become the steward writes records for a member that another worker holds: they count as far as that worker
//! asked for it, and everybody who reads the journal reads alike.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    Incarnation, MemberName, Sender, Timestamp,
    board::{Actor, NewTask, TaskAction, TaskCommand, TaskEvent},
    fold::{DecisionOrigin, Fold},
    permission::Mode,
    port::{
        AskedCommands, AskedQuestion, Clock, Durability, Fleet as _, FleetAnswer, FleetAsked,
        FleetQuestion, Journal, QuestionProof, Record, Seal,
    },
    request::{Digest, PermissionRequest, Principal, RequestEvent, RequestPayload},
    team::{
        Command, CommandId, DecidedCommand, MemberOptions, PlaceEvent, Spawn, TeamEvent, TeamState,
        Term,
    },
    transcript::EndReason,
};
use teammate_nats::{NatsStore, fleet::WorkerProcess};
use teammate_testkit::stories::{mail, name};
use uuid::Uuid;

use crate::circle::{Walled, place, worker};

const LIFE: Incarnation = Incarnation::FIRST;

struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        Timestamp(12)
    }
}

/// Team `one`, as the user and both workers have it. `w1` is the steward and holds the lead and alice; `w2` holds bob, who has
/// claimed the task.
struct Stage {
    walled: Walled,
    ann: NatsStore,
    w1: NatsStore,
    w2: NatsStore,
}

fn act(by: Actor, action: TaskAction) -> Command {
    Command::Task(TaskCommand::Act {
        by,
        action,
        verified: None,
    })
}

fn spawn(member: &str) -> Command {
    Command::Spawn(Spawn {
        by: MemberName::lead(),
        call: member.into(),
        member: name(member),
        role: "any".into(),
        prompt: "work".into(),
        options: MemberOptions::default(),
        ceiling: Mode::Bypass,
        fresh: false,
    })
}

async fn append(to: &Arc<dyn Journal>, at: u64, events: Vec<TeamEvent>) {
    let appended = to.append(at, Timestamp(at), events, Durability::Synced);
    appended.await.unwrap();
}

impl Stage {
    async fn set() -> Option<Self> {
        let walled = Walled::start().await?;
        let stage = Self {
            ann: walled.store("ann", "one").await,
            w1: walled.store("w1", "one").await,
            w2: walled.store("w2", "one").await,
            walled,
        };
        let new = NewTask {
            call: "task".into(),
            subject: "build".into(),
            ..NewTask::default()
        };
        let begin = Command::Create {
            id: Uuid::from_u128(7),
            name: "default".into(),
        };
        let create = act(Actor::User, TaskAction::Create(Box::new(new)));
        let claim = Command::Task(TaskCommand::ClaimNext(name("bob"), LIFE));
        let commands = [begin, spawn("alice"), spawn("bob"), create, claim];
        let mut fold = Fold::default();
        let done = fold.commit(&*stage.ann.journal, &Noon, &commands).await;
        assert!(done.results.unwrap().iter().all(Result::is_ok));
        let mut places = vec![PlaceEvent::Stewarded {
            worker: worker("w1"),
            term: Term(1),
        }];
        for (member, holder) in [("lead", "w1"), ("alice", "w1"), ("bob", "w2")] {
            places.push(PlaceEvent::Placed {
                member: MemberName::parse(member).unwrap(),
                worker: worker(holder),
                term: Term(1),
            });
        }
        let places = places.into_iter().map(TeamEvent::Place).collect();
        append(&stage.w1.journal, 1, places).await;
        Some(stage)
    }

    /// The team as everybody reads it, from the beginning, and the damage that they find.
    async fn team(&self) -> (TeamState, Vec<String>) {
        let mut seen = Vec::new();
        for reader in [&self.ann, &self.w1, &self.w2] {
            let (fold, findings) = Fold::open(&*reader.journal).await.unwrap();
            assert_eq!(findings.new_damage(), None, "no lie hides a record");
            let damaged = findings.damaged.iter().map(ToString::to_string);
            seen.push(((**fold.team()).clone(), damaged.collect()));
        }
        assert!(seen.iter().all(|other| *other == seen[0]), "all read alike");
        seen.remove(0)
    }

    async fn length(&self) -> u64 {
        let read = self.ann.journal.read(0).await.unwrap();
        read.records.len() as u64
    }

    /// `w2` asks `w1` for this, and `w1` has the question as it came.
    async fn ask(&self, number: u64, command: Command) -> AskedQuestion {
        let process = WorkerProcess::default;
        let [asker, steward] = [(&self.w2, "w2"), (&self.w1, "w1")]
            .map(|(store, own)| store.fleet.clone().worker_wire(worker(own), process()));
        let mut asked = steward.asked().await.unwrap();
        let question = FleetQuestion::Decide(commands(number, command));
        let to = worker("w1");
        let asking = asker.ask(&to, &question, Duration::from_secs(30));
        let hearing = async {
            let FleetAsked {
                by,
                question,
                proof,
                answer,
            } = asked.next().await.unwrap();
            answer(FleetAnswer::Unknown);
            let FleetQuestion::Decide(asked) = question else {
                panic!("it asked for a decision")
            };
            AskedQuestion { by, asked, proof }
        };
        tokio::join!(asking, hearing).1
    }

    /// The same question with a seal of this worker, for this team.
    fn sealed(&self, by: &str, team: &str, number: u64, command: Command) -> AskedQuestion {
        let asked = commands(number, command);
        let text = serde_json::to_string(&FleetQuestion::Decide(asked.clone())).unwrap();
        let place = place(team);
        let subject = place.question(&worker("w1"), &worker("w2"));
        let creds = self.walled.creds(by);
        let seal = creds.seal(place.team, Arc::default()).unwrap();
        let seal = seal.sign(&subject, text.as_bytes());
        AskedQuestion {
            by: worker("w2"),
            asked,
            proof: Some(QuestionProof { text, seal }),
        }
    }

    /// `w1` appends a record as it likes, which it says follows from this question.
    async fn forge(&self, events: Vec<TeamEvent>, question: Option<AskedQuestion>) -> u64 {
        let number = self.length().await;
        let count = u32::try_from(events.len()).unwrap();
        let mut record = Record::of(number, Timestamp(number), events);
        if let Some(question) = question {
            let (id, first) = (question.asked.first, 0);
            record.commands.push(DecidedCommand { id, first, count });
            record.questions.push(Arc::new(question));
        }
        let appended = self.w1.journal.append_record(record, Durability::Synced);
        appended.await.unwrap();
        number
    }
}

fn commands(number: u64, command: Command) -> AskedCommands {
    AskedCommands {
        steward: Term(1),
        journal: 0,
        first: CommandId {
            writer: Uuid::from_u128(2),
            number,
        },
        commands: vec![command],
    }
}

fn complete(by: &str) -> Command {
    let by = Actor::Member(name(by), LIFE);
    act(
        by,
        TaskAction::Complete("1".parse().unwrap(), "done".into()),
    )
}

fn completed() -> TeamEvent {
    TeamEvent::Task {
        task: "1".parse().unwrap(),
        change: TaskEvent::Completed {
            by: Sender::Member(name("bob")),
            result: "done".into(),
            evidence: None,
        },
    }
}

fn working() -> TeamEvent {
    TeamEvent::Working {
        member: name("bob"),
        incarnation: LIFE,
    }
}

fn start(member: &str) -> Command {
    Command::StartTurn {
        member: name(member),
        incarnation: LIFE,
    }
}

fn ended() -> TeamEvent {
    TeamEvent::TurnEnded {
        member: name("bob"),
        incarnation: LIFE,
        why: EndReason::Done,
        turn: None,
        result: "all well".into(),
    }
}

fn request(change: RequestEvent) -> TeamEvent {
    TeamEvent::Request {
        request: "1".parse().unwrap(),
        change,
    }
}

fn opened() -> TeamEvent {
    request(RequestEvent::Opened {
        kind: RequestPayload::Permission(PermissionRequest {
            tool: "bash".into(),
            shows: "rm".into(),
            digest: Digest::of_bytes([7; 32]),
            rules: Box::default(),
            lead_may: true,
            because: String::new(),
            touches: None,
        }),
        from: Principal::member(&name("bob"), LIFE),
        call: "x".into(),
        deadline: None,
        opened: None,
    })
}

fn approved(by: Principal) -> TeamEvent {
    request(RequestEvent::Approved {
        by,
        note: String::new(),
        mode: None,
        always: None,
        awaits_hearing: false,
        covered_by: None,
        device: None,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lying_steward_decides_nothing_for_another_worker_s_member() {
    let Some(stage) = Stage::set().await else {
        return;
    };
    // One request of bob's is open, as his worker asked.
    let open = stage.forge(vec![opened()], None).await;
    append(&stage.w2.journal, open + 1, vec![opened()]).await;
    let (before, damaged) = stage.team().await;
    assert_eq!(damaged.len(), 1, "{damaged:?}");
    assert!(before.requests().made_by(&"x".into()).is_some());

    let alice = || Principal::member(&name("alice"), LIFE);
    let lies = [
        ("complete", vec![completed()], None),
        ("end a turn", vec![ended()], None),
        ("use a grant", vec![request(RequestEvent::Used)], None),
        ("approve as the user", vec![approved(Principal::User)], None),
        ("approve as alice", vec![approved(alice())], None),
        ("approve as a rule", vec![approved(Principal::System)], None),
        (
            "beside who holds whom",
            vec![
                TeamEvent::Place(PlaceEvent::Placed {
                    member: name("bob"),
                    worker: worker("w1"),
                    term: Term(2),
                }),
                ended(),
            ],
            None,
        ),
        (
            "its own seal",
            vec![completed()],
            Some(stage.sealed("w1", "one", 0, complete("bob"))),
        ),
        (
            "another team's",
            vec![completed()],
            Some(stage.sealed("w2", "two", 0, complete("bob"))),
        ),
        (
            "another worker's seal",
            vec![completed()],
            Some(stage.sealed("w3", "one", 0, complete("bob"))),
        ),
        (
            "no seal",
            vec![completed()],
            Some(AskedQuestion {
                by: worker("w2"),
                asked: commands(0, complete("bob")),
                proof: None,
            }),
        ),
        (
            "another command",
            vec![completed()],
            Some(stage.ask(0, start("bob")).await),
        ),
        (
            "another member's",
            vec![working()],
            Some(stage.ask(0, start("alice")).await),
        ),
    ];
    let count = lies.len();
    for (at, (what, events, question)) in lies.into_iter().enumerate() {
        let number = stage.forge(events, question).await;
        let (team, damaged) = stage.team().await;
        assert_eq!(team, before, "{what}");
        assert_eq!(damaged.len(), at + 2, "{what}: {damaged:?}");
        let told = format!("record {number} of journal, which worker 'w1' wrote, does not count");
        assert!(damaged[at + 1].starts_with(&told), "{damaged:?}");
    }
    println!("{count} lies, 0 succeeded");
    // Nor does it hold bob by any of them: what it mails in his name is not believed.
    stage.w1.mailbox.send(from_bob()).await.unwrap();
    let batches = stage.ann.mailbox.take(&name("alice")).await.unwrap();
    assert_eq!(batches[0].unsealed.len(), 1);
}

fn from_bob() -> teammate_core::Message {
    let mut message = mail("m1", "alice", "go");
    message.from = Sender::Member(name("bob"));
    message
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_counts_once_and_the_team_goes_on_after_a_lie() {
    let Some(stage) = Stage::set().await else {
        return;
    };
    let (mut steward, _) = Fold::open(&*stage.w1.journal).await.unwrap();
    stage.forge(vec![completed()], None).await;
    let question = Arc::new(stage.ask(4, complete("bob")).await);
    let id = question.asked.first;
    let command = complete("bob");
    let origin = DecisionOrigin::Asked(id, question.clone());
    let done = steward
        .commit_from(&*stage.w1.journal, &Noon, &[(origin, &command)])
        .await;
    let events = done.results.unwrap().remove(0).unwrap();
    assert_eq!(events, [completed()]);
    assert_eq!(done.others.damaged.len(), 1, "it met the lie on its way");
    let (team, _) = stage.team().await;
    assert_eq!(team, **steward.team());
    assert_eq!(team.board().progress().completed, 1);

    // The same question again, and one from before it.
    let earlier = stage.ask(3, start("bob")).await;
    for (events, question) in [(completed(), (*question).clone()), (working(), earlier)] {
        stage.forge(vec![events], Some(question)).await;
        assert_eq!(stage.team().await.0, team);
    }
    let (mut own, _) = Fold::open(&*stage.w2.journal).await.unwrap();
    let commands = [start("bob")];
    let done = own.commit(&*stage.w2.journal, &Noon, &commands).await;
    assert_eq!(done.results.unwrap().remove(0).unwrap(), [working()]);
    assert_ne!(stage.team().await.0, team, "the team goes on");
}
