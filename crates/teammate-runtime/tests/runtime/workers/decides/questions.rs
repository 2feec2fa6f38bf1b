//! What a steward answers that is asked by whom it should not be, under an old term, or for more than it can read.

use teammate_core::{
    name::WorkerName,
    port::{AskedCommands, AskedQuestion, FleetQuestion},
    team::{Holding, PlaceCommand, PlaceRefusal, Right, StewardTerm, Term},
};

use super::*;

/// One command, as a question of `by`.
fn question(by: &Clerk, term: u64, number: u64, command: Command) -> AskedCommands {
    AskedCommands {
        steward: Term(term),
        journal: 0,
        first: CommandId {
            writer: by.session,
            number,
        },
        commands: vec![command],
    }
}

fn of_clerk(by: &Clerk, asked: AskedCommands) -> AskedQuestion {
    AskedQuestion {
        by: by.name.clone(),
        asked,
        proof: None,
    }
}

async fn verdict(of: &Clerk, by: &Clerk, asked: AskedCommands) -> CommandVerdict {
    let asked = of.ledger.decide_for(&of.name, of_clerk(by, asked));
    let FleetAnswer::Decided(decided) = asked.await else {
        panic!("no verdict");
    };
    decided.verdicts.into_iter().next().unwrap()
}

fn is_old_term(verdict: &CommandVerdict) -> bool {
    matches!(
        verdict,
        CommandVerdict::Refused(TeamRefusal::Place(PlaceRefusal::OldTerm { .. }))
    )
}

#[tokio::test(start_paused = true)]
async fn what_is_asked_by_anothers_right_or_an_old_one_is_refused() {
    let (desk, [w1, w2, w3]) = office().await;
    w1.ledger.decide(adopt("alice")).await.unwrap();
    // Wherever she is placed.
    let by = StewardTerm {
        worker: w1.name.clone(),
        term: Term(1),
    };
    let place = PlaceCommand::Place {
        by,
        member: member("alice"),
        needs: [].into(),
        silent: [].into(),
    };
    w1.ledger.decide(Command::Place(place)).await.unwrap();
    let team = w1.ledger.team();
    let held = team.places().placement(&member("alice")).unwrap().clone();
    let holder = held.worker.unwrap();
    let (own, other) = match holder == w2.name {
        true => (&w2, &w3),
        false => (&w3, &w2),
    };
    let own = if holder == w1.name { &w1 } else { own };
    let under = |worker: &WorkerName, term: Term| Command::Under {
        right: Right::Holder(Holding {
            member: member("alice"),
            worker: worker.clone(),
            term,
        }),
        command: Box::new(stop("alice")),
    };
    let asks = [
        (other, under(&holder, held.term)),
        (other, under(&other.name, held.term)),
        (other, stop("alice")),
        (own, under(&holder, held.term.next())),
    ];
    for (number, (by, command)) in (0..).zip(asks) {
        let verdict = verdict(&w1, by, question(by, 1, number, command)).await;
        assert!(is_old_term(&verdict), "{number}: {verdict:?}");
    }
    // Nobody uses up the names of another's commands.
    let mut foreign = question(own, 1, 9, adopt("eve"));
    foreign.first.writer = other.session;
    assert_eq!(verdict(&w1, own, foreign).await, CommandVerdict::Unknown);
    assert_eq!(desk.count(is_stopped("alice")).await, 0);
    assert_eq!(desk.count(is_adopted("eve")).await, 0);
    let rightly = question(own, 1, 10, under(&holder, held.term));
    assert_eq!(verdict(&w1, own, rightly).await, CommandVerdict::Accepted);
    assert_eq!(desk.count(is_stopped("alice")).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_stale_steward_sends_the_asker_to_the_right_one() {
    let (desk, [w1, w2, w3]) = office().await;
    // It is about to append when another becomes the steward.
    w1.way.set(Gate::BeforeIt);
    let asked = question(&w2, 1, 77, adopt("alice"));
    let (ledger, own, asked) = (w1.ledger.clone(), w1.name.clone(), of_clerk(&w2, asked));
    let stale = tokio::spawn(async move { ledger.decide_for(&own, asked).await });
    seconds(1).await;
    desk.steward(&w3, 2).await;
    w1.way.set(Gate::Open);
    let FleetAnswer::Decided(DecidedCommands { verdicts, .. }) = stale.await.unwrap() else {
        panic!("no verdict");
    };
    assert_eq!(verdicts, [CommandVerdict::NotSteward]);
    assert_eq!(desk.count(is_adopted("alice")).await, 0);
    until(|| w2.ledger.team().places().steward().unwrap().worker == w3.name).await;
    let before = w3.asked();
    assert_eq!(w2.ledger.decide(adopt("alice")).await.unwrap().len(), 1);
    assert_eq!(w3.asked(), before + 1);
}

#[tokio::test(start_paused = true)]
async fn the_steward_knows_what_its_asker_knows() {
    let (desk, [w1, w2, _w3]) = office().await;
    // The steward hears neither its asker, which decides by itself, nor its bell.
    w1.way.be_deaf();
    desk.fleet.break_wire(&w1.name, WireFault::CutOff);
    assert_eq!(w2.ledger.decide(adopt("alice")).await.unwrap().len(), 1);
    desk.fleet.heal_wire(&w1.name);
    seconds(3).await;
    let ahead = w2.ledger.decide(stop("alice")).await.unwrap();
    assert!(is_stopped("alice")(&ahead[0]));
    assert_eq!(w1.asked(), 1);
    // Much further than there is anything to read.
    let mut asked = question(&w2, 1, 99, adopt("bob"));
    asked.journal = 1_000;
    assert_eq!(verdict(&w1, &w2, asked).await, CommandVerdict::Unknown);
    assert_eq!(desk.count(is_adopted("bob")).await, 0);
}

#[test]
fn a_question_is_read_as_it_was_written() {
    let asked = AskedCommands {
        steward: Term(3),
        journal: 7,
        first: CommandId {
            writer: uuid::Uuid::from_u128(5),
            number: 2,
        },
        commands: vec![adopt("alice"), stop("bob")],
    };
    let question = FleetQuestion::Decide(asked);
    let text = serde_json::to_string(&question).unwrap();
    assert_eq!(
        serde_json::from_str::<FleetQuestion>(&text).unwrap(),
        question
    );
}
