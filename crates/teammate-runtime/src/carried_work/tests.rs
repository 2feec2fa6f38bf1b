//! When work is saved, delivered and brought, told by what a transfer was asked.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use teammate_core::{
    Sender,
    name::WorkerName,
    permission::Mode,
    port::{BoxFuture, SavedWork, WorkOf, WorkTransfer},
    team::{
        Command, CommitId, JournalFormat, MemberOptions, MoveWhy, PlaceCommand, SeenWorker, Spawn,
        StewardTerm, Term, Walls,
    },
};
use tokio::time::{Duration, sleep};
use uuid::Uuid;

use super::*;
use crate::{TeamConfig, fixture, ledger::Ledger, mailer::Mailer, work_notice::send_notice};

/// Remembers what was asked of it.
#[derive(Default)]
struct Asked {
    saves: Mutex<Vec<WorkOf>>,
    refuses: Mutex<bool>,
    comes: Mutex<Option<WorkThatCame>>,
}

impl Asked {
    fn count(&self) -> usize {
        self.saves.lock().unwrap().len()
    }
}

fn commit(digit: &str) -> CommitId {
    CommitId::parse(&digit.repeat(40)).unwrap()
}

impl WorkTransfer for Asked {
    fn save<'a>(&'a self, of: &'a WorkOf) -> BoxFuture<'a, Result<SavedWork, TransferError>> {
        self.saves.lock().unwrap().push(of.clone());
        let saved = match *self.refuses.lock().unwrap() {
            true => Err(WorktreeError::NoCommit.into()),
            false => Ok(SavedWork {
                commit: commit("a"),
                saved: commit("b"),
                left_out: Vec::new(),
            }),
        };
        Box::pin(std::future::ready(saved))
    }

    fn bring<'a>(
        &'a self,
        _of: &'a WorkOf,
        _why: Bringing<'a>,
    ) -> BoxFuture<'a, Result<BroughtWork, TransferError>> {
        let came = self.comes.lock().unwrap().clone();
        let came = came.map_or(BroughtWork::Here, BroughtWork::Came);
        Box::pin(std::future::ready(Ok(came)))
    }
}

fn alice() -> MemberName {
    MemberName::parse("alice").unwrap()
}

fn steward() -> StewardTerm {
    StewardTerm {
        worker: WorkerName::parse("w1").unwrap(),
        term: Term(1),
    }
}

/// A team of two workers, with alice on the first.
async fn team(transfer: Option<Arc<Asked>>) -> Arc<Base> {
    let ports = crate::Ports {
        transfer: transfer.map(|transfer| transfer as _),
        ..fixture::ports()
    };
    let opened = Ledger::open(ports.journal.clone(), ports.clock.clone()).await;
    let (ledger, news, _) = opened.unwrap();
    // Nobody reads them here.
    std::mem::forget(news);
    let setup = fixture::setup(TeamConfig::new("none:none".parse().unwrap()));
    let base = Arc::new(Base::new(
        ports,
        setup,
        (ledger, Arc::new(crate::deployment::Alone)),
    ));
    let create = Command::Create {
        id: Uuid::from_u128(7),
        name: "default".to_owned(),
    };
    let spawn = Command::Spawn(Spawn {
        by: MemberName::lead(),
        call: "c1".into(),
        member: alice(),
        role: "coder".to_owned(),
        prompt: String::new(),
        options: MemberOptions::default(),
        ceiling: Mode::Bypass,
        fresh: false,
    });
    let join = |name: &str| {
        Command::Place(PlaceCommand::Join {
            worker: WorkerName::parse(name).unwrap(),
            session: Uuid::from_u128(1),
            labels: BTreeSet::new(),
            places: 4,
            walls: Walls::default(),
            format: JournalFormat::NOW,
            seen: SeenWorker::Silent,
        })
    };
    let claim = PlaceCommand::Claim {
        worker: steward().worker,
        session: Uuid::from_u128(1),
        term: Term(1),
    };
    let place = PlaceCommand::Place {
        by: steward(),
        member: alice(),
        needs: BTreeSet::new(),
        silent: BTreeSet::new(),
    };
    for command in [
        create,
        spawn,
        join("w1"),
        join("w2"),
        Command::Place(claim),
        Command::Place(place),
    ] {
        base.ledger.decide(command).await.unwrap();
    }
    base
}

fn delivered(base: &Base) -> Option<(Term, CommitId)> {
    let team = base.ledger.team();
    let placement = team.places().placement(&alice())?;
    placement.delivered.clone().map(|it| (it.term, it.commit))
}

