//! A command in the background: a job that lasts as long as its shell, prints into its file, and leaves nothing behind.

use std::time::Duration;

use teammate_core::{
    port::{JobRoom, NewJob, ToolContext},
    tool::Outcome,
};

use super::{Input, Running, Starter, ending::Ending, not_started, output::Output};
use crate::{
    one_line::one_line,
    shown::job_started,
    typed_tool::{Reply, done},
};

/// Why a command did not go on to its end.
enum Cut {
    TimedOut(Duration),
    Stopped,
}

/// Starts the job, and tells how to look after it.
pub(super) async fn start(starter: &Starter, input: Input, context: &ToolContext) -> Reply {
    let limit = input
        .timeout_seconds
        .map(|seconds| Duration::from_secs(seconds.max(1)));
    let title = one_line(&input.command, 100);
    let (starter, inner) = (starter.clone(), context.clone());
    let work = move |room: JobRoom| async move {
        let output = Output::streamed(room.output, &inner).await;
        match starter.start(&input.command, &inner, output) {
            Ok(running) => running.finish_apart(limit, room.stopped).await,
            Err(error) => not_started(&error),
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

impl Running {
    async fn finish_apart(
        mut self,
        limit: Option<Duration>,
        stopped: impl Future<Output = ()>,
    ) -> Outcome {
        let cut = async {
            tokio::select! {
                cut = timed_out(limit) => cut,
                () = stopped => Cut::Stopped,
            }
        };
        let ending = match self.until_exit(cut).await {
            Ok(status) => Ending::of(status),
            Err(cut) => {
                self.stop().await;
                match cut {
                    Cut::TimedOut(limit) => Ending::TimedOut(limit),
                    Cut::Stopped => Ending::Stopped,
                }
            }
        };
        self.read_rest().await;
        let left_something = self.group.end_rest().await;
        let mut printed = self.output.finish().await;
        if left_something {
            printed
                .text
                .push_str("\n(It left processes running, which were ended with it.)\n");
        }
        ending.outcome(printed)
    }
}

async fn timed_out(limit: Option<Duration>) -> Cut {
    match limit {
        Some(limit) => {
            tokio::time::sleep(limit).await;
            Cut::TimedOut(limit)
        }
        None => std::future::pending().await,
    }
}
