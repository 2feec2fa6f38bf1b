//! What the journal says about who did what. The engine knows which process appended each record, when, and how far its clock
//! was off.

use std::{collections::BTreeMap, time::Duration};

use teammate_core::{
    MemberName, Timestamp,
    port::Record,
    request::{RequestEvent, RequestId},
    team::{JobEnd, JobId, TeamEvent, TeamState, Term},
};
use uuid::Uuid;

use super::engine::Writer;

/// All of it.
pub(crate) fn holds(records: &[Record], writers: &[Writer]) {
    assert_eq!(records.len(), writers.len(), "each record has its writer");
    let mut history = History::default();
    for (record, writer) in records.iter().zip(writers) {
        for (at, event) in record.events.iter().enumerate() {
            history.team.apply(event, record.at);
            history.meets(event, writer, asker(record, at).unwrap_or(writer.life));
        }
    }
}

/// The process that asked for what this event follows from, if another has decided for it. Its session is the number of its life.
fn asker(record: &Record, event: usize) -> Option<u64> {
    let has = |first: usize, count: usize| (first..first + count).contains(&event);
    let mut commands = record.commands.iter();
    let decided = commands.find(|asked| has(asked.first as usize, asked.count as usize))?;
    u64::try_from(decided.id.writer.as_u128()).ok()
}

#[derive(Default)]
struct History {
    team: TeamState,
    jobs: BTreeMap<JobId, Started>,
    opened: BTreeMap<RequestId, Opened>,
    settled: BTreeMap<RequestId, RequestEvent>,
}

/// A job, as of its beginning.
struct Started {
    life: u64,
    owner: MemberName,
    term: Term,
}

/// A request, as it was made.
struct Opened {
    by: Writer,
    within: Option<Duration>,
}

impl History {
    fn meets(&mut self, event: &TeamEvent, writer: &Writer, asker: u64) {
        match event {
            TeamEvent::JobStarted { job, member, .. } => {
                let started = Started {
                    life: asker,
                    owner: member.clone(),
                    term: self.term(member),
                };
                self.jobs.insert(*job, started);
            }
            TeamEvent::JobEnded {
                job,
                end: JobEnd::Lost,
            } => self.job_is_lost(*job, asker),
            TeamEvent::Request { request, change } => self.request(*request, change, writer),
            _ => {}
        }
    }

    /// The process that runs a job says that it is lost, or the next holder of its owner, or anybody once that process was replaced:
    /// an owner that is stopped has no next holder.
    fn job_is_lost(&self, job: JobId, asker: u64) {
        let started = &self.jobs[&job];
        let is_moved = self.term(&started.owner) != started.term;
        let mut workers = self.team.places().workers();
        let session = Uuid::from_u128(u128::from(started.life));
        let is_replaced = workers.all(|(_, worker)| worker.session != session);
        assert!(
            is_moved || is_replaced || asker == started.life,
            "{job} of {} runs, and life {asker} took it for lost",
            started.owner
        );
    }

    fn request(&mut self, id: RequestId, change: &RequestEvent, writer: &Writer) {
        match change {
            RequestEvent::Opened { deadline, .. } => {
                let opened = self.team.requests().get(id).unwrap().opened;
                let within = |deadline: Timestamp| deadline.millis_since(opened);
                let opened = Opened {
                    by: writer.clone(),
                    within: deadline.map(within).map(Duration::from_millis),
                };
                self.opened.insert(id, opened);
            }
            RequestEvent::Approved { .. }
            | RequestEvent::Rejected { .. }
            | RequestEvent::Expired
            | RequestEvent::Cancelled { .. } => {
                if *change == RequestEvent::Expired {
                    self.deadline_passes(id, writer);
                }
                let before = self.settled.insert(id, change.clone());
                // A call that was allowed may need that no more.
                let is_withdrawn = matches!(change, RequestEvent::Cancelled { .. })
                    && matches!(before, Some(RequestEvent::Approved { .. }));
                if let Some(before) = before.filter(|_| !is_withdrawn) {
                    panic!("{id} was settled by {before:?}, and by {change:?} again");
                }
            }
            RequestEvent::Heard | RequestEvent::Used | RequestEvent::Notified => {}
        }
    }

    /// No earlier than the requester wants, whatever clock says so.
    fn deadline_passes(&self, id: RequestId, writer: &Writer) {
        let opened = &self.opened[&id];
        let has_jumped = opened.by.life == writer.life && opened.by.clock_off != writer.clock_off;
        let (within, passed) = (opened.within.unwrap(), writer.at - opened.by.at);
        assert!(
            has_jumped || passed >= within,
            "{id} of {} had {within:?}, and {} ended it after {passed:?}",
            opened.by.worker,
            writer.worker
        );
    }

    fn term(&self, member: &MemberName) -> Term {
        let placement = self.team.places().placement(member);
        placement.map_or(Term::NONE, |placement| placement.term)
    }
}
