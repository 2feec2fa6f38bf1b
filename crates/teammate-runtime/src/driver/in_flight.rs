//! The jobs of one member: at most one question to a model or to hooks, or some tools side by side. One that crashes still answers; one that was
//! cancelled does not.

use teammate_core::{
    agent::Input,
    model::{ModelFailure, Remedy},
    tool::{CallId, Outcome},
};
use tokio::task::{Id, JoinError};

use super::Driver;
use crate::engine::OpenedEngine;

/// How a job ended.
#[expect(
    clippy::large_enum_variant,
    reason = "few are there at a time, and nearly all are inputs"
)]
pub(super) enum DriverJobEnd {
    /// With something for the loop.
    Input(Input),
    Opened(OpenedEngine),
    Lost(String),
}

impl From<Input> for DriverJobEnd {
    fn from(input: Input) -> Self {
        Self::Input(input)
    }
}

/// The kind of a job, so that one that crashes still has an answer.
pub(super) enum DriverJob {
    Model,
    Tool(CallId),
    /// Hooks at the end of a turn.
    Hooks,
}

impl Driver {
    pub(super) fn start<End: Into<DriverJobEnd>>(
        &mut self,
        what: DriverJob,
        job: impl Future<Output = End> + Send + 'static,
    ) {
        let id = self.jobs.spawn(async { job.await.into() }).id();
        self.running.insert(id, what);
    }

    /// A job's input. One that crashed still answers; one that was cancelled does not.
    pub(super) fn on_finished(
        &mut self,
        ended: Result<(Id, DriverJobEnd), JoinError>,
    ) -> Option<DriverJobEnd> {
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
            DriverJob::Model => Input::ModelFailed(ModelFailure {
                what: "the model's adapter crashed; this is a bug".to_owned(),
                remedy: Remedy::Never,
            }),
            DriverJob::Hooks => Input::MayEnd(None),
            DriverJob::Tool(call) => {
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
