//! A command in the background: a job that lasts as long as its shell, prints into its file, and leaves nothing behind.

use std::time::Duration;

use teammate_core::{
    port::{JobContext, NewJob, ToolContext},
    tool::Outcome,
};
use teammate_process::{listens, look};

use super::{CommandStarter, Input, NotStarted, RunningCommand, beyond, output::BoundedOutput};
use crate::{
    display::job_started,
    display::one_line,
    held_back,
    typed_tool::{Reply, done},
};

/// Starts the job, and tells how to look after it.
pub(super) async fn start(starter: &CommandStarter, input: Input, context: &ToolContext) -> Reply {
    let limit = input
        .seconds()
        .map(|seconds| Duration::from_secs(seconds.max(1)));
    let title = one_line(&input.command, 100);
    let (starter, inner) = (starter.clone(), context.clone());
    let work = move |room: JobContext| async move {
        let output = BoundedOutput::streamed(room.output, &inner).await;
        match starter.start(&input.command, &inner, output) {
            Ok(running) => {
                let run = running.run.clone();
                (room.serves_by)(Box::new(move || Box::pin(listens(run.clone()))));
                running.finish_in_background(limit, room.stopped).await
            }
            Err(error) => error.into(),
        }
    };
    let job = NewJob {
        title,
        acts: true,
        work: Box::new(|room| Box::pin(work(room))),
    };
    let view = context.team.start_job(job).await?;
    done(job_started(&view, "Its output goes to", context))
}

impl RunningCommand {
    async fn finish_in_background(
        mut self,
        limit: Option<Duration>,
        stopped: impl Future<Output = ()>,
    ) -> Outcome {
        let ending = match self.until_end(limit, stopped).await {
            Ok(ending) => ending,
            Err(failure) => return NotStarted::Wall(failure).into(),
        };
        self.drain_after_exit().await;
        let mut about = self.about(&ending);
        let looking = self.group.looking();
        let left_something = self.group.end_rest().await;
        about += &held_back::remark(look(looking).await, &self.context);
        let mut printed = self.output.finish().await;
        if left_something {
            printed
                .text
                .push_str("\n(It left processes running; they were ended.)\n");
        }
        about += &ending.asked(&printed, &self.script);
        about += beyond::git_remark(&printed.text);
        let refused = self.connections.remark(ending.has_failed(), &printed.text);
        let remark = about + &refused;
        ending.outcome(printed, &remark)
    }
}
