use super::*;
use crate::{GroupName, Timestamp, mode::Mode, name::DeviceName, team::Durability};

mod lapse;

fn name(text: &str) -> MemberName {
    MemberName::parse(text).unwrap()
}

fn run(team: &mut TeamState, command: &Command) -> Result<usize, String> {
    let decided = team
        .decide(command)
        .map_err(|refusal| refusal.to_string())?;
    for event in &decided.events {
        team.apply(event, Timestamp(1));
    }
    Ok(decided.events.len())
}

fn team() -> TeamState {
    let mut team = TeamState::default();
    let id = Uuid::from_u128(1);
    run(
        &mut team,
        &Command::Create {
            id,
            name: "default".into(),
        },
    )
    .unwrap();
    team
}

fn spawn(member: &str, call: &str) -> Spawn {
    Spawn {
        by: MemberName::lead(),
        call: call.into(),
        member: name(member),
        role: "coder".into(),
        prompt: "work".into(),
        options: MemberOptions::default(),
        ceiling: Mode::AcceptEdits,
        fresh: false,
    }
}

fn rest(member: &str, life: u32, turn: u64) -> Command {
    Command::EndTurn {
        member: name(member),
        incarnation: Incarnation(life),
        why: EndReason::Done,
        turn: Some(turn),
        result: "done".into(),
    }
}

#[test]
fn a_life_from_spawn_to_wake() {
    let mut team = team();
    assert_eq!(run(&mut team, &Command::Spawn(spawn("alice", "c1"))), Ok(1));
    let alice = name("alice");
    assert_eq!(team.member(&alice).unwrap().phase, MemberPhase::Starting);

    // The same call again (after a crash) is the same spawn; another is refused while she works.
    assert_eq!(run(&mut team, &Command::Spawn(spawn("alice", "c1"))), Ok(0));
    let refused = run(&mut team, &Command::Spawn(spawn("alice", "c2"))).unwrap_err();
    assert!(
        refused.starts_with("'alice' is currently working"),
        "{refused}"
    );

    // Idle is edge-triggered: the same turn ends once.
    assert_eq!(run(&mut team, &rest("alice", 1, 3)), Ok(1));
    assert_eq!(run(&mut team, &rest("alice", 1, 3)), Ok(0));

    // A wake is a new incarnation; what belongs to the old one is refused.
    assert_eq!(run(&mut team, &Command::Spawn(spawn("alice", "c3"))), Ok(1));
    assert_eq!(team.member(&alice).unwrap().incarnation, Incarnation(2));
    let work = Command::StartTurn {
        member: alice.clone(),
        incarnation: Incarnation(1),
    };
    assert!(run(&mut team, &work).unwrap_err().contains("incarnation 2"));
    assert_eq!(team.member(&alice).unwrap().phase, MemberPhase::Starting);
}

#[test]
fn only_the_lead_spawns_and_never_above_its_own_mode() {
    let mut team = team();
    run(&mut team, &Command::Spawn(spawn("alice", "c1"))).unwrap();
    let by_alice = Spawn {
        by: name("alice"),
        ..spawn("bob", "c2")
    };
    assert!(
        run(&mut team, &Command::Spawn(by_alice))
            .unwrap_err()
            .contains("only the lead")
    );
    let above = Spawn {
        options: MemberOptions {
            mode: Some(Mode::Bypass),
            ..MemberOptions::default()
        },
        ..spawn("bob", "c3")
    };
    assert!(
        run(&mut team, &Command::Spawn(above))
            .unwrap_err()
            .contains("above your own")
    );
    run(&mut team, &Command::Spawn(spawn("bob", "c4"))).unwrap();
    assert_eq!(team.member(&name("bob")).unwrap().options.mode, None);
}

#[test]
fn what_a_restart_can_tell_by_itself_is_not_synced() {
    let team = team();
    let work = Command::StartTurn {
        member: MemberName::lead(),
        incarnation: Incarnation::FIRST,
    };
    assert_eq!(team.decide(&work).unwrap().durability, Durability::Lazy);
    let decided = team.decide(&Command::Spawn(spawn("alice", "c1"))).unwrap();
    assert_eq!(decided.durability, Durability::Synced);
}

