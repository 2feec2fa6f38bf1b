//! Somebody is removed from a circle: out at the next reload of the servers, while what it wrote stays proven.

use std::{path::PathBuf, time::Duration};

use async_nats::connection::State;
use teammate_core::transcript::Entry;
use teammate_nats::{
    connect::{ServerUrl, connect},
    keys::{Circle, CircleRole, KeysError},
};
use teammate_testkit::stories::name;
use tokio::time::sleep;

use crate::circle::{Walled, placed, worker};

fn circle_of(walled: &Walled) -> Circle {
    Circle::open(walled.dir.path()).unwrap()
}

/// The line of the system account.
fn system(accounts: &str) -> String {
    let line = accounts.lines().find(|line| line.contains("SYS {"));
    line.unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_removed_is_out_and_what_it_wrote_stays_proven() {
    let Some(mut walled) = Walled::start().await else {
        return;
    };
    walled.server.start_again().unwrap();
    let ann = walled.store("ann", "one").await;
    placed(&ann.journal, 0, &[("alice", "w1")]).await;
    let said = Entry::Prompted("before".to_owned());
    let w1 = walled.store("w1", "one").await;
    let mut alice = w1.transcripts.open(&name("alice")).await.unwrap();
    alice.log.append(&said).await.unwrap();
    let (connected, creds) = (walled.client("w1").await, walled.creds("w1"));

    let mut circle = circle_of(&walled);
    circle.remove(&worker("w1")).unwrap();
    walled.server.reload().unwrap();
    while connected.connection_state() == State::Connected {
        sleep(Duration::from_millis(20)).await;
    }
    let url = ServerUrl::parse(&walled.url).unwrap();
    let again = connect(&[url], creds.login(), "w1").await;
    assert!(again.is_err(), "it came in");
    assert!(!walled.dir.path().join("w1.creds").exists());

    // Others stay, and believe what it wrote.
    let w2 = walled.store("w2", "one").await;
    let entries = w2.transcripts.peek(&name("alice")).await.unwrap();
    assert_eq!(entries, [said]);

    // A person's file opens the system account, so that gets another key. Nobody else is there to need it.
    let accounts = || std::fs::read_to_string(circle_of(&walled).accounts()).unwrap();
    let before = system(&accounts());
    assert_eq!(circle.remove(&worker("ann")).unwrap(), [] as [PathBuf; 0]);
    assert_ne!(system(&accounts()), before);

    let twice = circle.remove(&worker("w1"));
    assert!(matches!(twice, Err(KeysError::NotIn(_))), "{twice:?}");
    let mut circle = circle_of(&walled);
    let back = circle.admit(CircleRole::Worker, worker("w1"), vec![]);
    assert!(matches!(back, Err(KeysError::Removed(_))), "{back:?}");
}
