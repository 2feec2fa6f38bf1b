//! Questions to the workers that run other members. What must not be lost does not go this way.

use std::time::Duration;

use teammate_core::{
    name::WorkerName,
    port::{FleetAnswer, FleetQuestion, FleetReply},
};

use super::Base;

impl Base {
    /// Asks a worker, and waits at most that long for its answer.
    ///
    /// Errors: a sentence that says why there is none. What was asked for may have been done.
    pub(crate) async fn ask_worker(
        &self,
        worker: &WorkerName,
        question: &FleetQuestion,
        within: Duration,
    ) -> Result<FleetAnswer, String> {
        let why = match &self.ports.worker {
            None => "is not known here",
            Some(seat) => match seat.wire.ask(worker, question, within).await {
                FleetReply::Answered(FleetAnswer::Unknown) => "is of a version that cannot say it",
                FleetReply::Answered(answer) => return Ok(answer),
                FleetReply::Nobody => "is gone",
                FleetReply::Silent => "does not answer",
            },
        };
        Err(format!("the worker '{worker}' {why}"))
    }
}
