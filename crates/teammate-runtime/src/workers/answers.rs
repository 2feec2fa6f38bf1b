//! Answers what other workers ask this one.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{AskedQuestion, FleetAnswer, FleetAsked, FleetFeed, FleetQuestion, JobAsk},
    team::JobId,
};
use tokio::task::JoinSet;

use super::crew::Crew;

/// Answers until the wire is closed.
pub(super) async fn serve(mut feed: Box<dyn FleetFeed<FleetAsked>>, crew: &Arc<Crew>) {
    let mut answering = JoinSet::new();
    while let Some(asked) = feed.next().await {
        while answering.try_join_next().is_some() {}
        let FleetAsked {
            by,
            question,
            proof,
            answer,
        } = asked;
        match question {
            FleetQuestion::Ping => answer(FleetAnswer::Pong),
            FleetQuestion::Rest { journal } => {
                let crew = crew.clone();
                answering.spawn(async move { answer(crew.rest.answer_rest(journal).await) });
            }
            FleetQuestion::Decide(asked) => {
                let (ledger, own) = (crew.base.ledger.clone(), crew.placed.role.name.clone());
                let question = AskedQuestion { by, asked, proof };
                answering.spawn(async move { answer(ledger.decide_for(&own, question).await) });
            }
            FleetQuestion::Job { job, ask } => {
                let crew = crew.clone();
                answering.spawn(async move { answer(of_job(&crew, &by, job, ask).await) });
            }
        }
    }
}

/// Only the lead may touch jobs of others: who holds it may ask.
async fn of_job(crew: &Crew, by: &WorkerName, job: JobId, ask: JobAsk) -> FleetAnswer {
    let team = crew.base.ledger.team();
    let lead = team.places().placement(&MemberName::lead());
    if lead.and_then(|lead| lead.worker.as_ref()) != Some(by) {
        return FleetAnswer::Unknown;
    }
    let wait = match ask {
        JobAsk::Look { wait_ms } => Some(Duration::from_millis(wait_ms)),
        JobAsk::Stop => None,
    };
    FleetAnswer::Job(crew.jobs.for_lead_elsewhere(job, wait).await)
}
