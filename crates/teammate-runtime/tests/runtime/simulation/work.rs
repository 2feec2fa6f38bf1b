//! A tool that starts something in the background: it takes its time, ends well, badly or by a bug, and may be deaf when it
//! is asked to end.

use std::time::Duration;

use serde_json::value::RawValue;
use teammate_core::{
    port::{Action, JobContext, NewJob, ReadyCall, Target, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolInput, ToolSpec},
};

use crate::simulation::chance::Chance;

/// The tool.
pub(crate) struct Work {
    spec: ToolSpec,
    chance: Chance,
}

impl Work {
    pub(crate) fn new(chance: Chance) -> Self {
        let spec = ToolSpec {
            name: "work".into(),
            description: "Works in the background.".into(),
            schema: RawValue::from_string("{\"type\":\"object\"}".to_owned()).unwrap(),
            // A job's identity follows from the call, so that the same call again starts nothing.
            class: EffectClass::Team,
        };
        Self { spec, chance }
    }
}

impl Tool for Work {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn read<'a>(
        &'a self,
        _: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let chance = self.chance.clone();
        let job = NewJob {
            acts: false,
            title: "work".to_owned(),
            work: Box::new(|room| Box::pin(work(chance, room))),
        };
        Ok(ReadyCall {
            action: Action {
                target: Target::Team,
                shows: "work".to_owned(),
                summary: "work".to_owned(),
            },
            preview: None,
            run: Box::pin(async move {
                match context.team.start_job(job).await {
                    Ok(view) => Outcome::ok(view.job.id.to_string()),
                    Err(refusal) => Outcome::error(refusal.to_string()),
                }
            }),
        })
    }
}

async fn work(chance: Chance, room: JobContext) -> Outcome {
    let is_deaf = chance.below(4) == 0;
    let work = tokio::time::sleep(Duration::from_millis(chance.below(100)));
    tokio::select! {
        () = work => {}
        () = room.stopped, if !is_deaf => return Outcome::error("stopped"),
    }
    match chance.below(8) {
        0 => panic!("a bug in the job, as the seed has it"),
        1 | 2 => Outcome::error("it went wrong"),
        _ => Outcome::ok("it went well"),
    }
}