#[test]
fn creating_twice_changes_nothing() {
    let mut team = team();
    let again = Command::Create {
        id: Uuid::from_u128(2),
        name: "other".into(),
    };
    assert_eq!(run(&mut team, &again), Ok(0));
    assert_eq!((team.name(), team.id()), ("default", Uuid::from_u128(1)));
}

#[test]
fn members_come_in_order_and_adoption_happens_once() {
    let mut team = team();
    for member in ["zoe", "alice"] {
        let adopt = Command::Adopt {
            member: name(member),
            role: "r".into(),
            stopped: true,
        };
        assert_eq!(run(&mut team, &adopt.clone()), Ok(1));
        assert_eq!(run(&mut team, &adopt), Ok(0));
    }
    let names: Vec<_> = team.members().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["lead", "zoe", "alice"]);
    assert_eq!(
        team.member(&name("zoe")).unwrap().phase.status().as_str(),
        "shutdown"
    );
}

fn group(team: &mut TeamState, command: GroupCommand) -> Result<usize, String> {
    run(team, &Command::Group(command))
}

#[test]
fn a_team_of_the_leads_from_its_making_to_its_end() {
    let mut team = team();
    let (lead, name_of) = (MemberName::lead(), |text: &str| {
        GroupName::parse(text).unwrap()
    });
    let x = name_of("rest-to-graphql");
    let make = |call: &str| GroupCommand::Make {
        by: lead.clone(),
        call: call.into(),
        team: x.clone(),
    };
    let into = |member: &str, call: &str| {
        let mut spawn = spawn(member, call);
        spawn.options.group = Some(x.clone());
        Command::Spawn(spawn)
    };
    assert_eq!(
        run(&mut team, &into("alice", "c0")).unwrap_err(),
        "there is no team 'rest-to-graphql'; there are no teams; make one first"
    );
    assert_eq!(group(&mut team, make("c1")), Ok(1));
    assert_eq!(group(&mut team, make("c1")), Ok(0), "the same call again");
    assert!(
        group(&mut team, make("c2"))
            .unwrap_err()
            .contains("exists already")
    );
    assert_eq!(run(&mut team, &into("alice", "c3")), Ok(1));
    assert_eq!(run(&mut team, &Command::Spawn(spawn("bob", "c4"))), Ok(1));
    assert_eq!(team.members_of(&x).count(), 1);

    let end = GroupCommand::End {
        by: lead.clone(),
        call: "c-end".into(),
        team: x.clone(),
    };
    let put_away = GroupCommand::Archive {
        team: x.clone(),
        kept_in: "there".into(),
    };
    assert_eq!(group(&mut team, put_away.clone()), Ok(0), "it lives");
    assert_eq!(group(&mut team, end.clone()), Ok(1));
    assert_eq!(group(&mut team, end.clone()), Ok(0));
    assert!(
        run(&mut team, &into("carol", "c5")).is_err(),
        "nobody joins what ends"
    );
    assert_eq!(
        group(&mut team, put_away.clone()),
        Ok(0),
        "alice is not stopped"
    );
    let stop = Command::Stop {
        member: name("alice"),
        incarnation: Incarnation(1),
    };
    run(&mut team, &stop).unwrap();
    assert_eq!(group(&mut team, put_away), Ok(1));
    assert!(team.member(&name("alice")).is_none());
    assert!(team.member(&name("bob")).is_some());

    // The name comes again, in a later incarnation.
    assert_eq!(run(&mut team, &Command::Spawn(spawn("alice", "c6"))), Ok(1));
    assert_eq!(
        team.member(&name("alice")).unwrap().incarnation,
        Incarnation(2)
    );
    assert_eq!(group(&mut team, make("c7")), Ok(1));
    assert_eq!(team.groups().get(&x).unwrap().number, 2);

    // The old end, asked again, knows what it did and ends nothing new.
    assert_eq!(group(&mut team, end), Ok(0));
    let past = team.groups().ended_by(&"c-end".into(), &x).unwrap();
    assert_eq!(
        (&past.members[..], &*past.kept_in),
        (&[name("alice")][..], "there")
    );
    assert!(!team.groups().get(&x).unwrap().is_ending);
}

