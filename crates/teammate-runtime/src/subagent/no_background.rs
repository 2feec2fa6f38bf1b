//! The background of a subagent: there is none.

use std::time::Duration;

use teammate_core::{
    port::{Background, BoxFuture, Caller, JobView, NewJob, Refusal},
    team::Job,
};

/// A subagent is gone before a job could end.
pub(super) struct NoBackground;

impl NoBackground {
    fn refusal() -> Refusal {
        Refusal::Rule("a subagent has no background; run it in the foreground".to_owned())
    }
}

impl Background for NoBackground {
    fn start<'a>(&'a self, _: &'a Caller, _: NewJob) -> BoxFuture<'a, Result<JobView, Refusal>> {
        Box::pin(async { Err(Self::refusal()) })
    }

    fn output<'a>(
        &'a self,
        _: &'a Caller,
        _: &'a str,
        _: Duration,
    ) -> BoxFuture<'a, Result<JobView, Refusal>> {
        Box::pin(async { Err(Self::refusal()) })
    }

    fn stop<'a>(&'a self, _: &'a Caller, _: &'a str) -> BoxFuture<'a, Result<JobView, Refusal>> {
        Box::pin(async { Err(Self::refusal()) })
    }

    fn list<'a>(&'a self, _: &'a Caller) -> BoxFuture<'a, Vec<Job>> {
        Box::pin(async { Vec::new() })
    }
}
