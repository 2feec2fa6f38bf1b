//! Rest of a team that two workers run: the lead on `one`, alice on `two`.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName, MessageId,
    name::WorkerName,
    permission::Mode,
    port::{FleetAsked, FleetQuestion, Mailbox as _},
    team::{Beat, Command, MemberOptions, MoveWhy, PlaceEvent, Spawn, TeamEvent, Term, Walls},
};
use teammate_testkit::memory::{MemoryFleet, MemoryStore, WireFault};
use uuid::Uuid;

use super::{IdleWait, RestKind, look::OtherWorkers, own::OwnRest};
use crate::{
    Ports, TeamConfig, WorkerRole, base::Base, fixture, ledger::Ledger,
    open_requests::OpenRequests, spending::UsageMeter, workers::held::Tenures,
};

/// Longer than anything takes that ends.
const LONG: Duration = Duration::from_secs(3_600);

fn worker(text: &str) -> WorkerName {
    WorkerName::parse(text).unwrap()
}

fn alice() -> MemberName {
    MemberName::teammate("alice").unwrap()
}

/// A worker without drivers: the test says what its members do.
struct Desk {
    name: WorkerName,
    placed: Arc<Tenures>,
    base: Arc<Base>,
    rest: Arc<IdleWait>,
    own: Arc<OwnRest>,
    store: MemoryStore,
}

impl Desk {
    async fn open(name: &str, store: MemoryStore, fleet: &MemoryFleet) -> Self {
        let name = worker(name);
        let role = WorkerRole {
            wire: Arc::new(fleet.wire(&name)),
            governors: None,
            name: name.clone(),
            session: Uuid::from_u128(7),
            labels: [].into(),
            places: 8,
            walls: Walls::default(),
        };
        let ports = Ports {
            journal: store.journal.clone(),
            mailbox: store.mailbox.clone(),
            ..fixture::ports()
        };
        let opened = Ledger::open(ports.journal.clone(), ports.clock.clone()).await;
        let (ledger, mut news, _) = opened.unwrap();
        let setup = fixture::setup(TeamConfig::new("no:model".parse().unwrap()));
        let placed = Arc::new(Tenures::of(role));
        let base = Arc::new(Base::new(ports, setup, (ledger, placed.clone())));
        let heard = base.clone();
        drop(tokio::spawn(async move {
            while news.recv().await.is_some() {
                heard.activity.recheck();
            }
        }));
        let meter = Arc::new(UsageMeter::new(base.clone()));
        let requests = Arc::new(OpenRequests::new(base.clone()));
        let others = Box::new(OtherWorkers(placed.clone()));
        let rest = Arc::new(IdleWait::new(base.clone(), meter, requests, Some(others)));
        let desk = Self {
            name,
            placed,
            base,
            own: Arc::new(OwnRest::of(rest.clone())),
            rest,
            store,
        };
        desk.answer().await;
        desk
    }

    /// Answers who asks whether it rests.
    async fn answer(&self) {
        let wire = &self.placed.role.wire;
        let (mut asked, own) = (wire.asked().await.unwrap(), self.own.clone());
        drop(tokio::spawn(async move {
            while let Some(FleetAsked {
                question, answer, ..
            }) = asked.next().await
            {
                if let FleetQuestion::Rest { journal } = question {
                    answer(own.answer_rest(journal).await);
                }
            }
        }));
    }

    /// This worker beats, and the other hears it.
    fn beats_to(&self, other: &Self) {
        let beat = Beat {
            worker: self.name.clone(),
            session: Uuid::from_u128(7),
            is_draining: false,
            rests: self.own.sign(),
        };
        if other.placed.hear(&beat) {
            other.base.activity.recheck();
        }
    }

    fn set_busy(&self, member: &MemberName, is_busy: bool) {
        self.base.activity.set_busy(member, is_busy);
    }

    /// The member has read its mail.
    async fn reads(&self, member: &MemberName) {
        let end = self.store.mailbox.end(member).await.unwrap();
        self.base.activity.mail_read(member, end);
    }

