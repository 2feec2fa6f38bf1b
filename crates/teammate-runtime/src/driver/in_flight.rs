//! The jobs of one member: at most one question to a model or to hooks, or some tools side by side. One that crashes still answers; one that was
//! cancelled does not.

use teammate_core::{
    agent::Input,
    model::{ModelFailure, Remedy},
    tool::{CallId, Outcome},
};
use tokio::task::{Id, JoinError};

use super::Driver;
use crate::engine::Opened;

/// How a job ended.
#[expect(
    clippy::large_enum_variant,
    reason = "few are there at a time, and nearly all are inputs"
)]
pub(super) enum JobEnd {
    /// With something for the loop.
    Input(Input),
    /// The engine is open.
    Opened(Opened),
    /// The engine was lost.
    Lost(String),
}

impl From<Input> for JobEnd {
    fn from(input: Input) -> Self {
        Self::Input(input)
    }
}

/// The kind of a job, so that one that crashes still has an answer.
pub(super) enum InFlight {
    Model,
    Tool(CallId),
    /// Hooks at the end of a turn.
    Hooks,
}

impl Driver {
    pub(super) fn start<End: Into<JobEnd>>(
        &mut self,
        what: InFlight,
        job: impl Future<Output = End> + Send + 'static,
    ) {
        let id = self.jobs.spawn(async { job.await.into() }).id();
        self.running.insert(id, what);
    }

    /// A job's input. One that crashed still answers; one that was cancelled does not.
    pub(super) fn on_finished(&mut self, ended: Result<(Id, JobEnd), JoinError>) -> Option<JobEnd> {
        let error = match ended {
            Ok((id, end)) => {
                self.running.remove(&id);
                return Some(end);
            }
            Err(error) => error,
        };
        let job = self.running.remove(&error.id())?;
        if error.is_cancelled() {
            return None;
        }
        self.base.feed.note(&self.name, format!("a bug: {error}"));
        let input = match job {
            InFlight::Model => Input::ModelFailed(ModelFailure {
                what: "the model's adapter crashed; this is a bug".to_owned(),
                remedy: Remedy::Never,
            }),
            InFlight::Hooks => Input::MayEnd(None),
            InFlight::Tool(call) => {
                let text =
                    "The tool crashed; this is a bug in it. It may have done part of its work.";
                Input::ToolDone(call, Outcome::error(text))
            }
        };
        Some(input.into())
    }

    /// Drops the model call or the tools, and waits until they have ended.
    pub(super) async fn cancel(&mut self) {
        self.jobs.shutdown().await;
        self.running.clear();
        self.engine.cut().await;
    }
}
