//! Two folds on one journal: what readers see is in the journal, in either order of appends.

mod uncounted;

use std::{
    pin::pin,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
};

use uuid::Uuid;

use super::*;
use crate::{
    Incarnation, MemberName, Timestamp,
    id::Term,
    member::MemberPhase,
    name::WorkerName,
    port::BoxFuture,
    team::{AskedCommands, AskedQuestion, CommandId},
};

/// What becomes of the next append.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    Refused,
    /// The record is in the journal, and the answer is lost.
    Answerless,
}

#[derive(Default)]
struct Log {
    records: Mutex<Vec<Record>>,
    fault: Mutex<Option<Fault>>,
}

impl Log {
    fn records(&self) -> MutexGuard<'_, Vec<Record>> {
        self.records.lock().unwrap()
    }

    fn fail_next(&self, fault: Fault) {
        *self.fault.lock().unwrap() = Some(fault);
    }
}

impl Journal for Log {
    fn append_record(
        &self,
        record: Record,
        _: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let mut records = self.records();
        let length = records.len() as u64;
        let fault = self.fault.lock().unwrap().take();
        let result = match fault {
            _ if length != record.number => Err(JournalError::Conflict { length }),
            Some(Fault::Refused) => Err(JournalError::Broken("the disk is full".into())),
            Some(Fault::Answerless) | None => {
                records.push(record);
                let lost = || JournalError::Broken("no answer".into());
                fault.map_or(Ok(()), |_| Err(lost()))
            }
        };
        Box::pin(std::future::ready(result))
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        let records = self.records()[from as usize..].to_vec();
        let damaged = Vec::new();
        Box::pin(std::future::ready(Ok(JournalRead { records, damaged })))
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::pending())
    }
}

struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        Timestamp(12)
    }
}

/// Nothing here waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("it waits"),
    }
}

fn create() -> Command {
    Command::Create {
        id: Uuid::from_u128(1),
        name: "default".to_owned(),
    }
}

fn adopt(name: &str) -> Command {
    Command::Adopt {
        member: MemberName::teammate(name).unwrap(),
        role: "any".to_owned(),
        stopped: false,
    }
}

fn stop(name: &str) -> Command {
    Command::Stop {
        member: MemberName::teammate(name).unwrap(),
        incarnation: Incarnation::FIRST,
    }
}

fn commit(fold: &mut Fold, log: &Log, commands: &[Command]) -> Committed {
    let committed = now(fold.commit(log, &Noon, commands));
    assert!(fold.team().members().count() <= TeamState::of(&log.records()).members().count());
    committed
}

fn names(team: &TeamState) -> Vec<&str> {
    team.teammates()
        .map(|member| member.name.as_str())
        .collect()
}

#[test]
fn commands_of_a_batch_build_on_one_another_and_are_one_record() {
    let (log, mut fold) = (Log::default(), Fold::default());
    let results = commit(
        &mut fold,
        &log,
        &[create(), adopt("alice"), stop("alice"), stop("bob")],
    );
    let results = results.results.unwrap();
    let counts: Vec<_> = results
        .iter()
        .map(|result| result.as_ref().map(Vec::len))
        .collect();
    assert!(
        matches!(counts[..], [Ok(1..), Ok(1), Ok(1), Err(_)]),
        "{counts:?}"
    );
    assert_eq!(log.records().len(), 1);
    assert_eq!(**fold.team(), TeamState::of(&log.records()));
    let again = commit(&mut fold, &log, &[stop("alice")]).results.unwrap();
    assert_eq!((again, log.records().len()), (vec![Ok(Vec::new())], 1));
}

#[test]
fn a_reader_keeps_what_it_saw_and_others_see_what_is_new() {
    let (log, mut fold) = (Log::default(), Fold::default());
    commit(&mut fold, &log, &[create()]);
    let mut seen = Vec::new();
    for name in ["alice", "bob", "carol", "dave"] {
        commit(&mut fold, &log, &[adopt(name)]).results.unwrap();
        seen.push(fold.team().clone());
        // Dropped by its reader: the value is used again.
        drop(fold.team().clone());
    }
    let seen: Vec<_> = seen.iter().map(|team| names(team)).collect();
    assert_eq!(seen[0], ["alice"]);
    assert_eq!(seen[3], ["alice", "bob", "carol", "dave"]);
    assert_eq!(**fold.team(), TeamState::of(&log.records()));
}

#[test]
fn the_loser_of_a_race_decides_again_on_the_winners_record() {
    let (log, mut here, mut there) = (Log::default(), Fold::default(), Fold::default());
    commit(&mut here, &log, &[create(), adopt("alice")]);
    let met = commit(&mut there, &log, &[create(), adopt("bob"), stop("alice")]);
    assert_eq!(met.others.records.len(), 1);
    assert!(met.results.unwrap().iter().all(Result::is_ok));
    assert_eq!(names(there.team()), ["alice", "bob"]);
    // Here that is not known before somebody looks.
    assert_eq!(names(here.team()), ["alice"]);
    let again = commit(&mut here, &log, &[stop("alice")]);
    assert_eq!(
        again.results.unwrap(),
        [Ok(Vec::new())],
        "it is stopped already"
    );
    assert_eq!(here.team(), there.team());
}

