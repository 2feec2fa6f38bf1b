//! Answers what other workers ask about members that run here. It decides nothing and starts nobody.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    port::{FleetAnswer, FleetQuestion},
};

use crate::{base::Base, halt::halted, jobs::JobRunner};

/// What it answers from.
pub(crate) struct Answers {
    pub(crate) base: Arc<Base>,
    pub(crate) jobs: Arc<JobRunner>,
}

impl Answers {
    /// Answers until the wire is closed. Without a seat nobody asks.
    pub(crate) async fn serve(self: Arc<Self>) {
        let Some(seat) = &self.base.ports.worker else {
            return;
        };
        let mut questions = match seat.wire.asked().await {
            Ok(questions) => questions,
            Err(error) => {
                let text = format!("other workers get no answers from here: {error}");
                return self.base.feed.note(&MemberName::lead(), text);
            }
        };
        while let Some(asked) = questions.next().await {
            let answers = self.clone();
            drop(tokio::spawn(async move {
                let answer = answers.answer(asked.question).await;
                (asked.answer)(answer);
            }));
        }
    }

    async fn answer(&self, question: FleetQuestion) -> FleetAnswer {
        match question {
            FleetQuestion::Ping => FleetAnswer::Pong,
            FleetQuestion::LookAtJob { job } => self.jobs.answer_look(job),
            FleetQuestion::StopJob { job, by } => self.jobs.answer_stop(job, by).await,
            FleetQuestion::HasHalted { member } if self.base.is_mine(&member) => {
                halted(&self.base, &self.jobs, &member).await;
                FleetAnswer::Halted
            }
            FleetQuestion::HasHalted { .. } => FleetAnswer::NotHere,
        }
    }
}
