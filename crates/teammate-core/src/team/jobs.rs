//! The members' background jobs, as a fold over the journal. A job is known by its number; the
//! process that runs it knows what it does and prints.
//!
//! A job without an end in the journal was lost with its process: the next opening records that.

use std::collections::BTreeMap;

use super::command::JOBS_MAX;
use crate::{
    Incarnation, MemberName, Timestamp,
    cause::Cause,
    id::JobId,
    status::JobEnd,
    team::{Decision, Durability, StartJob, TeamEvent, TeamRefusal, TeamState},
};

/// How many jobs that have ended are remembered.
const ENDED_KEPT: usize = 100;

/// Something that a member has running in the background, beyond its turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub id: JobId,
    /// Its owner, who gets the notice of its end.
    pub owner: MemberName,
    /// In which incarnation it was started.
    pub incarnation: Incarnation,
    pub call: Cause,
    /// A title of one line.
    pub title: String,
    pub started: Timestamp,
    /// How often its owner's plan gate had been closed when it began: it ends with the next time.
    pub closings: u32,
    /// How it ended, if it has.
    pub end: Option<JobEnd>,
}

impl Job {
    /// Its id and what it is, for the user and models: `b1 (npm run dev)`.
    pub fn named(&self) -> String {
        format!("{} ({})", self.id, self.title)
    }

    /// The name of the file with its output, in the directory of kept outputs.
    pub fn output_name(&self) -> String {
        format!("{}-{}.txt", self.owner, self.id)
    }
}

/// All jobs that run, and the last ones that have ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Jobs {
    last: u32,
    jobs: BTreeMap<JobId, Job>,
}

impl Jobs {
    /// A job by its id.
    pub fn get(&self, id: JobId) -> Option<&Job> {
        self.jobs.get(&id)
    }

    /// The job that a call has started.
    pub fn started_by(&self, call: &Cause) -> Option<&Job> {
        self.jobs.values().find(|job| job.call == *call)
    }

    /// Everybody's, in the order in which they were started.
    pub fn all(&self) -> impl Iterator<Item = &Job> {
        self.jobs.values()
    }

    /// Those that have not ended.
    pub fn running(&self) -> impl Iterator<Item = &Job> {
        self.all().filter(|job| job.end.is_none())
    }

    /// A member's that have not ended.
    pub fn running_of(&self, owner: &MemberName) -> impl Iterator<Item = &Job> {
        self.running().filter(move |job| job.owner == *owner)
    }

    pub(super) fn begin(&mut self, job: Job) {
        self.last = self.last.max(job.id.number());
        self.jobs.insert(job.id, job);
    }

    /// Ends a job; one that has ended stays as it is.
    pub(super) fn end(&mut self, id: JobId, end: &JobEnd) {
        if let Some(job) = self.jobs.get_mut(&id).filter(|job| job.end.is_none()) {
            job.end = Some(end.clone());
        }
        let ended = || self.jobs.values().filter(|job| job.end.is_some());
        let oldest = ended().map(|job| job.id).next();
        if let Some(oldest) = oldest.filter(|_| ended().count() > ENDED_KEPT) {
            self.jobs.remove(&oldest);
        }
    }
}

impl TeamState {
    /// The jobs that run in the background, and those that did lately.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    pub(super) fn start_job(&self, start: &StartJob) -> Result<Decision, TeamRefusal> {
        let owner = self.current(&start.owner, start.incarnation)?;
        if self.jobs.started_by(&start.call).is_some() {
            return Ok(decided(Vec::new()));
        }
        let refusal = owner.gate.refusal().filter(|_| start.acts);
        if let Some(refusal) = refusal {
            return Err(TeamRefusal::Gated(refusal));
        }
        if self.jobs.running_of(&start.owner).count() >= JOBS_MAX {
            return Err(TeamRefusal::TooManyJobs);
        }
        Ok(decided(vec![TeamEvent::JobStarted {
            job: JobId::new(self.jobs.last + 1),
            member: start.owner.clone(),
            incarnation: start.incarnation,
            call: start.call.clone(),
            title: start.title.clone(),
        }]))
    }

    pub(super) fn end_job(&self, id: JobId, end: &JobEnd) -> Decision {
        let runs = self.jobs.get(id).is_some_and(|job| job.end.is_none());
        let event = TeamEvent::JobEnded {
            job: id,
            end: end.clone(),
        };
        decided(if runs { vec![event] } else { Vec::new() })
    }
}

