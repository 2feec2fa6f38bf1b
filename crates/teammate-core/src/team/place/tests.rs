use super::*;
use crate::{
    Incarnation, Timestamp,
    id::JobId,
    member::MemberOptions,
    mode::Mode,
    status::JobEnd,
    team::{Command, Spawn, TeamEvent, TeamState},
    worker::{CommitId, Label},
};

mod demands;

const NONE: [Label; 0] = [];

fn worker(name: &str) -> WorkerName {
    WorkerName::parse(name).unwrap()
}

fn member(name: &str) -> MemberName {
    MemberName::parse(name).unwrap()
}

fn labels(words: &[&str]) -> BTreeSet<Label> {
    words
        .iter()
        .map(|word| Label::parse(word).unwrap())
        .collect()
}

fn silent(names: &[&str]) -> BTreeSet<WorkerName> {
    names.iter().map(|name| worker(name)).collect()
}

/// A team of the lead and these members, each with what it needs.
fn team(members: &[(&str, &[&str])]) -> TeamState {
    let mut team = TeamState::default();
    let create = Command::Create {
        id: Uuid::from_u128(7),
        name: "default".into(),
    };
    run(&mut team, &create).unwrap();
    for (name, needs) in members {
        let spawn = Command::Spawn(Spawn {
            by: MemberName::lead(),
            call: (*name).into(),
            member: member(name),
            role: "coder".into(),
            prompt: String::new(),
            options: MemberOptions {
                labels: labels(needs),
                ..MemberOptions::default()
            },
            ceiling: Mode::Bypass,
            fresh: false,
        });
        run(&mut team, &spawn).unwrap();
    }
    team
}

/// Decides and applies; gives the words of the journal or of the refusal.
fn run(team: &mut TeamState, command: &Command) -> Result<String, String> {
    let decided = team.decide(command).map_err(|no| no.to_string())?;
    decided
        .events
        .iter()
        .for_each(|event| team.apply(event, Timestamp(0)));
    let words = decided.events.iter().map(|event| match event {
        TeamEvent::Place(PlaceEvent::Joined { worker, .. }) => format!("{worker} joined"),
        TeamEvent::Place(PlaceEvent::Left { worker }) => format!("{worker} left"),
        TeamEvent::Place(PlaceEvent::Stewarded { worker, term }) => {
            format!("{worker} stewards {term}")
        }
        TeamEvent::Place(
            PlaceEvent::Placed {
                member,
                worker,
                term,
            }
            | PlaceEvent::Moved {
                member,
                worker,
                term,
                ..
            },
        ) => format!("{member} on {worker} {term}"),
        TeamEvent::Place(PlaceEvent::Demanded { walls }) => format!("demanded {walls}"),
        TeamEvent::Place(PlaceEvent::Delivered {
            member,
            term,
            commit,
        }) => format!("{member} delivered {} {term}", commit.short()),
        other => format!("{other:?}")
            .chars()
            .take_while(|at| at.is_alphabetic())
            .collect(),
    });
    Ok(words.collect::<Vec<_>>().join(", "))
}

fn join(name: &str, session: u128, has: &[&str], places: u16, seen: SeenWorker) -> Command {
    Command::Place(PlaceCommand::Join {
        worker: worker(name),
        session: Uuid::from_u128(session),
        labels: labels(has),
        places,
        walls: Walls::default(),
        format: JournalFormat::NOW,
        seen,
    })
}

fn claim(name: &str, term: u64) -> Command {
    Command::Place(PlaceCommand::Claim {
        worker: worker(name),
        session: Uuid::from_u128(1),
        term: Term(term),
    })
}

fn steward(name: &str, term: u64) -> StewardTerm {
    StewardTerm {
        worker: worker(name),
        term: Term(term),
    }
}

fn place(name: &str) -> Command {
    Command::Place(PlaceCommand::Place {
        by: steward("w1", 1),
        member: member(name),
        needs: NONE.into(),
        silent: BTreeSet::new(),
    })
}

fn lost(name: &str, term: u64, unheard: &[&str]) -> Command {
    Command::Place(PlaceCommand::Move {
        by: steward("w1", 1),
        member: member(name),
        term: Term(term),
        why: MoveWhy::Lost,
        needs: NONE.into(),
        silent: silent(unheard),
    })
}