async fn minutes(count: u64) {
    sleep(Duration::from_secs(60 * count + 1)).await;
}

#[tokio::test(start_paused = true)]
async fn work_is_saved_each_minute_of_a_turn_and_delivered_at_its_end() {
    let asked = Arc::new(Asked::default());
    let base = team(Some(asked.clone())).await;
    let saver = WorkSaver::of(&base, &alice()).unwrap();
    minutes(10).await;
    assert_eq!(asked.count(), 0, "who idles saves nothing");

    saver.turn_began();
    minutes(3).await;
    assert_eq!(asked.count(), 3);
    assert_eq!(asked.saves.lock().unwrap()[0].term, Term(1));
    assert_eq!(delivered(&base), None);

    saver.turn_ended();
    minutes(10).await;
    assert_eq!(asked.count(), 4);
    assert_eq!(delivered(&base), Some((Term(1), commit("a"))));
}

#[tokio::test(start_paused = true)]
async fn a_loop_that_ends_in_a_turn_waits_for_a_last_save() {
    let asked = Arc::new(Asked::default());
    let base = team(Some(asked.clone())).await;
    let saver = WorkSaver::of(&base, &alice()).unwrap();
    saver.turn_began();
    saver.finish().await;
    assert_eq!(asked.count(), 1);
    let idle = WorkSaver::of(&base, &alice()).unwrap();
    idle.finish().await;
    assert_eq!(asked.count(), 1, "there was nothing to save");
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_saved_is_said_once() {
    let asked = Arc::new(Asked::default());
    *asked.refuses.lock().unwrap() = true;
    let base = team(Some(asked.clone())).await;
    let mut feed = base.feed.subscribe();
    let saver = WorkSaver::of(&base, &alice()).unwrap();
    saver.turn_began();
    minutes(5).await;
    saver.turn_ended();
    saver.finish().await;
    assert_eq!(asked.count(), 6);
    assert_eq!(delivered(&base), None);
    base.feed.close();
    let mut notes = Vec::new();
    while let Some(event) = feed.next().await {
        if let teammate_core::event::EventKind::Note { text, .. } = &event.what {
            notes.push(text.clone());
        }
    }
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].starts_with("its work was not saved for other machines: "));
}

#[tokio::test(start_paused = true)]
async fn who_was_moved_meanwhile_delivers_nothing() {
    let asked = Arc::new(Asked::default());
    let base = team(Some(asked.clone())).await;
    let saver = WorkSaver::of(&base, &alice()).unwrap();
    saver.turn_began();
    let moved = PlaceCommand::Move {
        by: steward(),
        member: alice(),
        term: Term(1),
        why: MoveWhy::Lost,
        needs: BTreeSet::new(),
        silent: [steward().worker].into(),
    };
    base.ledger.decide(Command::Place(moved)).await.unwrap();
    saver.turn_ended();
    saver.finish().await;
    assert_eq!(delivered(&base), None);
}

#[tokio::test]
async fn a_member_that_came_here_reads_what_came_with_it_once() {
    let asked = Arc::new(Asked::default());
    let came = WorkThatCame {
        commit: commit("a"),
        saved_at: "2026-01-02 03:04:05 UTC".to_owned(),
        uncommitted: 2,
        left_out: Vec::new(),
        missing: None,
        aside: None,
    };
    *asked.comes.lock().unwrap() = Some(came.clone());
    let base = team(Some(asked)).await;
    let mailer = Mailer::new(base.clone());
    let found = bring(&base, &alice()).await.unwrap();
    assert_eq!(found, Some(came.clone()));
    for _ in 0..2 {
        send_notice(&base, &mailer, &alice(), &came).await;
    }
    let mail = base.ports.mailbox.peek(&alice()).await.unwrap();
    let ids: BTreeSet<_> = mail.iter().map(|message| &message.id).collect();
    assert_eq!(ids.len(), 1, "an id is heard once");
    assert_eq!(
        (&mail[0].from, &*mail[0].content),
        (&Sender::System, &*came.to_string())
    );
}

#[tokio::test]
async fn without_a_transfer_or_a_worker_nothing_happens() {
    let base = team(None).await;
    assert!(WorkSaver::of(&base, &alice()).is_none());
    assert_eq!(bring(&base, &alice()).await.unwrap(), None);
    let base = team(Some(Arc::default())).await;
    assert!(
        WorkSaver::of(&base, &MemberName::lead()).is_none(),
        "nobody holds the lead"
    );
    assert!(!is_carried(&base, &MemberName::lead()));
}