    async fn is_at_rest(&self) -> bool {
        tokio::time::timeout(LONG, self.rest.wait_idle())
            .await
            .is_ok()
    }

    async fn has(&self, event: PlaceEvent) {
        let length = self.base.ledger.length().get();
        let event = TeamEvent::Place(event);
        let at = self.base.ports.clock.now();
        let durability = teammate_core::port::Durability::Synced;
        let journal = &self.base.ports.journal;
        journal
            .append(length, at, vec![event], durability)
            .await
            .unwrap();
        let mut team = self.base.ledger.changes();
        while self.base.ledger.length().get() <= length {
            team.changed().await.unwrap();
        }
    }
}

/// Both have read the journal; the lead and alice have begun and read their mail, and work.
async fn at_work() -> (Desk, Desk, MemoryFleet) {
    let (store, fleet) = (MemoryStore::default(), MemoryFleet::default());
    let one = Desk::open("one", store.clone(), &fleet).await;
    let spawn = Command::Spawn(Spawn {
        by: MemberName::lead(),
        call: "spawn".into(),
        member: alice(),
        role: "any".into(),
        prompt: "work".into(),
        options: MemberOptions::default(),
        ceiling: Mode::Bypass,
        fresh: false,
    });
    let create = Command::Create {
        id: Uuid::from_u128(1),
        name: "default".into(),
    };
    one.base.ledger.decide(create).await.unwrap();
    one.base.ledger.decide(spawn).await.unwrap();
    for (member, at) in [(MemberName::lead(), "one"), (alice(), "two")] {
        one.has(PlaceEvent::Placed {
            member,
            worker: worker(at),
            term: Term(1),
        })
        .await;
    }
    let two = Desk::open("two", store.another_process(), &fleet).await;
    one.set_busy(&MemberName::lead(), true);
    two.set_busy(&alice(), true);
    one.reads(&MemberName::lead()).await;
    two.reads(&alice()).await;
    (one, two, fleet)
}

#[tokio::test(start_paused = true)]
async fn a_member_elsewhere_is_waited_for() {
    let (one, two, _fleet) = at_work().await;
    one.set_busy(&MemberName::lead(), false);
    two.beats_to(&one);
    assert!(!one.is_at_rest().await, "alice works");
    two.set_busy(&alice(), false);
    assert!(!one.is_at_rest().await, "it is not heard yet");
    two.beats_to(&one);
    assert!(one.is_at_rest().await);
    assert!(!two.is_at_rest().await, "one was never heard at two");
    one.beats_to(&two);
    assert!(two.is_at_rest().await);
}

#[tokio::test(start_paused = true)]
async fn mail_that_nobody_has_read_is_no_rest() {
    let (one, two, _fleet) = at_work().await;
    one.set_busy(&MemberName::lead(), false);
    two.set_busy(&alice(), false);
    two.beats_to(&one);
    let letter = teammate_testkit::stories::mail("m", "alice", "hi");
    one.store.mailbox.send(letter).await.unwrap();
    assert!(!one.is_at_rest().await, "it lies in her mailbox");
    two.reads(&alice()).await;
    two.beats_to(&one);
    assert!(one.is_at_rest().await);
}