/// Three workers, the first of them the steward.
fn with_workers(mut team: TeamState, places: u16) -> TeamState {
    for (name, has) in [
        ("w1", &[][..]),
        ("w2", &[]),
        ("w3", &["gpu", "repo:git@host:app"]),
    ] {
        run(&mut team, &join(name, 1, has, places, SeenWorker::Silent)).unwrap();
    }
    assert_eq!(run(&mut team, &claim("w1", 1)).unwrap(), "w1 stewards 1");
    team
}

#[test]
fn a_member_goes_where_all_it_needs_is_then_where_the_fewest_are() {
    let mut team = with_workers(
        team(&[("alice", &[]), ("bob", &["gpu"]), ("carol", &[])]),
        2,
    );
    assert_eq!(run(&mut team, &place("lead")).unwrap(), "lead on w1 1");
    assert_eq!(run(&mut team, &place("alice")).unwrap(), "alice on w2 1");
    assert_eq!(run(&mut team, &place("bob")).unwrap(), "bob on w3 1");
    assert_eq!(run(&mut team, &place("carol")).unwrap(), "carol on w1 1");
    assert_eq!(
        run(&mut team, &place("carol")).unwrap(),
        "",
        "a second time changes nothing"
    );
}

#[test]
fn who_fits_nowhere_says_what_it_waits_for() {
    let mut team = with_workers(
        team(&[("alice", &["gpu"]), ("bob", &["gpu"]), ("eve", &["tpu"])]),
        1,
    );
    run(&mut team, &place("alice")).unwrap();
    let refused = run(&mut team, &place("eve")).unwrap_err();
    assert_eq!(refused, "'eve' cannot be placed: no worker with tpu");
    let refused = run(&mut team, &place("bob")).unwrap_err();
    assert_eq!(
        refused,
        "'bob' cannot be placed: no free place on any worker"
    );
    let shown = |name: &str| {
        let member = team.member(&member(name)).unwrap();
        team.describe(member, &BTreeSet::new())
    };
    assert_eq!(shown("eve"), "starting (no worker with tpu)");
    assert_eq!(shown("bob"), "starting (no free place on any worker)");
    assert_eq!(shown("alice"), "starting");
}

#[test]
fn a_team_without_workers_shows_and_writes_nothing_of_this() {
    let team = team(&[("alice", &[])]);
    let alice = team.member(&member("alice")).unwrap();
    assert_eq!(team.describe(alice, &BTreeSet::new()), "starting");
    assert!(!team.places().is_used());
    let json = serde_json::to_string(&alice.options).unwrap();
    assert!(!json.contains("labels"), "{json}");
}

#[test]
fn a_move_raises_the_term_and_an_old_term_moves_nothing() {
    let mut team = with_workers(team(&[("alice", &[])]), 4);
    run(&mut team, &place("alice")).unwrap();
    assert_eq!(
        run(&mut team, &lost("alice", 1, &["w1"])).unwrap(),
        "alice on w2 2"
    );
    let again = run(&mut team, &lost("alice", 1, &["w1"])).unwrap_err();
    assert_eq!(
        again,
        "'alice' is not held by that worker under term 1 (term 2 now)"
    );
    let nowhere = run(&mut team, &lost("alice", 2, &["w1", "w3"])).unwrap_err();
    assert_eq!(nowhere, "'alice' cannot be placed: no worker");
}

#[test]
fn a_second_process_of_a_name_joins_only_when_the_first_is_silent() {
    let mut team = with_workers(team(&[("alice", &[])]), 4);
    run(&mut team, &place("alice")).unwrap();
    let refused = run(&mut team, &join("w1", 2, &[], 4, SeenWorker::Beating)).unwrap_err();
    assert!(
        refused.starts_with("a worker 'w1' runs already"),
        "{refused}"
    );
    let same = run(&mut team, &join("w1", 1, &[], 4, SeenWorker::Beating)).unwrap();
    assert_eq!(same, "", "a lost reply is asked for again");
    let anew = run(&mut team, &join("w1", 2, &[], 4, SeenWorker::Silent)).unwrap();
    assert_eq!(
        anew, "w1 joined, alice on w1 2",
        "what the first life held it holds no more"
    );
    let old = run(&mut team, &claim("w1", 2)).unwrap_err();
    assert!(old.contains("has joined anew"), "{old}");
}

