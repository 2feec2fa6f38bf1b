//! The jobs of one member: at most one question to a model or to hooks, or some tools side by side. One that crashes still answers; one that was
//! cancelled does not.

use teammate_core::{
    agent::Input,
    model::{ModelFailure, Remedy},
    tool::{CallId, Outcome},
};
use tokio::task::{Id, JoinError};

use super::Driver;

/// What a job is, so that one that crashes still has an answer.
pub(super) enum InFlight {
    Model,
    Tool(CallId),
    /// Hooks at the end of a turn.
    Hooks,
}

impl Driver {
    pub(super) fn start(
        &mut self,
        what: InFlight,
        job: impl Future<Output = Input> + Send + 'static,
    ) {
        let id = self.jobs.spawn(job).id();
        self.running.insert(id, what);
    }

    /// A job's input. One that crashed still answers; one that was cancelled does not.
    pub(super) fn on_finished(&mut self, ended: Result<(Id, Input), JoinError>) -> Option<Input> {
        let error = match ended {
            Ok((id, input)) => {
                self.running.remove(&id);
                return Some(input);
            }
            Err(error) => error,
        };
        let job = self.running.remove(&error.id())?;
        if error.is_cancelled() {
            return None;
        }
        self.base.feed.note(&self.name, format!("a bug: {error}"));
        match job {
            InFlight::Model => Some(Input::ModelFailed(ModelFailure {
                what: "the model's adapter crashed; this is a bug".to_owned(),
                remedy: Remedy::Never,
            })),
            InFlight::Hooks => Some(Input::MayEnd(None)),
            InFlight::Tool(call) => {
                let text =
                    "The tool crashed; this is a bug in it. It may have done part of its work.";
                Some(Input::ToolDone(call, Outcome::error(text)))
            }
        }
    }

    /// Drops the model call or the tools, and waits until they have ended.
    pub(super) async fn cancel(&mut self) {
        self.jobs.shutdown().await;
        self.running.clear();
    }
}