#[tokio::test(start_paused = true)]
async fn a_send_under_way_is_no_rest() {
    let (one, two, _fleet) = at_work().await;
    one.set_busy(&MemberName::lead(), false);
    two.set_busy(&alice(), false);
    let id = MessageId::parse("m").unwrap();
    two.base
        .activity
        .mail_sending(&MemberName::lead(), &id, true);
    assert_eq!(two.own.sign(), None);
    two.base.activity.mail_sent(&MemberName::lead(), &id, true);
    assert_ne!(two.own.sign(), None);
    two.beats_to(&one);
    assert!(one.is_at_rest().await);
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_is_not_heard_is_waited_for_until_its_members_are_moved() {
    let (one, two, fleet) = at_work().await;
    one.set_busy(&MemberName::lead(), false);
    two.set_busy(&alice(), false);
    two.beats_to(&one);
    fleet.break_wire(&two.name, WireFault::CutOff);
    assert!(
        !one.is_at_rest().await,
        "it said that it rests, and is cut off"
    );
    one.has(PlaceEvent::Moved {
        member: alice(),
        worker: one.name.clone(),
        term: Term(2),
        why: MoveWhy::Lost,
    })
    .await;
    assert!(!one.is_at_rest().await, "she has not begun here");
    one.set_busy(&alice(), false);
    one.reads(&alice()).await;
    assert!(one.is_at_rest().await);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_lost_is_asked_for_again_at_the_next_beat() {
    let (one, two, fleet) = at_work().await;
    one.set_busy(&MemberName::lead(), false);
    two.set_busy(&alice(), false);
    fleet.break_wire(&two.name, WireFault::AnswersLost);
    two.beats_to(&one);
    assert!(!one.is_at_rest().await);
    fleet.heal_wire(&two.name);
    two.beats_to(&one);
    assert!(one.is_at_rest().await);
}

#[tokio::test(start_paused = true)]
async fn a_worker_says_at_once_that_it_begins_to_rest() {
    let (_one, two, _fleet) = at_work().await;
    let is_old = async |two: &Desk| {
        tokio::time::timeout(LONG, two.own.sign_is_old())
            .await
            .is_ok()
    };
    assert!(!is_old(&two).await, "alice works");
    two.set_busy(&alice(), false);
    assert!(is_old(&two).await);
    let first = two.own.sign();
    assert!(!is_old(&two).await, "it is said");
    let letter = teammate_testkit::stories::mail("m", "alice", "hi");
    two.store.mailbox.send(letter).await.unwrap();
    two.reads(&alice()).await;
    assert!(is_old(&two).await, "she has read something, and rests");
    assert!(two.own.sign() > first);
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_the_others_hears_that_those_elsewhere_rest() {
    let (one, two, _fleet) = at_work().await;
    let lead = MemberName::lead();
    let ends = async || {
        tokio::time::timeout(LONG, one.rest.wait_others_idle(&lead))
            .await
            .is_ok()
    };
    two.beats_to(&one);
    assert!(!ends().await, "alice works");
    let pressing = MessageId::parse("question").unwrap();
    one.base
        .activity
        .mail_arrived(&lead, [(&pressing, true)].into_iter());
    assert!(ends().await, "a question of hers is there");
    one.base.activity.mail_taken(&lead, [&pressing]);
    two.set_busy(&alice(), false);
    two.beats_to(&one);
    assert!(ends().await);
}

#[tokio::test(start_paused = true)]
async fn members_that_wait_for_each_other_stall_the_team_and_do_not_rest() {
    let (one, two, _fleet) = at_work().await;
    let alice = alice();
    let _waits = two.base.activity.waiting(&alice);
    // A result, which does not end her wait.
    let result = teammate_testkit::stories::mail("m", "alice", "done");
    one.store.mailbox.send(result).await.unwrap();
    one.set_busy(&MemberName::lead(), false);
    two.beats_to(&one);
    assert!(!one.is_at_rest().await, "alice is in a turn");
    two.beats_to(&one);
    let stalls = one.rest.others_rest(RestKind::Stalled, None);
    assert!(tokio::time::timeout(LONG, stalls).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn results_wait_for_more_while_somebody_works_elsewhere() {
    let (one, two, _fleet) = at_work().await;
    let lead = MemberName::lead();
    one.set_busy(&lead, false);
    let result = MessageId::parse("result").unwrap();
    one.base
        .activity
        .mail_arrived(&lead, [(&result, false)].into_iter());
    let waits = || {
        let elsewhere = || one.base.is_busy_elsewhere();
        one.base
            .activity
            .has_only_results_while_others_work(&lead, elsewhere)
    };
    assert!(waits(), "two was never heard");
    two.beats_to(&one);
    assert!(waits(), "alice works");
    two.set_busy(&alice(), false);
    two.beats_to(&one);
    assert!(!waits(), "nobody works");
}
