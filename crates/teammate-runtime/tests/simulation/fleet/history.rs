//! What the journal says about who did what. The engine knows which process appended each record, when, and how far its clock
//! was off.

use std::{collections::BTreeMap, time::Duration};

use teammate_core::{
    MemberName, Timestamp,
    port::Record,
    request::{RequestEvent, RequestId},
    team::{JobEnd, JobId, TeamEvent, TeamState, Term},
};

use super::engine::Writer;

/// All of it.
pub(crate) fn holds(records: &[Record], writers: &[Writer]) {
    assert_eq!(records.len(), writers.len(), "each record has its writer");
    let mut history = History::default();
    for (record, writer) in records.iter().zip(writers) {
        for event in &record.events {
            history.team.apply(event, record.at);
            history.meets(event, writer);
        }
    }
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
    fn meets(&mut self, event: &TeamEvent, writer: &Writer) {
        match event {
            TeamEvent::JobStarted { job, member, .. } => {
                let started = Started {
                    life: writer.life,
                    owner: member.clone(),
                    term: self.term(member),
                };
                self.jobs.insert(*job, started);
            }
            TeamEvent::JobEnded {
                job,
                end: JobEnd::Lost,
            } => self.job_is_lost(*job, writer),
            TeamEvent::Request { request, change } => self.request(*request, change, writer),
            _ => {}
        }
    }

    /// The process that runs a job says that it is lost, or the next holder of its owner.
    fn job_is_lost(&self, job: JobId, writer: &Writer) {
        let started = &self.jobs[&job];
        let is_moved = self.term(&started.owner) != started.term;
        assert!(
            is_moved || writer.life == started.life,
            "{job} of {} runs, and {} took it for lost",
            started.owner,
            writer.worker
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
