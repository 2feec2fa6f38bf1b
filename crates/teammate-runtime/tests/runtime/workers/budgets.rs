//! Budgets of a team that several workers run: each member goes beyond one by one request at most, and time counts once.

use std::time::Duration;

use teammate_core::{
    MemberName,
    budget::{Budget, Budgets},
    event::EventKind,
    fold::Fold,
    model::Usage,
    team::{Command, MemberPhase},
    transcript::EndReason,
};
use teammate_runtime::{EventFeed, Host};
use teammate_store::clock::SystemClock;

use crate::workers::{
    script::{Line, spawn, toil},
    yard::{Yard, held, member, seconds, until},
};

/// What each answer uses.
const ANSWER: u64 = 10;

fn limited(tokens: u64) -> Yard {
    let team = Budget {
        tokens: Some(tokens),
        ..Budget::default()
    };
    let yard = Yard::with_budgets(Budgets {
        team,
        member: Budget::default(),
    });
    yard.script.set_usage(Usage {
        input: ANSWER - 1,
        output: 1,
        ..Usage::default()
    });
    yard
}

/// So many steps of a member, a second each.
fn steps(count: usize) -> Vec<Line> {
    (0..count).map(|_| vec![toil("rest 1")]).collect()
}

fn end_of(host: &Host, who: &str) -> Option<EndReason> {
    match host.team().member(&member(who))?.phase.clone() {
        MemberPhase::Idle { why, .. } => Some(why),
        _ => None,
    }
}

fn is_stopped_by_budget(host: &Host, who: &str) -> bool {
    matches!(end_of(host, who), Some(EndReason::Limit { .. }))
}

/// What a worker has noted by now.
fn noted(feed: &mut EventFeed) -> Vec<String> {
    let events = std::iter::from_fn(|| feed.try_next());
    let text = |event: &EventKind| match event {
        EventKind::Note { text, .. } => Some(text.clone()),
        _ => None,
    };
    events.filter_map(|event| text(&event.what)).collect()
}

#[tokio::test(start_paused = true)]
async fn a_team_budget_is_one_for_members_of_three_workers() {
    let yard = limited(400);
    let [w1, w2, w3] = yard.workers().await;
    yard.script
        .add("lead", vec![vec![spawn("alice"), spawn("bob")]]);
    for who in ["alice", "bob"] {
        yard.script.add(who, steps(100));
    }
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| {
        ["alice", "bob"]
            .iter()
            .all(|who| is_stopped_by_budget(&w3, who))
    })
    .await;
    let places = ["alice", "bob"].map(|who| held(&w1.team(), who).unwrap().0);
    assert!(!places.contains(&"w1".to_owned()) && places[0] != places[1]);

    let spent = w2.team().spending().sum().tokens();
    let running = 2;
    assert!(
        (400..=400 + running * ANSWER).contains(&spent),
        "one request a member: {spent}"
    );
    // All workers see the same, and their journals count everything.
    for host in [&w1, &w2, &w3] {
        assert_eq!(host.spending().sum().tokens(), spent);
    }
    let asked: usize = ["lead", "alice", "bob"]
        .map(|who| yard.script.asked(who))
        .iter()
        .sum();
    assert_eq!(asked as u64 * ANSWER, spent);
}

#[tokio::test(start_paused = true)]
async fn what_one_worker_spends_is_known_to_the_others_before_the_budget_is_near() {
    // A tab of ten answers would be half of it.
    let yard = limited(200);
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", steps(30));
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| is_stopped_by_budget(&w1, "alice")).await;
    assert_eq!(held(&w1.team(), "alice").unwrap().0, "w2");
    yard.script.add("lead", vec![vec![toil("too late")]]);
    let before = yard.script.asked("lead");
    w1.send_as_user("lead", "go on").await.unwrap();
    until(|| is_stopped_by_budget(&w1, "lead")).await;
    assert_eq!(
        yard.script.asked("lead"),
        before,
        "it is refused on this worker, too"
    );
    assert_eq!(w2.team().spending().sum().tokens(), 200);
}

#[tokio::test(start_paused = true)]
async fn the_notice_that_a_budget_is_nearly_spent_comes_once() {
    let yard = limited(200);
    let [w1, w2] = yard.workers().await;
    let mut events = [w1.events(), w2.events()];
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", steps(30));
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| is_stopped_by_budget(&w1, "alice")).await;
    w1.wait_idle().await;
    let notices: Vec<String> = events
        .iter_mut()
        .flat_map(noted)
        .filter(|text| text.contains("nearly spent"))
        .collect();
    assert_eq!(notices.len(), 1, "{notices:?}");
}

