//! A command in the background: a job that lasts as long as its shell, prints into its file, and leaves nothing behind.

use std::{convert::Infallible, time::Duration};

use teammate_core::{
    port::{JobContext, NewJob, ToolContext},
    tool::Outcome,
};
use teammate_process::{Mark, listens, look};

use super::{CommandStarter, Input, NotStarted, RunningCommand, beyond, output::Output};
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
        let output = Output::streamed(room.output, &inner).await;
        match starter.start(&input.command, &inner, output) {
            Ok(running) => {
                let says = says_when_it_serves(running.run.clone(), room.serves);
                tokio::select! {
                    outcome = running.finish_in_background(limit, room.stopped) => outcome,
                    never = says => match never {},
                }
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

/// How often it is looked whether a command serves.
const LOOK_PAUSE: Duration = Duration::from_secs(1);
/// A command that has not begun to serve by then is looked at as seldom as this.
const LOOK_PAUSE_MAX: Duration = Duration::from_secs(16);

/// Tells once that a command serves: something of it listens for connections.
async fn says_when_it_serves(run: Mark, serves: Box<dyn FnOnce() + Send>) -> Infallible {
    let mut pause = LOOK_PAUSE;
    loop {
        tokio::time::sleep(pause).await;
        if listens(run.clone()).await {
            break;
        }
        pause = (pause * 2).min(LOOK_PAUSE_MAX);
    }
    serves();
    std::future::pending().await
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
        let remark = about + &self.connections.remark();
        ending.outcome(printed, &remark)
    }
}