#[test]
fn a_stewardship_is_claimed_once_and_an_old_steward_decides_nothing() {
    let mut team = with_workers(team(&[("alice", &[])]), 4);
    assert_eq!(run(&mut team, &claim("w2", 2)).unwrap(), "w2 stewards 2");
    let late = run(&mut team, &claim("w3", 2)).unwrap_err();
    assert!(late.contains("'w2' (term 2) has it"), "{late}");
    let old = run(&mut team, &place("alice")).unwrap_err();
    assert_eq!(
        old,
        "only the steward places members, and that is 'w2' (term 2)"
    );
}

#[test]
fn who_leaves_holds_nobody() {
    let mut team = with_workers(team(&[("alice", &[])]), 4);
    run(&mut team, &place("alice")).unwrap();
    let leave = Command::Place(PlaceCommand::Leave {
        worker: worker("w1"),
        session: Uuid::from_u128(1),
    });
    let refused = run(&mut team, &leave).unwrap_err();
    assert_eq!(refused, "worker 'w1' still holds 1; drain it first");
    run(&mut team, &lost("alice", 1, &[])).unwrap();
    assert_eq!(run(&mut team, &leave).unwrap(), "w1 left");
    assert_eq!(run(&mut team, &leave).unwrap(), "");
}

#[test]
fn a_worker_speaks_for_whom_it_holds_under_the_current_term_only() {
    let mut team = with_workers(team(&[("alice", &[]), ("bob", &[])]), 4);
    run(&mut team, &place("alice")).unwrap();
    let under = |name: &str, term: u64, command: Command| Command::Under {
        right: Right::Holder(Holding {
            member: member(name),
            worker: worker("w1"),
            term: Term(term),
        }),
        command: Box::new(command),
    };
    let turn = |name: &str| Command::StartTurn {
        member: member(name),
        incarnation: Incarnation::FIRST,
    };
    assert_eq!(
        run(&mut team, &under("alice", 1, turn("alice"))).unwrap(),
        "Working"
    );
    let other = run(&mut team, &under("alice", 1, turn("bob"))).unwrap_err();
    assert!(
        other.starts_with("what is asked is another member's"),
        "{other}"
    );
    let end = Command::EndJob {
        job: JobId::parse("b1").unwrap(),
        end: JobEnd::Done,
    };
    assert!(
        run(&mut team, &under("alice", 1, end)).is_err(),
        "there is no such job of alice's"
    );
    run(&mut team, &lost("alice", 1, &[])).unwrap();
    let old = run(&mut team, &under("alice", 1, turn("alice"))).unwrap_err();
    assert!(old.contains("(term 2 now)"), "{old}");
}

#[test]
fn a_stop_frees_the_place_and_the_next_placement_has_a_new_term() {
    let mut team = with_workers(team(&[("alice", &[])]), 4);
    run(&mut team, &place("alice")).unwrap();
    let stop = Command::Stop {
        member: member("alice"),
        incarnation: Incarnation::FIRST,
    };
    run(&mut team, &stop).unwrap();
    assert_eq!(team.places().held_by(&worker("w1")).count(), 0);
    let refused = run(&mut team, &place("alice")).unwrap_err();
    assert!(refused.contains("is stopped"), "{refused}");
    let place = PlaceCommand::Place {
        by: steward("w1", 1),
        member: member("alice"),
        needs: BTreeSet::new(),
        silent: BTreeSet::new(),
    };
    let events = team.places().decide(&place, &BTreeSet::new()).unwrap();
    assert!(
        matches!(&events[..], [PlaceEvent::Placed { term: Term(2), .. }]),
        "{events:?}"
    );
}

#[test]
fn what_a_label_is() {
    for word in ["gpu", "repo:git@host:app", "model:anthropic", "a-b_1"] {
        assert_eq!(Label::parse(word).unwrap().to_string(), word);
    }
    for word in ["", ":", "gpu:", "GPU", "a b", "repo:a b", ":x"] {
        assert!(Label::parse(word).is_err(), "{word}");
    }
}

fn deliver(name: &str, on: &str, term: u64, digit: &str) -> Command {
    Command::Place(PlaceCommand::Deliver {
        by: Holding {
            member: member(name),
            worker: worker(on),
            term: Term(term),
        },
        commit: CommitId::parse(&digit.repeat(40)).unwrap(),
    })
}