#[test]
fn a_member_with_a_worktree_keeps_it() {
    let mut team = team();
    let alice = name("alice");
    let isolated = |call: &str, worktree| {
        let terms = MemberOptions {
            worktree,
            ..MemberOptions::default()
        };
        Command::Spawn(Spawn {
            options: terms,
            ..spawn("alice", call)
        })
    };
    run(&mut team, &isolated("c1", true)).unwrap();
    run(&mut team, &rest("alice", 1, 1)).unwrap();
    run(&mut team, &isolated("c2", false)).unwrap();
    assert!(team.member(&alice).unwrap().options.worktree);
}

fn todos(member: &str, life: u32, items: &[(&str, TodoStatus)]) -> Command {
    let items = items.iter().map(|(content, status)| Todo {
        content: (*content).into(),
        status: *status,
        active_form: None,
    });
    Command::SetTodos {
        member: name(member),
        incarnation: Incarnation(life),
        items: TodoList::new(items.collect()).unwrap(),
    }
}

#[test]
fn a_todo_list_outlives_a_wake_but_not_a_fresh_start() {
    let mut team = team();
    run(&mut team, &Command::Spawn(spawn("alice", "c1"))).unwrap();
    let list = todos("alice", 1, &[("test it", TodoStatus::InProgress)]);
    assert_eq!(team.decide(&list).unwrap().durability, Durability::Lazy);
    assert_eq!(run(&mut team, &list), Ok(1));
    assert_eq!(run(&mut team, &list), Ok(0), "nothing new");
    let alice = name("alice");
    let doing = |team: &TeamState| team.member(&alice).unwrap().describe();
    assert_eq!(doing(&team), "starting: test it");

    // Between turns a member does nothing; a wake keeps the list, and changes from the old incarnation are ignored.
    run(&mut team, &rest("alice", 1, 3)).unwrap();
    assert_eq!(doing(&team), "idle");
    run(&mut team, &Command::Spawn(spawn("alice", "c2"))).unwrap();
    assert_eq!(doing(&team), "starting: test it");
    assert!(run(&mut team, &todos("alice", 1, &[])).is_err());

    run(&mut team, &rest("alice", 2, 5)).unwrap();
    let fresh = Spawn {
        fresh: true,
        ..spawn("alice", "c3")
    };
    run(&mut team, &Command::Spawn(fresh)).unwrap();
    assert_eq!(doing(&team), "starting");
}

#[test]
fn a_turn_of_an_earlier_life_counts_once_and_changes_nothing_else() {
    let mut team = team();
    run(&mut team, &Command::Spawn(spawn("alice", "c1"))).unwrap();
    assert_eq!(run(&mut team, &rest("alice", 1, 3)), Ok(1));
    run(&mut team, &Command::Spawn(spawn("alice", "c2"))).unwrap();
    let before = team.member(&name("alice")).cloned();
    assert_eq!(run(&mut team, &rest("alice", 1, 3)), Ok(0), "it counts");
    assert_eq!(run(&mut team, &rest("alice", 1, 5)), Ok(1));
    assert_eq!(run(&mut team, &rest("alice", 1, 5)), Ok(0));
    assert_eq!(team.spending().member(&name("alice")).turns, 2);
    assert_eq!(team.member(&name("alice")).cloned(), before);
}

#[test]
fn a_pause_holds_until_the_team_goes_on_and_says_who_ordered_it() {
    let mut team = team();
    let phone = DeviceName::parse("phone").ok();
    assert_eq!(run(&mut team, &Command::Continue(None)), Ok(0));
    assert_eq!(run(&mut team, &Command::Pause(phone.clone())), Ok(1));
    let pause = team.pause().unwrap();
    assert_eq!((pause.since, &pause.device), (Timestamp(1), &phone));
    assert_eq!(pause.in_words(), "paused by the user (phone)");
    // The first one holds.
    assert_eq!(run(&mut team, &Command::Pause(None)), Ok(0));
    assert_eq!(team.pause().unwrap().device, phone);
    assert_eq!(run(&mut team, &Command::Continue(None)), Ok(1));
    assert_eq!(team.pause(), None);
    run(&mut team, &Command::Pause(None)).unwrap();
    assert_eq!(team.pause().unwrap().in_words(), "paused by the user");
}
