//! The same team run by several processes on one store. Who runs whom is appended to the journal by hand.

use std::{collections::BTreeSet, sync::Arc};

use teammate_core::{
    MemberName,
    name::WorkerName,
    permission::Mode,
    team::{Command, MemberOptions, MoveWhy, PlaceCommand, SeenWorker, Spawn, StewardTerm, Term},
};
use teammate_testkit::memory::WireFault;
use uuid::Uuid;

use super::{Stage, alice, fails::Failing, until};
use crate::{Host, WorkerSeat, members::StartKind};

/// The lead's worker, and alice's.
pub(crate) struct Workers {
    pub(crate) lead: Host,
    pub(crate) alice: Host,
}

impl Stage {
    /// Opens the team on two workers: `w1` runs the lead, `w2` runs alice.
    pub(crate) async fn on_two_workers(&self) -> Workers {
        let (w1, w2) = (self.worker("w1").await, self.worker("w2").await);
        for name in ["w1", "w2"] {
            let joined = PlaceCommand::Join {
                worker: worker(name),
                session: life(name),
                labels: BTreeSet::new(),
                places: 8,
                seen: SeenWorker::Silent,
            };
            self.decide_outside(Command::Place(joined)).await;
        }
        let claimed = PlaceCommand::Claim {
            worker: worker("w1"),
            session: life("w1"),
            term: Term::FIRST,
        };
        self.decide_outside(Command::Place(claimed)).await;
        self.place(MemberName::lead()).await;
        self.decide_outside(spawn_alice()).await;
        self.place(alice()).await;
        run(&w1, &MemberName::lead()).await;
        run(&w2, &alice()).await;
        Workers {
            lead: w1,
            alice: w2,
        }
    }

    /// Opens the team as a worker that runs nobody.
    pub(crate) async fn worker(&self, name: &str) -> Host {
        let mut stage = self.clone();
        let journal = self.store.another_process();
        stage.ports.journal = Arc::new(Failing(journal, self.fails.clone()));
        stage.ports.worker = Some(WorkerSeat {
            wire: Arc::new(self.fleet.wire(&worker(name))),
            name: worker(name),
            session: life(name),
            labels: BTreeSet::new(),
            places: 8,
        });
        stage.prepare().await
    }

    /// The steward places a member on the worker with the fewest.
    pub(crate) async fn place(&self, member: MemberName) {
        let placed = PlaceCommand::Place {
            by: steward(),
            member,
            needs: BTreeSet::new(),
            silent: BTreeSet::new(),
        };
        self.decide_outside(Command::Place(placed)).await;
    }

    /// Alice is moved to `w1`, and begins there.
    pub(crate) async fn move_alice(&self, workers: &Workers) {
        let moved = PlaceCommand::Move {
            by: steward(),
            member: alice(),
            term: Term::FIRST,
            why: MoveWhy::Lost,
            needs: BTreeSet::new(),
            silent: BTreeSet::from([worker("w2")]),
        };
        self.decide_outside(Command::Place(moved)).await;
        until(|| workers.lead.base.is_mine(&alice())).await;
    }

    /// Nothing that the worker says arrives, and nothing reaches it.
    pub(crate) fn cut_off(&self, name: &str) {
        self.fleet.break_wire(&worker(name), WireFault::CutOff);
    }
}

/// The member begins at its worker.
pub(crate) async fn run(host: &Host, member: &MemberName) {
    until(|| host.base.is_mine(member)).await;
    let started = host.members.start(member, StartKind::IfAbsent).await;
    assert!(started.is_ok(), "{member} does not begin");
    host.requests.ask_to_take_up();
}

fn worker(name: &str) -> WorkerName {
    WorkerName::parse(name).unwrap()
}

fn life(name: &str) -> Uuid {
    Uuid::from_u128(name.bytes().map(u128::from).sum())
}

fn steward() -> StewardTerm {
    StewardTerm {
        worker: worker("w1"),
        term: Term::FIRST,
    }
}

fn spawn_alice() -> Command {
    Command::Spawn(Spawn {
        by: MemberName::lead(),
        call: "spawn".into(),
        member: alice(),
        role: "coder".to_owned(),
        prompt: "begin".to_owned(),
        options: MemberOptions::default(),
        ceiling: Mode::Bypass,
        fresh: false,
    })
}
