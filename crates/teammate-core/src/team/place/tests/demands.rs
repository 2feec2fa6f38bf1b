//! What a team demands of its workers, and who may change that; and ends of members whose worker does not answer.

use std::time::Duration;

use super::*;
use crate::{
    request::{Principal, RequestCommand},
    team::RecordWriter,
};

fn walls(word: &str) -> Walls {
    Walls {
        sandbox: SandboxLevel::parse(word).unwrap(),
        policy: None,
    }
}

fn a_worker() -> RecordWriter {
    RecordWriter::Worker(worker("w1"))
}

fn join_within(name: &str, session: u128, has: &Walls) -> Command {
    Command::Place(PlaceCommand::Join {
        worker: worker(name),
        session: Uuid::from_u128(session),
        labels: BTreeSet::new(),
        places: 4,
        walls: has.clone(),
        format: JournalFormat::NOW,
        seen: SeenWorker::Silent,
    })
}

fn demand(demand: WallDemand) -> Command {
    Command::Place(PlaceCommand::Demand(demand))
}

/// The steward `w1` without a sandbox, and `w2` with a full one.
fn two_workers() -> TeamState {
    let mut team = team(&[("alice", &[])]);
    run(&mut team, &join_within("w1", 1, &Walls::default())).unwrap();
    run(&mut team, &join_within("w2", 1, &walls("full"))).unwrap();
    run(&mut team, &claim("w1", 1)).unwrap();
    team
}

#[test]
fn a_worker_below_the_demand_gets_no_members_and_it_says_why() {
    let mut team = two_workers();
    let full = demand(WallDemand::Exactly(walls("full")));
    assert_eq!(run(&mut team, &full).unwrap(), "demanded sandbox full");
    assert_eq!(run(&mut team, &full).unwrap(), "", "it is demanded already");
    assert_eq!(run(&mut team, &place("lead")).unwrap(), "lead on w2 1");
    assert_eq!(run(&mut team, &place("alice")).unwrap(), "alice on w2 1");
    let short = |team: &TeamState, name: &str| {
        let short = team.places().shortfall(&worker(name));
        short.map(|why| why.to_string())
    };
    assert_eq!(
        short(&team, "w1").unwrap(),
        "its sandbox is 'off', and the team demands 'full'"
    );
    assert_eq!(short(&team, "w2"), None);
    let nowhere = run(&mut team, &lost("alice", 1, &["w2"])).unwrap_err();
    assert_eq!(
        nowhere,
        "'alice' cannot be placed: no worker with sandbox full"
    );

    let policy = PolicyDigest::parse("0123456789abcdef").unwrap();
    let both = Walls {
        policy: Some(policy),
        ..walls("full")
    };
    run(&mut team, &demand(WallDemand::Exactly(both))).unwrap();
    assert_eq!(
        short(&team, "w2").unwrap(),
        "its machine has no policy, and the team demands the policy 0123456789abcdef"
    );
}

#[test]
fn a_worker_tightens_and_only_the_user_loosens() {
    let by = |team: &mut TeamState, writer: RecordWriter, demand: WallDemand| {
        let command = super::demands::demand(demand);
        for event in team.decide(&command).unwrap().events {
            team.apply_by(&writer, &event, Timestamp(0));
        }
        team.places().demanded().sandbox
    };
    let mut team = two_workers();
    let (landlock, full) = (walls("landlock"), walls("full"));
    let tightened = by(&mut team, a_worker(), WallDemand::Exactly(landlock.clone()));
    assert_eq!(tightened, SandboxLevel::Landlock);
    by(&mut team, RecordWriter::User, WallDemand::AtLeast(full));
    let kept = by(
        &mut team,
        RecordWriter::User,
        WallDemand::AtLeast(landlock.clone()),
    );
    assert_eq!(kept, SandboxLevel::Full);
    let kept = by(&mut team, a_worker(), WallDemand::Exactly(landlock.clone()));
    assert_eq!(kept, SandboxLevel::Full, "a worker's word loosens nothing");
    let loosened = by(&mut team, RecordWriter::User, WallDemand::Exactly(landlock));
    assert_eq!(loosened, SandboxLevel::Landlock);
}

#[test]
fn who_follows_only_placements_takes_a_workers_demand_in_the_same_way() {
    let event = TeamEvent::Place(PlaceEvent::Demanded {
        walls: walls("none"),
    });
    let mut places = Placements::default();
    places.take(&PlaceChange::of(&RecordWriter::User, &event).unwrap());
    let full = PlaceEvent::Demanded {
        walls: walls("full"),
    };
    places.apply_by(&RecordWriter::User, &full);
    places.take(&PlaceChange::of(&a_worker(), &event).unwrap());
    assert_eq!(places.demanded().sandbox, SandboxLevel::Full);
    places.take(&PlaceChange::of(&RecordWriter::User, &event).unwrap());
    assert_eq!(places.demanded().sandbox, SandboxLevel::None);
}

#[test]
fn a_line_of_an_earlier_worker_counts_as_the_lowest_level() {
    let line = r#"{"change":"joined","worker":"w1","session":"00000000-0000-0000-0000-000000000001","places":4}"#;
    let joined: PlaceEvent = serde_json::from_str(line).unwrap();
    let mut places = Placements::default();
    places.apply(&joined);
    let walls = &places.worker(&worker("w1")).unwrap().walls;
    assert_eq!(walls.sandbox, SandboxLevel::Off);
    assert_eq!(serde_json::to_string(&joined).unwrap(), line);
}

#[test]
fn the_leads_worker_ends_whom_a_silent_worker_should_have_ended() {
    let mut team = two_workers();
    run(&mut team, &place("lead")).unwrap();
    run(&mut team, &place("alice")).unwrap();
    assert_eq!(team.places().held_by(&worker("w1")).count(), 1, "the lead");
    let by_lead = |member: &str| Command::Under {
        right: Right::Holder(Holding {
            member: MemberName::lead(),
            worker: worker("w1"),
            term: Term(1),
        }),
        command: Box::new(Command::Stop {
            member: super::member(member),
            incarnation: Incarnation::FIRST,
        }),
    };
    let refused = run(&mut team, &by_lead("alice")).unwrap_err();
    assert!(
        refused.starts_with("what is asked is another member's"),
        "{refused}"
    );
    let ask = RequestCommand::Shutdown {
        member: member("alice"),
        from: Principal::User,
        call: "stop".into(),
        reason: String::new(),
        within: Duration::from_secs(2),
        at: Timestamp(0),
    };
    run(&mut team, &Command::Request(ask)).unwrap();
    assert!(
        run(&mut team, &by_lead("alice")).is_err(),
        "it may still answer"
    );
    let request = team.requests().pending().next().unwrap().id;
    let at = Timestamp(2_000);
    let expire = RequestCommand::Expire { request, at };
    run(&mut team, &Command::Request(expire)).unwrap();
    let stopped = run(&mut team, &by_lead("alice")).unwrap();
    assert!(stopped.starts_with("Stopped"), "{stopped}");
    assert!(!team.places().is_held(&member("alice")));
}
