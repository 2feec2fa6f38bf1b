//! Workers whose clocks are ten minutes apart: a question is answered once, from any of them, and its deadline passes by the clock of
//! the worker that holds who asks.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use teammate_core::{
    Timestamp,
    name::WorkerName,
    port::{Clock, Journal as _},
    request::{Answer, RequestEvent},
    team::TeamEvent,
};
use teammate_runtime::Host;
use tokio::time::Instant;

use crate::workers::{
    script::{spawn, toil},
    yard::{Yard, held, seconds, until},
};

/// How far the clocks are apart. It is the deadline of questions, too.
const APART: Duration = Duration::from_secs(600);

/// Any day.
const TODAY: u64 = 1_790_000_000_000;

/// The wall clocks of workers. They go on with the test's time.
#[derive(Clone)]
pub(crate) struct Clocks {
    since: Instant,
    ahead: BTreeMap<String, Duration>,
}

struct WallClock {
    since: Instant,
    ahead: Duration,
}

impl Default for Clocks {
    fn default() -> Self {
        Self {
            since: Instant::now(),
            ahead: BTreeMap::new(),
        }
    }
}

impl Clocks {
    pub(crate) fn set_ahead(&mut self, name: &str, by: Duration) {
        self.ahead.insert(name.to_owned(), by);
    }

    pub(crate) fn of(&self, worker: &WorkerName) -> Arc<dyn Clock> {
        Arc::new(WallClock {
            since: self.since,
            ahead: self.ahead.get(worker.as_str()).copied().unwrap_or_default(),
        })
    }
}

impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        Timestamp(TODAY).after(self.since.elapsed() + self.ahead)
    }
}

/// Two workers, one of them ahead; alice, on `w2`, asks for permission.
async fn asking(ahead: &str) -> (Yard, [Host; 2]) {
    let mut yard = Yard::asking();
    yard.set_ahead(ahead, APART);
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("allowed")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| w1.questions().len() == 1 && w2.questions().len() == 1).await;
    assert_eq!(held(&w1.team(), "alice").unwrap().0, "w2");
    (yard, [w1, w2])
}

/// How often a question ended at its deadline.
async fn expired(yard: &Yard) -> usize {
    let records = yard.store.journal.read(0).await.unwrap().records;
    let events = records.iter().flat_map(|record| &record.events);
    let is_expired = |event: &&TeamEvent| {
        matches!(
            event,
            TeamEvent::Request {
                change: RequestEvent::Expired,
                ..
            }
        )
    };
    events.filter(is_expired).count()
}

#[tokio::test(start_paused = true)]
async fn a_question_is_answered_once_from_any_worker() {
    for ahead in ["w1", "w2"] {
        for (first, second) in [(0, 1), (1, 0)] {
            let (yard, workers) = asking(ahead).await;
            let question = workers[0].questions()[0].id;
            // Late, and in time by the clock that counts.
            seconds(590).await;
            workers[first]
                .answer(question, Answer::yes())
                .await
                .unwrap();
            until(|| yard.toil.done() == ["allowed"]).await;
            let again = workers[second].answer(question, Answer::no("no")).await;
            assert!(again.is_err(), "{ahead} is ahead: it was answered");
            seconds(1_300).await;
            assert_eq!(expired(&yard).await, 0, "{ahead} is ahead");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_deadline_passes_once_and_by_one_clock() {
    for ahead in ["w1", "w2"] {
        let (yard, workers) = asking(ahead).await;
        seconds(590).await;
        assert_eq!(
            expired(&yard).await,
            0,
            "{ahead} is ahead: it is not yet time"
        );
        seconds(20).await;
        assert_eq!(expired(&yard).await, 1, "{ahead} is ahead: it is time");
        for worker in &workers {
            assert!(worker.questions().is_empty(), "{ahead} is ahead");
        }
        seconds(1_300).await;
        assert_eq!(expired(&yard).await, 1, "{ahead} is ahead: once");
        assert!(yard.toil.done().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_teammate_has_its_time_on_a_worker_whose_clock_is_ahead() {
    let mut yard = Yard::of_one_user();
    yard.set_ahead("w2", APART);
    let [w1, w2] = yard.workers().await;
    yard.script.add("lead", vec![vec![spawn("alice")]]);
    yard.script.add("alice", vec![vec![toil("for ever")]]);
    w1.send_as_user("lead", "go").await.unwrap();
    until(|| yard.toil.running() == 1).await;
    assert_eq!(held(&w2.team(), "alice").unwrap().0, "w2");

    let (asked, within) = (Instant::now(), Duration::from_secs(60));
    w1.shut_down("alice", within).await.unwrap();
    let took = asked.elapsed();
    assert!(took >= within, "she was stopped after {took:?}");
    assert_eq!(yard.toil.running(), 0);
    assert!(took < 2 * within, "she was stopped after {took:?}");
}