#[test]
fn what_a_moved_member_s_old_worker_delivers_late_changes_nothing() {
    let mut team = with_workers(team(&[("alice", &[])]), 4);
    run(&mut team, &place("alice")).unwrap();
    let delivered = |team: &TeamState| {
        let placement = team.places().placement(&member("alice")).unwrap();
        placement.delivered.clone().map(|it| (it.term, it.commit))
    };
    assert_eq!(delivered(&team), None);
    let first = run(&mut team, &deliver("alice", "w1", 1, "a")).unwrap();
    assert_eq!(first, "alice delivered aaaaaaaaa 1");
    assert_eq!(run(&mut team, &deliver("alice", "w1", 1, "a")).unwrap(), "");

    run(&mut team, &lost("alice", 1, &["w1"])).unwrap();
    let before = delivered(&team).unwrap();
    assert_eq!(before.0, Term(1), "a move forgets no delivery");
    let late = run(&mut team, &deliver("alice", "w1", 1, "b")).unwrap_err();
    assert_eq!(
        late,
        "'alice' is not held by that worker under term 1 (term 2 now)"
    );
    assert_eq!(delivered(&team).unwrap(), before);
    let next = run(&mut team, &deliver("alice", "w2", 2, "c")).unwrap();
    assert_eq!(next, "alice delivered ccccccccc 2");
}

#[test]
fn a_delivery_by_right_of_another_member_is_refused() {
    let mut team = with_workers(team(&[("alice", &[]), ("bob", &[])]), 4);
    run(&mut team, &place("alice")).unwrap();
    run(&mut team, &place("bob")).unwrap();
    let right = Right::Holder(Holding {
        member: member("bob"),
        worker: worker("w2"),
        term: Term(1),
    });
    let command = Box::new(deliver("alice", "w1", 1, "a"));
    let refused = run(&mut team, &Command::Under { right, command }).unwrap_err();
    assert!(
        refused.starts_with("what is asked is another member's"),
        "{refused}"
    );
}

/// A worker that reads this much.
fn reads(name: &str, format: u16) -> Command {
    Command::Place(PlaceCommand::Join {
        worker: worker(name),
        session: Uuid::from_u128(2),
        labels: BTreeSet::new(),
        places: 4,
        walls: Walls::default(),
        format: JournalFormat(format),
        seen: SeenWorker::Silent,
    })
}

#[test]
fn nothing_is_recorded_that_the_oldest_worker_cannot_read() {
    let mut team = team(&[]);
    let newer = JournalFormat(JournalFormat::NOW.0 + 1);
    assert_eq!(
        team.places().require_readable(newer),
        Ok(()),
        "no worker reads"
    );
    run(&mut team, &reads("w1", newer.0)).unwrap();
    assert_eq!(team.places().require_readable(newer), Ok(()));
    // w2 says nothing of what it reads, as programs did that knew no formats.
    let line = r#"{"change":"joined","worker":"w2","session":"00000000-0000-0000-0000-000000000001","places":4}"#;
    let old: PlaceEvent = serde_json::from_str(line).unwrap();
    team.apply(&TeamEvent::Place(old), Timestamp(1));
    let refused = team.places().require_readable(newer).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "worker 'w2' runs an older program, which could not read what would be recorded; start it again with this \
         version, under the same name"
    );
    run(&mut team, &reads("w2", newer.0)).unwrap();
    assert_eq!(team.places().require_readable(newer), Ok(()));
}

#[test]
fn what_a_worker_that_reads_nothing_of_ours_would_meet_is_refused() {
    let mut team = team(&[]);
    run(&mut team, &reads("w0", 0)).unwrap();
    let refused = run(&mut team, &Command::ChooseMode(Mode::Ask)).unwrap_err();
    assert!(
        refused
            .clone()
            .starts_with("worker 'w0' runs an older program"),
        "{refused}"
    );
    let claim = Command::Place(PlaceCommand::Claim {
        worker: worker("w0"),
        session: Uuid::from_u128(2),
        term: Term(1),
    });
    let refused = run(&mut team, &claim).unwrap_err();
    assert!(
        refused
            .clone()
            .starts_with("worker 'w0' runs an older program"),
        "{refused}"
    );
}