#[test]
fn what_fails_is_not_seen_unless_it_is_in_the_journal_all_the_same() {
    for fault in [Fault::Refused, Fault::Answerless] {
        let (log, mut fold) = (Log::default(), Fold::default());
        commit(&mut fold, &log, &[create(), adopt("alice")]);
        log.fail_next(fault);
        let failed = commit(&mut fold, &log, &[stop("alice")]);
        assert!(failed.results.is_err());
        let alice = MemberName::teammate("alice").unwrap();
        let is_stopped = fold.team().member(&alice).unwrap().phase == MemberPhase::Stopped;
        let is_written = fault == Fault::Answerless;
        assert_eq!(
            (is_stopped, failed.others.records.len() == 1),
            (is_written, is_written)
        );
        commit(&mut fold, &log, &[adopt("bob")]).results.unwrap();
        assert_eq!(**fold.team(), TeamState::of(&log.records()), "{fault:?}");
    }
}

#[test]
fn an_append_that_nobody_waited_for_is_found_later() {
    let (log, mut fold) = (Log::default(), Fold::default());
    commit(&mut fold, &log, &[create()]);
    // Given up between the append and its answer.
    fold.spare = None;
    fold.is_in_doubt = true;
    let number = log.records().len() as u64;
    let adopted = TeamEvent::Adopted {
        member: MemberName::teammate("alice").unwrap(),
        role: "any".to_owned(),
        stopped: false,
    };
    now(log.append(number, Timestamp(12), vec![adopted], Durability::Synced)).unwrap();
    let done = commit(&mut fold, &log, &[stop("alice")]);
    assert_eq!(done.others.records.len(), 1);
    assert_eq!(**fold.team(), TeamState::of(&log.records()));
}

fn id(number: u64) -> CommandId {
    let writer = Uuid::from_u128(7);
    CommandId { writer, number }
}

/// As another worker asks for it.
fn asked(number: u64) -> DecisionOrigin {
    let question = AskedQuestion {
        by: WorkerName::parse("w2").unwrap(),
        asked: AskedCommands {
            steward: Term(1),
            journal: 0,
            first: id(number),
            commands: vec![stop("alice")],
        },
        proof: None,
    };
    DecisionOrigin::Asked(id(number), Arc::new(question))
}

fn commit_from(fold: &mut Fold, log: &Log, origin: DecisionOrigin, command: &Command) -> Committed {
    now(fold.commit_from(log, &Noon, &[(origin, command)]))
}

#[test]
fn a_command_that_is_asked_twice_is_decided_once_by_whomever() {
    let (log, mut here, mut there) = (Log::default(), Fold::default(), Fold::default());
    commit(&mut here, &log, &[create(), adopt("alice")]);
    let (asked, doubted) = (asked(1), DecisionOrigin::Doubted(id(1)));
    let stop_alice = stop("alice");
    let first = commit_from(&mut here, &log, asked, &stop_alice);
    let stopped = first.results.unwrap().remove(0).unwrap();
    assert_eq!(stopped.len(), 1);
    commit(&mut here, &log, &[adopt("bob")]);
    let met = commit_from(&mut there, &log, doubted, &stop_alice);
    assert_eq!(met.results.unwrap(), [Ok(Vec::new())]);
    let listing = met
        .others
        .records
        .iter()
        .find_map(|record| record.events_of(id(1)));
    assert_eq!(
        listing,
        Some(&*stopped),
        "what followed is where it is listed"
    );
    assert_eq!(log.records().len(), 3);
}

#[test]
fn a_doubted_command_that_is_refused_is_never_decided_later() {
    let (log, mut here, mut there) = (Log::default(), Fold::default(), Fold::default());
    commit(&mut here, &log, &[create()]);
    let stop_alice = stop("alice");
    let refused = commit_from(&mut here, &log, DecisionOrigin::Doubted(id(1)), &stop_alice);
    assert!(refused.results.unwrap()[0].is_err());
    commit(&mut here, &log, &[adopt("alice")]);
    now(there.catch_up(&log)).unwrap();
    let late = commit_from(&mut there, &log, asked(1), &stop_alice);
    assert_eq!(late.results.unwrap(), [Ok(Vec::new())]);
    let alice = MemberName::teammate("alice").unwrap();
    let phase = &there.team().member(&alice).unwrap().phase;
    assert_ne!(*phase, MemberPhase::Stopped);
    assert_eq!(log.records()[1].events_of(id(1)), Some(&[][..]));
}