#[tokio::test(start_paused = true)]
async fn the_time_of_the_team_counts_once_while_members_of_two_workers_work() {
    let yard = Yard::new();
    let [w1, w2] = yard.workers().await;
    yard.script
        .add("lead", vec![vec![spawn("alice")], vec![toil("rest 100")]]);
    yard.script.add("alice", vec![vec![toil("rest 250")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 2).await;
    seconds(200).await;
    let team_s = |host: &Host| host.spending().worked / 1_000;
    assert!((198..=203).contains(&team_s(&w1)), "{}", team_s(&w1));
    // The other one is a minute behind at most, so a budget of minutes holds there, too.
    assert!((140..=203).contains(&team_s(&w2)), "{}", team_s(&w2));
    w1.wait_idle().await;
    for host in [&w1, &w2] {
        let spent = host.team();
        let spent = spent.spending();
        assert!(
            (250..=253).contains(&(spent.worked / 1_000)),
            "{}",
            spent.worked
        );
        let lead = spent.member(&MemberName::lead()).worked / 1_000;
        let alice = spent.member(&member("alice")).worked / 1_000;
        assert!((100..=103).contains(&lead), "{lead}");
        assert!((250..=253).contains(&alice), "{alice}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_of_the_team_goes_on_where_the_lead_goes() {
    let yard = Yard::new();
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("rest 300")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    assert_eq!(held(&w1.team(), "alice").unwrap().0, "w2");
    seconds(130).await;
    drop(w1);
    w2.wait_idle().await;
    assert_eq!(held(&w2.team(), "lead").unwrap().0, "w2");
    let worked = Duration::from_millis(w2.team().spending().worked).as_secs();
    // What the lost worker had not handed over is missing: less than a minute, and the time of the take-over.
    assert!((220..=302).contains(&worked), "{worked}");
}

/// The user sets what may be spent, from another process.
async fn set_budget(yard: &Yard, tokens: u64) {
    let team = Budget {
        tokens: Some(tokens),
        ..Budget::default()
    };
    let budgets = Budgets {
        team,
        ..Budgets::default()
    };
    let store = yard.store.another_process();
    let (mut fold, _) = Fold::open(&*store.journal).await.unwrap();
    let set = [Command::SetBudgets(budgets)];
    let commit = fold.commit(&*store.journal, &SystemClock, &set).await;
    commit.results.unwrap().remove(0).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_budget_that_the_user_raises_is_heard_by_all_workers() {
    let yard = Yard::with_budgets(Budgets::default());
    yard.script.set_usage(Usage {
        input: ANSWER - 1,
        output: 1,
        ..Usage::default()
    });
    let [w1, w2, w3] = yard.workers().await;
    set_budget(&yard, 100).await;
    yard.script
        .add("lead", vec![vec![spawn("alice"), spawn("bob")]]);
    for who in ["alice", "bob"] {
        yard.script.add(who, steps(10));
    }
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| {
        ["alice", "bob"]
            .iter()
            .all(|who| is_stopped_by_budget(&w1, who))
    })
    .await;
    let spent = w1.team().spending().sum().tokens();
    assert!((100..=120).contains(&spent), "{spent}");

    set_budget(&yard, 1_000).await;
    until(|| yard.toil.done().len() == 20).await;
    w1.wait_idle().await;
    for host in [&w1, &w2, &w3] {
        assert_eq!(host.team().budgets().team.tokens, Some(1_000));
        assert_eq!(end_of(host, "alice"), Some(EndReason::Done));
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_worker_allows_itself_is_not_widened() {
    let yard = limited(100);
    let [w1] = yard.workers().await;
    set_budget(&yard, 1_000).await;
    yard.script.add("lead", steps(30));
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| is_stopped_by_budget(&w1, "lead")).await;
    assert_eq!(w1.team().spending().sum().tokens(), 100);
    let Some(EndReason::Limit { what }) = end_of(&w1, "lead") else {
        panic!("it goes on");
    };
    assert!(what.contains("100 of 100 tokens"), "{what}");
    assert!(what.contains("raise it for all workers"), "{what}");
}
