use super::*;
use crate::{Timestamp, name::MemberName, team::Command};

fn run(team: &mut TeamState, command: &Command) -> Result<Vec<TeamEvent>, String> {
    let decided = team.decide(command).map_err(|why| why.to_string())?;
    for event in &decided.events {
        team.apply(event, Timestamp(7));
    }
    Ok(decided.events)
}

fn team() -> TeamState {
    let mut team = TeamState::default();
    let (id, name) = (uuid::Uuid::from_u128(1), "default".to_owned());
    run(&mut team, &Command::Create { id, name }).unwrap();
    team
}

fn give(call: &str, order: UserOrder) -> Command {
    let call = call.into();
    Command::Order { order, call }
}

fn interrupt() -> UserOrder {
    UserOrder::Interrupt { member: None }
}

fn end(id: &str, end: OrderEnd) -> Command {
    let id = OrderId::parse(id).unwrap();
    Command::EndOrder { id, end }
}

fn open(team: &TeamState) -> Vec<String> {
    let open = team.orders().open();
    open.map(|given| given.id.to_string()).collect()
}

#[test]
fn an_act_gives_one_order_which_ends_once() {
    let mut team = team();
    assert_eq!(run(&mut team, &give("c1", interrupt())).unwrap().len(), 1);
    assert_eq!(run(&mut team, &give("c1", interrupt())), Ok(Vec::new()));
    run(&mut team, &give("c2", interrupt())).unwrap();
    assert_eq!(open(&team), ["o1", "o2"]);
    assert_eq!(run(&mut team, &end("o1", OrderEnd::Done)).unwrap().len(), 1);
    assert_eq!(
        run(&mut team, &end("o1", OrderEnd::Dropped)),
        Ok(Vec::new())
    );
    assert_eq!(run(&mut team, &end("o9", OrderEnd::Done)), Ok(Vec::new()));
    assert_eq!(open(&team), ["o2"]);
    let given = team.orders().given_by(&"c1".into()).unwrap();
    assert_eq!(given.end, Some(OrderEnd::Done));
}

#[test]
fn mail_is_taken_back_only_when_that_was_carried_out() {
    let mut team = team();
    let mail = |id: &str| MessageId::parse(id).unwrap();
    for (call, id) in [("c1", "m1"), ("c2", "m2"), ("c3", "m3")] {
        let order = UserOrder::Recall {
            mail: mail(id),
            member: MemberName::lead(),
        };
        run(&mut team, &give(call, order)).unwrap();
    }
    assert!(!team.orders().is_recalled(&mail("m1")));
    let why = "lead has heard it".to_owned();
    run(&mut team, &end("o1", OrderEnd::Done)).unwrap();
    run(&mut team, &end("o2", OrderEnd::Refused { why })).unwrap();
    run(&mut team, &end("o3", OrderEnd::Dropped)).unwrap();
    let is_recalled = ["m1", "m2", "m3"].map(|id| team.orders().is_recalled(&mail(id)));
    assert_eq!(is_recalled, [true, false, false]);
}

#[test]
fn orders_are_for_members_that_run_and_not_too_many_at_once() {
    let mut team = team();
    let member = Some(MemberName::parse("nobody").unwrap());
    let refused = run(&mut team, &give("c", UserOrder::Interrupt { member })).unwrap_err();
    assert_eq!(refused, "there is no member 'nobody'");
    for at in 0..ORDERS_OPEN_MAX {
        run(&mut team, &give(&format!("c{at}"), interrupt())).unwrap();
    }
    let refused = run(&mut team, &give("more", interrupt())).unwrap_err();
    assert!(refused.contains("64 orders"), "{refused}");
    run(&mut team, &end("o1", OrderEnd::Done)).unwrap();
    run(&mut team, &give("more", interrupt())).unwrap();
}

#[test]
fn the_oldest_ended_orders_are_forgotten_and_no_open_one() {
    let mut team = team();
    run(&mut team, &give("stays", interrupt())).unwrap();
    for at in 2..ENDED_KEPT + 4 {
        run(&mut team, &give(&format!("c{at}"), interrupt())).unwrap();
        run(&mut team, &end(&format!("o{at}"), OrderEnd::Done)).unwrap();
    }
    assert_eq!(open(&team), ["o1"]);
    assert!(team.orders().given_by(&"c2".into()).is_none());
    assert!(team.orders().given_by(&"c5".into()).is_some());
}
