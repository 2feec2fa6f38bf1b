//! A command in the background: a job that lasts as long as its shell, prints into its file, and leaves nothing behind.

use std::time::Duration;

use teammate_core::{
    port::{JobContext, NewJob, ToolContext},
    tool::Outcome,
};

use super::{CommandStarter, Input, NotStarted, RunningCommand, exit::CommandExit, output::Output};
use crate::{
    display::job_started,
    one_line::one_line,
    typed_tool::{Reply, done},
};

/// Why a command was cut off.
enum StopCause {
    TimedOut(Duration),
    Stopped,
}

/// Starts the job, and tells how to look after it.
pub(super) async fn start(starter: &CommandStarter, input: Input, context: &ToolContext) -> Reply {
    let limit = input
        .seconds()
        .map(|seconds| Duration::from_secs(seconds.max(1)));
    let title = one_line(&input.command, 100);
    let (starter, inner) = (starter.clone(), context.clone());
    let work = move |room: JobContext| async move {
        let output = Output::streamed(room.output, &inner).await;
        match starter.start(&input.command, &inner, output) {
            Ok(running) => running.finish_in_background(limit, room.stopped).await,
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
        let cut = async {
            tokio::select! {
                cut = timed_out(limit) => cut,
                () = stopped => StopCause::Stopped,
            }
        };
        let ending = match self.until_exit(cut).await {
            Ok(Ok(ended)) => CommandExit::of(ended),
            Ok(Err(failure)) => return NotStarted::Wall(failure).into(),
            Err(cut) => {
                self.stop().await;
                match cut {
                    StopCause::TimedOut(limit) => CommandExit::TimedOut(limit),
                    StopCause::Stopped => CommandExit::Stopped,
                }
            }
        };
        self.drain_after_exit().await;
        let about = self.about(&ending);
        let left_something = self.group.end_rest().await;
        let mut printed = self.output.finish().await;
        if left_something {
            printed
                .text
                .push_str("\n(It left processes running; they were ended.)\n");
        }
        let remark = about + &self.connections.remark();
        ending.outcome(printed, &remark)
    }
}

async fn timed_out(limit: Option<Duration>) -> StopCause {
    match limit {
        Some(limit) => {
            tokio::time::sleep(limit).await;
            StopCause::TimedOut(limit)
        }
        None => std::future::pending().await,
    }
}
