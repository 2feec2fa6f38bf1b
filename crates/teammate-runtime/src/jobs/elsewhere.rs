//! Jobs of members that run on other workers: the lead looks at them and ends them by asking the worker that holds their owner.

use std::time::Duration;

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{FleetAnswer, FleetQuestion, FleetReply, JobAsk, JobOutcome, Refusal},
    team::Job,
    tool::Outcome,
};

use super::JobRunner;

/// How long a worker may take to answer, beside what it waits for: a job ends within a few seconds of being asked to.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

impl JobRunner {
    /// Asks the worker that holds the job's owner. Nothing if that is this one, or if nobody holds it.
    ///
    /// Errors: the worker does not answer.
    pub(super) async fn ask_holder(
        &self,
        job: &Job,
        ask: JobAsk,
    ) -> Result<Option<Outcome>, Refusal> {
        let holder = self.holder_of(&job.owner);
        let (Some(wire), Some(holder)) = (self.base.deployment.wire(), holder) else {
            return Ok(None);
        };
        let wait = match ask {
            JobAsk::Look { wait_ms } => Duration::from_millis(wait_ms),
            JobAsk::Stop => Duration::ZERO,
        };
        let question = FleetQuestion::Job { job: job.id, ask };
        match wire.ask(&holder, &question, wait + ANSWER_WITHIN).await {
            FleetReply::Answered(FleetAnswer::Job(outcome)) => Ok(outcome.map(shown)),
            FleetReply::Answered(_) | FleetReply::Nobody | FleetReply::Silent => {
                Err(Refusal::Broken(format!(
                    "{} runs on worker '{holder}' with {}, and that worker does not answer; nothing was done. Try again in a \
                     moment",
                    job.id, job.owner
                )))
            }
        }
    }

    /// The worker that holds a member, if it is another.
    pub(super) fn holder_of(&self, member: &MemberName) -> Option<WorkerName> {
        if self.base.is_mine(member) {
            return None;
        }
        let team = self.base.ledger.team();
        team.places().placement(member)?.worker.clone()
    }
}

fn shown(outcome: JobOutcome) -> Outcome {
    match outcome.is_error {
        true => Outcome::error(outcome.text),
        false => Outcome::ok(outcome.text),
    }
}
