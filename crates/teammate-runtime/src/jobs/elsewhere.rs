//! Jobs of members that other workers run, and what other workers ask about jobs here. That a job has ended is in the journal;
//! only what came of it is asked for.

use std::time::Duration;

use teammate_core::{
    MemberName, Sender,
    name::WorkerName,
    port::{FleetAnswer, FleetQuestion, JobOutcome, JobReport, Refusal},
    team::{Job, JobEnd, JobId},
    tool::Outcome,
};

use super::JobRunner;

/// How long a worker has to say what it knows.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);

/// How long a worker has to end a job: longer than a job may take that is asked to end.
const ENDS_WITHIN: Duration = Duration::from_secs(15);

impl JobRunner {
    /// Looks at a job, and waits at most `wait` for its end.
    ///
    /// Errors: its worker does not answer, and nothing is known of its end.
    pub(super) async fn look_elsewhere(
        &self,
        worker: &WorkerName,
        job: Job,
        wait: Duration,
    ) -> Result<JobReport, Refusal> {
        self.wait_for_recorded_end(job.id, wait).await;
        let question = FleetQuestion::LookAtJob { job: job.id };
        let asked = self.base.ask_worker(worker, &question, ANSWERS_WITHIN);
        let answer = asked.await;
        let mut report = self.view(job);
        report.elsewhere = Some(worker.clone());
        match answer {
            Ok(answer) => report.outcome = outcome_of(answer),
            Err(_) if report.job.end.is_some() => {}
            Err(why) => {
                let id = report.job.id;
                return Err(Refusal::Broken(format!("{why}; {id} may still run there")));
            }
        }
        Ok(report)
    }

    /// Ends a job; when this returns, all its processes have ended.
    ///
    /// Errors: its worker does not answer, and the job may go on.
    pub(super) async fn stop_elsewhere(
        &self,
        worker: &WorkerName,
        job: Job,
        by: &MemberName,
    ) -> Result<JobReport, Refusal> {
        let question = FleetQuestion::StopJob {
            job: job.id,
            by: by.clone(),
        };
        let asked = self.base.ask_worker(worker, &question, ENDS_WITHIN).await;
        if asked.is_ok() {
            // It is in the journal, and read here in a moment.
            self.wait_for_recorded_end(job.id, ANSWERS_WITHIN).await;
        }
        let mut report = self.view(job);
        let id = report.job.id;
        report.elsewhere = Some(worker.clone());
        match asked {
            Ok(answer) => report.outcome = outcome_of(answer),
            Err(_) if report.job.end.is_some() => {}
            Err(why) => return Err(Refusal::Broken(format!("{why}; {id} may still run there"))),
        }
        if report.job.end.is_none() {
            let why = format!("{id} moves with its owner at this moment; try it again");
            return Err(Refusal::Broken(why));
        }
        Ok(report)
    }

    /// What another worker reads of a job here.
    pub(crate) fn answer_look(&self, job: JobId) -> FleetAnswer {
        if !self.is_of_member_here(job) {
            return FleetAnswer::NotHere;
        }
        let outcome = self.slot(job).and_then(|slot| slot.outcome());
        let outcome = outcome.map(|outcome| JobOutcome {
            text: outcome.text(),
            is_error: outcome.is_error,
        });
        FleetAnswer::Job { outcome }
    }

    /// Ends a job here for a member elsewhere.
    pub(crate) async fn answer_stop(&self, job: JobId, by: MemberName) -> FleetAnswer {
        if let Some(slot) = self.slot(job).filter(|_| self.is_of_member_here(job)) {
            let by = Sender::Member(by);
            slot.request_stop(JobEnd::Stopped { by });
            slot.ended().await;
        }
        self.answer_look(job)
    }

    fn is_of_member_here(&self, job: JobId) -> bool {
        let team = self.base.ledger.team();
        let job = team.jobs().get(job);
        job.is_some_and(|job| self.base.is_mine(&job.owner))
    }

    /// Resolves when the journal says that a job has ended, at the latest after this time.
    async fn wait_for_recorded_end(&self, job: JobId, within: Duration) {
        let mut changes = self.base.ledger.changes();
        let ended = changes.wait_for(|team| {
            let job = team.jobs().get(job);
            job.is_none_or(|job| job.end.is_some())
        });
        // In time or not, the journal is read afterwards.
        drop(tokio::time::timeout(within, ended).await);
    }
}

fn outcome_of(answer: FleetAnswer) -> Option<Outcome> {
    match answer {
        FleetAnswer::Job { outcome } => outcome.map(|outcome| match outcome.is_error {
            true => Outcome::error(outcome.text),
            false => Outcome::ok(outcome.text),
        }),
        FleetAnswer::Pong | FleetAnswer::Halted | FleetAnswer::NotHere | FleetAnswer::Unknown => {
            None
        }
    }
}