/// Synced: an id must not be used twice, and an end is reported once.
fn decided(events: Vec<TeamEvent>) -> Decision {
    Decision {
        events,
        durability: Durability::Synced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sender, team::Command};

    fn run(team: &mut TeamState, command: &Command) -> Result<Vec<TeamEvent>, String> {
        let decided = team.decide(command).map_err(|why| why.to_string())?;
        for event in &decided.events {
            team.apply(event, Timestamp(7));
        }
        Ok(decided.events)
    }

    fn team() -> TeamState {
        let mut team = TeamState::default();
        let (id, name) = (uuid::Uuid::from_u128(1), "default".to_owned());
        run(&mut team, &Command::Create { id, name }).unwrap();
        team
    }

    fn start(call: &str) -> Command {
        Command::StartJob(StartJob {
            owner: MemberName::lead(),
            incarnation: Incarnation::FIRST,
            call: call.into(),
            title: format!("the job of {call}"),
            acts: true,
        })
    }

    fn end(id: &str, end: JobEnd) -> Command {
        let job = JobId::parse(id).unwrap();
        Command::EndJob { job, end }
    }

    fn running(team: &TeamState) -> Vec<String> {
        team.jobs()
            .running()
            .map(|job| job.id.to_string())
            .collect()
    }

    #[test]
    fn ids_count_up_and_are_never_used_again() {
        let mut team = team();
        run(&mut team, &start("c1")).unwrap();
        run(&mut team, &start("c2")).unwrap();
        assert_eq!(running(&team), ["b1", "b2"]);
        run(&mut team, &end("b2", JobEnd::Done)).unwrap();
        run(&mut team, &start("c3")).unwrap();
        assert_eq!(running(&team), ["b1", "b3"]);
        let b1 = team.jobs().get(JobId::parse("b1").unwrap()).unwrap();
        assert_eq!((&*b1.title, b1.started), ("the job of c1", Timestamp(7)));
        assert_eq!(b1.output_name(), "lead-b1.txt");
    }

    #[test]
    fn the_same_call_starts_one_job() {
        let mut team = team();
        assert_eq!(run(&mut team, &start("c1")).unwrap().len(), 1);
        assert_eq!(run(&mut team, &start("c1")), Ok(Vec::new()));
    }

    #[test]
    fn a_job_ends_once_and_the_first_end_counts() {
        let mut team = team();
        run(&mut team, &start("c1")).unwrap();
        let by = Sender::User;
        assert_eq!(
            run(&mut team, &end("b1", JobEnd::Stopped { by }))
                .unwrap()
                .len(),
            1
        );
        assert_eq!(run(&mut team, &end("b1", JobEnd::Lost)), Ok(Vec::new()));
        assert_eq!(run(&mut team, &end("b9", JobEnd::Lost)), Ok(Vec::new()));
        let b1 = team.jobs().get(JobId::parse("b1").unwrap()).unwrap();
        assert_eq!(b1.end, Some(JobEnd::Stopped { by: Sender::User }));
    }

    #[test]
    fn jobs_are_limited_by_member_and_earlier_incarnations_start_none() {
        let mut team = team();
        for at in 0..JOBS_MAX {
            run(&mut team, &start(&format!("c{at}"))).unwrap();
        }
        let refused = run(&mut team, &start("more")).unwrap_err();
        assert!(refused.contains("stop one first"), "{refused}");
        run(&mut team, &end("b1", JobEnd::Failed)).unwrap();
        run(&mut team, &start("more")).unwrap();
        let stale = Command::StartJob(StartJob {
            owner: MemberName::lead(),
            incarnation: Incarnation::FIRST.next(),
            call: "x".into(),
            title: String::new(),
            acts: true,
        });
        assert!(run(&mut team, &stale).is_err());
    }

    #[test]
    fn the_oldest_ended_jobs_are_forgotten_and_no_running_one() {
        let mut team = team();
        run(&mut team, &start("stays")).unwrap();
        for at in 0..ENDED_KEPT + 5 {
            run(&mut team, &start(&format!("c{at}"))).unwrap();
            run(&mut team, &end(&format!("b{}", at + 2), JobEnd::Done)).unwrap();
        }
        assert_eq!(running(&team), ["b1"]);
        assert_eq!(team.jobs().all().count(), ENDED_KEPT + 1);
        assert!(team.jobs().get(JobId::parse("b6").unwrap()).is_none());
        assert!(team.jobs().get(JobId::parse("b7").unwrap()).is_some());
    }

    #[test]
    fn the_journal_s_words() {
        let mut team = team();
        let started = run(&mut team, &start("lead/1/3/c1")).unwrap();
        let json = r#"{"event":"job_started","job":"b1","member":"lead","incarnation":1,"call":"lead/1/3/c1","title":"the job of lead/1/3/c1"}"#;
        assert_eq!(serde_json::to_string(&started[0]).unwrap(), json);
        assert_eq!(serde_json::from_str::<TeamEvent>(json).unwrap(), started[0]);
        let by = Sender::Member(MemberName::lead());
        for (end, json) in [
            (
                JobEnd::Done,
                r#"{"event":"job_ended","job":"b1","how":"done"}"#,
            ),
            (
                JobEnd::Failed,
                r#"{"event":"job_ended","job":"b1","how":"failed"}"#,
            ),
            (
                JobEnd::Stopped { by },
                r#"{"event":"job_ended","job":"b1","how":"stopped","by":"lead"}"#,
            ),
            (
                JobEnd::Lost,
                r#"{"event":"job_ended","job":"b1","how":"lost"}"#,
            ),
        ] {
            let job = JobId::parse("b1").unwrap();
            let event = TeamEvent::JobEnded { job, end };
            assert_eq!(serde_json::to_string(&event).unwrap(), json);
            assert_eq!(serde_json::from_str::<TeamEvent>(json).unwrap(), event);
        }
    }

    #[test]
    fn what_is_no_id() {
        for text in ["", "b", "1", "b-1", "b+1", "b1x", "c1", "b99999999999"] {
            assert_eq!(JobId::parse(text), None, "{text}");
        }
        assert_eq!(JobId::parse(" b12 "), Some(JobId::new(12)));
    }
}
